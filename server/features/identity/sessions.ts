import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId } from "#server/platform/db/ids.ts";
import type { ClientInfo, RequestHeaders } from "#server/features/types.ts";
import { createEndedTokens } from "#server/features/identity/ended-tokens.ts";
import {
  claimsSession,
  createAuthentication,
  type SessionDeps,
} from "#server/features/identity/authentication.ts";
import { createSessionTokens } from "#server/features/identity/session-tokens.ts";
import * as queries from "#server/features/identity/sessions.queries.ts";
import { hashToken, newToken } from "#server/platform/tokens.ts";
import { deviceOf } from "#server/features/identity/user-agent.ts";
import type { SessionView, Viewer } from "#shared/views.ts";

/** More than anybody has; those beyond are the longest unused. */
const listed = 100;
/** Tokens that are emptied in one statement. */
const atOnce = 1000;

type Deps = {
  db: Database;
  secret: string;
  secure: boolean;
  log: Pick<Logger, "error">;
};

/** The member of a request: our own look-up, one prepared statement, for every page and call. */
export function createSessions({ db, secret, secure, log }: Deps) {
  const tokens = createSessionTokens({ secret, secure });
  const parts = { db, log, tokens, endedTokens: createEndedTokens() };
  const authentication = createAuthentication(parts);
  const { viewerOfToken, recognisedBy } = authentication;

  /** `unread`: with how much is unread, as pages show it */
  async function viewerOf(
    headers: RequestHeaders,
    asked?: { unread: boolean },
  ): Promise<Viewer | null> {
    const token = tokens.tokenOf(headers);
    return token === null ? null : viewerOfToken(token, asked);
  }

  /** The member of a session's token and the Set-Cookie value that puts a browser into it. */
  async function resume(token: string): Promise<{ viewer: Viewer; cookie: string } | null> {
    const viewer = await viewerOfToken(token);
    return viewer && { viewer, cookie: tokens.cookieOf(token) };
  }

  /**
   * Begins a session of an account that has proved to be itself. Null when the account may not be
   * seen: then nothing is stored.
   */
  async function start(
    accountId: string,
    client: ClientInfo,
  ): Promise<{ viewer: Viewer; cookie: string } | null> {
    const token = await insertSession(db, accountId, client);
    const resumed = await resume(token);
    if (!resumed) await queries.removeSession(db, hashToken(token));
    return resumed;
  }

  return {
    ...authentication,
    ...ending(parts),
    viewerOf,
    resume,
    start,
    claimsSession: (headers: RequestHeaders) => claimsSession(parts, headers),
    /** The hash of the token that these headers carry, of a session that holds or not. */
    tokenHashIn: (headers: RequestHeaders): Buffer | null => {
      const token = tokens.tokenOf(headers);
      return token === null ? null : hashToken(token);
    },
    list: (viewer: Viewer) => list(db, viewer),
    /** What a program sends as `Authorization: Bearer` to use this member's session. */
    bearerOf: (viewer: Viewer) => tokens.bearerOf(recognisedBy(viewer)),
    clearingCookie: tokens.clearingCookie,
  };
}

/** The token of a new session. */
async function insertSession(db: Database, accountId: string, client: ClientInfo): Promise<string> {
  const token = newToken();
  await queries.insertSession(db, {
    id: newId(),
    token,
    token_hash: hashToken(token),
    account_id: accountId,
    ip_address: client.ip.split("%", 1)[0] ?? "",
    user_agent: printable(client.userAgent),
  });
  return token;
}

/** The account's sessions: the current first, then the last used. */
async function list(db: Database, viewer: Viewer): Promise<SessionView[]> {
  const rows = await queries.listSessions(db, viewer.id, listed);
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

function ending({ db, tokens, endedTokens }: SessionDeps) {
  return {
    /** Ends the session these headers carry, if they carry one. */
    end: async (headers: RequestHeaders): Promise<void> => {
      const token = tokens.tokenOf(headers);
      if (token === null) return;
      await queries.removeSession(db, hashToken(token));
      endedTokens.note(token, { holds: false });
    },

    /**
     * Ends one session of the member's own, from its next request on. Does nothing where it ended
     * already.
     */
    endOne: async (viewer: Viewer, sessionId: string): Promise<void> => {
      if (isId(sessionId)) await queries.removeOne(db, viewer.id, sessionId);
    },

    /** Ends every session of an account, or every one but `except`, from its next request on. */
    endAll: async (accountId: string, { except }: { except?: string } = {}): Promise<void> => {
      await queries.removeAll(db, accountId, except);
    },

    /** Empties the tokens that the previous version looked sessions up by: it runs no more. */
    forgetReadableTokens: async (): Promise<void> => {
      while ((await queries.forgetReadableTokens(db, atOnce)) > 0);
    },
  };
}

/** The part that a list of sessions can show, and a text column can store. */
export function printable(userAgent: string): string {
  return userAgent.replace(/[^\u0020-\u007e]/g, "").slice(0, 400);
}
