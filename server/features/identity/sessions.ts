import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import type { Database } from "#server/db/database.ts";
import { faultOf } from "#server/db/faults.ts";
import type { Lsn } from "#server/db/replica.ts";
import { isId, newId } from "#server/db/ids.ts";
import type { ClientInfo, RequestHeaders } from "#server/features/types.ts";
import { bearerIn } from "#server/features/identity/bearer.ts";
import { decoded, readCookie, writeCookie } from "#server/features/identity/cookies.ts";
import { createEndedTokens } from "#server/features/identity/ended-tokens.ts";
import {
  forgetReadableTokens as forgetTokens,
  sessionQueries,
} from "#server/features/identity/sessions.queries.ts";
import { deviceOf } from "#server/features/identity/user-agent.ts";
import type { SessionView, Viewer } from "#shared/views.ts";

const day = 24 * 60 * 60;
/** seconds a session lives after it was last prolonged */
export const sessionLifetime = 30 * day;
/** seconds after its beginning, it ends however much it is used */
const longestSession = 365 * day;
/** 256 bits: SHA-256 of it cannot be searched, and needs no salt */
const tokenBytes = 32;
/** seconds: the list of sessions tells their last use to within this */
const noteUseAfter = 5 * 60;
/** More than anybody has; what would be beyond is the longest unused. */
const listed = 100;
/** Tokens that are emptied in one statement. */
const atOnce = 1000;

/** `__Host-`: a browser takes such a cookie over https only and from no other host of the domain. */
export function sessionCookieName(secure: boolean): string {
  return secure ? "__Host-postcard.session" : "postcard.session";
}

/** A session token with its signature, the form in which it leaves the server. */
export function signToken(token: string, secret: string): string {
  return `${token}.${createHmac("sha256", secret).update(token).digest("base64")}`;
}

/** What the database keeps of a token. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The token inside a signed one, or null where the signature is not ours. */
function readSignedToken(signed: string, secret: string): string | null {
  const token = signed.slice(0, Math.max(0, signed.lastIndexOf(".")));
  if (token === "") return null;
  const given = Buffer.from(signed);
  const right = Buffer.from(signToken(token, secret));
  return given.length === right.length && timingSafeEqual(given, right) ? token : null;
}

type Deps = {
  db: Database;
  secret: string;
  secure: boolean;
  log: Pick<Logger, "error">;
};

