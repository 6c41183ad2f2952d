import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import type { Lsn } from "#server/platform/db/replica.ts";
import { backgroundWriter } from "#server/features/identity/background-writer.ts";
import type { createEndedTokens } from "#server/features/identity/ended-tokens.ts";
import type { SessionTokens } from "#server/features/identity/session-tokens.ts";
import * as queries from "#server/features/identity/sessions.queries.ts";
import { hashToken } from "#server/platform/tokens.ts";
import type { RequestHeaders } from "#server/features/types.ts";
import type { Viewer } from "#shared/views.ts";

export type SessionDeps = {
  db: Database;
  log: Pick<Logger, "error">;
  tokens: SessionTokens;
  endedTokens: ReturnType<typeof createEndedTokens>;
};

/** The members that tokens belong to, and what their look-up found. */
export function createAuthentication({ db, log, tokens, endedTokens }: SessionDeps) {
  /** Members whose cookie must be sent again because their session was extended. */
  const prolonged = new WeakMap<Viewer, string>();
  /** The log position that a replica must have reached before they read from it. */
  const readAfter = new WeakMap<Viewer, Lsn>();
  /** The token of each of them. */
  const recognised = new WeakMap<Viewer, string>();
  const writeUse = backgroundWriter(log, "the use of a session could not be written");

  /** The member of a token; a visitor (null) when it ended, or the account may not be seen. */
  async function viewerOfToken(token: string, asked = { unread: false }): Promise<Viewer | null> {
    const hash = hashToken(token);
    const row = await queries.readSession(db, hash, asked);
    endedTokens.note(token, { holds: row !== null });
    if (!row) return null;
    const viewer = { ...row.account, ...row.own, ...row.unread, sessionId: row.session_id };
    recognised.set(viewer, token);
    if (row.read_after) readAfter.set(viewer, row.read_after);
    if (row.ageing) prolonged.set(viewer, tokens.cookieOf(token));
    if (row.ageing) writeUse(row.session_id, () => queries.prolong(db, hash));
    else if (row.use_unnoted) writeUse(row.session_id, () => queries.noteUse(db, hash));
    return viewer;
  }

  /**
   * Runs a request's work: reads may go to a replica that has this viewer's writes, and those that
   * everybody must see at once.
   */
  function reading<T>(viewer: Viewer | null, work: () => Promise<T>): Promise<T> {
    const after = async () =>
      viewer ? (readAfter.get(viewer) ?? null) : queries.visitorsReadAfter(db);
    return db.reading(after, work);
  }

  /**
   * After a request that may have written, before it is answered: its member's reads include it
   * from then on.
   */
  async function noteWrite(viewer: Viewer | null): Promise<void> {
    if (!db.hasReplica || !viewer) return;
    await queries.noteWrite(db, viewer.id).catch((error: unknown) => {
      log.error({ err: error }, "a member may not see for some seconds what they wrote");
    });
  }

  /** Set-Cookie values that a page shown to this member sends along, at most once a day. */
  function renewedCookies(viewer: Viewer | null): string[] {
    const cookie = viewer ? prolonged.get(viewer) : undefined;
    return cookie ? [cookie] : [];
  }

  /** The token of a member: it is stored in no table. */
  function recognisedBy(viewer: Viewer): string {
    const token = recognised.get(viewer);
    if (token === undefined) throw new Error("this member was not found by a session");
    return token;
  }

  return { viewerOfToken, reading, noteWrite, renewedCookies, recognisedBy };
}

/**
 * Whether a request has a token that we signed and that this process never found ended. No query: a
 * session that ended elsewhere counts until one request with its token was served here.
 */
export function claimsSession(
  { tokens, endedTokens }: SessionDeps,
  headers: RequestHeaders,
): boolean {
  const token = tokens.tokenOf(headers);
  return token !== null && !endedTokens.has(token);
}
