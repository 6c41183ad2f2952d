import type { Database } from "#server/platform/db/database.ts";
import { ownCookie } from "#server/features/identity/cookies.ts";
import * as queries from "#server/features/identity/pending-sign-ins.queries.ts";
import { hashToken, newToken } from "#server/platform/tokens.ts";

/** Seconds for entering the code. */
const lifetime = 10 * 60;

/** Sign-ins that were right so far and still need the second factor, each bound to its browser. */
export function createPendingSignIns({ db, secure }: { db: Database; secure: boolean }) {
  const cookie = ownCookie("pending", secure);

  function hashOf(cookieHeader: string): string | null {
    const token = cookie.read(cookieHeader);
    return token ? hash(token) : null;
  }

  /** The Set-Cookie value with which the browser may send the code. */
  async function begin(accountId: string): Promise<string> {
    const token = newToken();
    await queries.insertPending(db, { tokenHash: hash(token), accountId, lifetime });
    return cookie.write(token, lifetime);
  }

  async function find(cookieHeader: string) {
    const tokenHash = hashOf(cookieHeader);
    return tokenHash === null ? null : queries.findPending(db, tokenHash);
  }

  /** Ends it for good; false when it had ended already. */
  async function take(cookieHeader: string): Promise<boolean> {
    const tokenHash = hashOf(cookieHeader);
    return tokenHash !== null && queries.takePending(db, tokenHash);
  }

  return { begin, find, take, clearingCookie: cookie.clearing };
}

function hash(token: string): string {
  return hashToken(token).toString("base64url");
}