/** Who sends a request: our own look-up, one prepared statement, for every page and call. */
export function createSessions({ db, secret, secure, log }: Deps) {
  const name = sessionCookieName(secure);
  const queries = sessionQueries(db, {
    lifetime: sessionLifetime,
    longest: longestSession,
    prolongAfter: day,
    noteUseAfter,
  });
  /** Members whose cookie must be sent again because their session was prolonged. */
  const prolonged = new WeakMap<Viewer, string>();
  /** How far a replica must be that they may read. */
  const readAfter = new WeakMap<Viewer, Lsn>();
  /** The token each of them was recognised by. */
  const tokens = new WeakMap<Viewer, string>();

  const endedTokens = createEndedTokens();

  /** What the headers of each request carry: who admits it asks first, its page or call again. */
  const carried = new WeakMap<RequestHeaders, string | null>();

  function tokenOf(headers: RequestHeaders): string | null {
    const known = carried.get(headers);
    if (known !== undefined) return known;
    const token = readToken(headers);
    carried.set(headers, token);
    return token;
  }

  /** The token of a cookie or of `Authorization: Bearer`; an unsigned or forged one is none. */
  function readToken({ cookie, authorization }: RequestHeaders): string | null {
    const bearer = bearerIn(authorization);
    const signed = bearer === null ? readCookie(cookie, name) : (decoded(bearer) ?? null);
    return signed === null ? null : readSignedToken(signed, secret);
  }

  /** The member of a token; a visitor (null) when it ended, or the account is not to be seen. */
  async function viewerOfToken(token: string): Promise<Viewer | null> {
    const hash = hashToken(token);
    const row = await queries.read(hash);
    endedTokens.note(token, { holds: row !== null });
    if (!row) return null;
    const viewer: Viewer = {
      ...row.account,
      sessionId: row.session_id,
      email: row.email,
      emailVerified: row.email_verified,
      firstName: row.first_name,
      secondName: row.second_name,
      moderator: row.moderator,
      operator: row.operator,
      unreadNotifications: row.unread_notifications,
      unreadMessages: row.unread_messages,
      ...(row.muted_words && { mutedWords: row.muted_words }),
    };
    tokens.set(viewer, token);
    if (row.read_after) readAfter.set(viewer, row.read_after);
    if (row.ageing) prolonged.set(viewer, cookieOf(token));
    if (row.ageing || row.use_unnoted) writeUse(row.session_id, hash, row.ageing);
    return viewer;
  }

  /**
   * Runs a request's work: what it only reads may come from a replica that knows what this viewer wrote,
   * and what everybody has to see at once.
   */
  function reading<T>(viewer: Viewer | null, work: () => Promise<T>): Promise<T> {
    const after = async () =>
      viewer ? (readAfter.get(viewer) ?? null) : queries.visitorsReadAfter();
    return db.reading(after, work);
  }

  /** After a request that may have written, before it is answered: its member reads it from then on. */
  async function noteWrite(viewer: Viewer | null): Promise<void> {
    if (!db.hasReplica || !viewer) return;
    await queries.noteWrite(viewer.id).catch((error: unknown) => {
      log.error({ err: error }, "a member may not see for some seconds what they wrote");
    });
  }

  /** Sessions whose use is being written: a page and what it loads write it once. */
  const beingWritten = new Set<string>();

  /** In the background: nobody waits for it, and at worst the next request tries again. */
  function writeUse(id: string, hash: Buffer, ageing: boolean): void {
    if (beingWritten.has(id)) return;
    beingWritten.add(id);
    const written = ageing ? queries.prolong(hash) : queries.noteUse(hash);
    written
      .catch((error: unknown) => {
        // A database that takes no writes, or is away, is told where people meet it.
        if (faultOf(error) === null)
          log.error({ err: error }, "the use of a session could not be written");
      })
      .finally(() => beingWritten.delete(id));
  }

  /**
   * Whether a request brings a token that we signed and that this process never found ended. It asks no
   * database: a session that ended elsewhere counts until one request with its token was served here.
   */
  function claimsSession(headers: RequestHeaders): boolean {
    const token = tokenOf(headers);
    return token !== null && !endedTokens.has(token);
  }

  async function viewerOf(headers: RequestHeaders): Promise<Viewer | null> {
    const token = tokenOf(headers);
    return token === null ? null : viewerOfToken(token);
  }

  function cookieOf(token: string): string {
    const value = signToken(token, secret);
    return writeCookie({ name, value, maxAge: sessionLifetime, secure });
  }

  /** Set-Cookie values that a page shown to this member sends along, at most once a day. */
  function renewedCookies(viewer: Viewer | null): string[] {
    const cookie = viewer ? prolonged.get(viewer) : undefined;
    return cookie ? [cookie] : [];
  }

  /** The token that a member was recognised by: it stands in no table. */
  function recognisedBy(viewer: Viewer): string {
    const token = tokens.get(viewer);
    if (token === undefined) throw new Error("this member was not recognised by a session");
    return token;
  }

  /** What a program sends as `Authorization: Bearer` to go on with this member's session. */
  function bearerOf(viewer: Viewer): string {
    return signToken(recognisedBy(viewer), secret);
  }

  /** The member of a session's token and the Set-Cookie value that puts a browser into it. */
  async function resume(token: string): Promise<{ viewer: Viewer; cookie: string } | null> {
    const viewer = await viewerOfToken(token);
    return viewer && { viewer, cookie: cookieOf(token) };
  }

  /** Ends the session these headers carry, if they carry one. */
  async function end(headers: RequestHeaders): Promise<void> {
    const token = tokenOf(headers);
    if (token === null) return;
    await queries.remove(hashToken(token));
    endedTokens.note(token, { holds: false });
  }

  /**
   * Begins a session of an account that has proved to be itself.
   * Null when the account is not to be seen: then nothing is left behind.
   */
  async function start(
    accountId: string,
    client: ClientInfo,
  ): Promise<{ viewer: Viewer; cookie: string } | null> {
    const token = randomBytes(tokenBytes).toString("base64url");
    const hash = hashToken(token);
    await queries.insert({
      id: newId(),
      token,
      token_hash: hash,
      account_id: accountId,
      ip_address: client.ip.split("%", 1)[0] ?? "",
      user_agent: printable(client.userAgent),
    });
    const viewer = await viewerOfToken(token);
    if (viewer) return { viewer, cookie: cookieOf(token) };
    await queries.remove(hash);
    return null;
  }

  /** Ends every session of an account, or every one but `except`, from its next request on. */
  async function endAll(accountId: string, { except }: { except?: string } = {}): Promise<void> {
    await queries.removeAll(accountId, except);
  }

  /** Empties the tokens that the version before looked sessions up by: it runs no more. */
  async function forgetReadableTokens(): Promise<void> {
    while ((await forgetTokens(db, atOnce)) > 0);
  }

  /** Where the account is signed in: here first, then what was last used. */
  async function list(viewer: Viewer): Promise<SessionView[]> {
    const rows = await queries.list(viewer.id, listed);
    const sessions = rows.map((row) => ({
      id: row.id,
      device: deviceOf(row.user_agent ?? ""),
      ip: row.ip_address ?? "",
      startedAt: row.created_at.getTime(),
      usedAt: row.used_at.getTime(),
      current: row.id === viewer.sessionId,
    }));
    return sessions.toSorted((one, other) => Number(other.current) - Number(one.current));
  }

  /** Ends one session of the member's own, from its next request on. Fine where it ended already. */
  async function endOne(viewer: Viewer, sessionId: string): Promise<void> {
    if (isId(sessionId)) await queries.removeOne(viewer.id, sessionId);
  }

  /** The Set-Cookie value that makes a browser forget its session. */
  const clearingCookie = writeCookie({ name, value: "", maxAge: 0, secure });

  return {
    claimsSession,
    viewerOf,
    viewerOfToken,
    reading,
    noteWrite,
    renewedCookies,
    bearerOf,
    recognisedBy,
    resume,
    start,
    list,
    end,
    endOne,
    endAll,
    forgetReadableTokens,
    clearingCookie,
  };
}

/** What a list of sessions can show, and a text column can hold. */
export function printable(userAgent: string): string {
  return userAgent.replace(/[^\u0020-\u007e]/g, "").slice(0, 400);
}
