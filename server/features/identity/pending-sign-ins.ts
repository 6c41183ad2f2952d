import { createHash, randomBytes } from "node:crypto";
import type { Database } from "#server/db/database.ts";
import { readCookie, writeCookie } from "#server/features/identity/cookies.ts";
import {
  findPending,
  insertPending,
  takePending,
} from "#server/features/identity/pending-sign-ins.queries.ts";

/** Seconds somebody has to find the phone. */
const lifetime = 10 * 60;
const tokenBytes = 24;

/** Sign-ins that were right so far and still owe the second factor, each bound to its browser. */
export function createPendingSignIns({ db, secure }: { db: Database; secure: boolean }) {
  const name = secure ? "__Host-postcard.pending" : "postcard.pending";

  function hashOf(cookieHeader: string): string | null {
    const token = readCookie(cookieHeader, name);
    return token ? hash(token) : null;
  }

  /** The Set-Cookie value with which the browser may bring the code. */
  async function begin(accountId: string): Promise<string> {
    const token = randomBytes(tokenBytes).toString("base64url");
    await insertPending(db, { tokenHash: hash(token), accountId, lifetime });
    return writeCookie({ name, value: token, maxAge: lifetime, secure });
  }

  async function find(cookieHeader: string) {
    const tokenHash = hashOf(cookieHeader);
    return tokenHash === null ? null : findPending(db, tokenHash);
  }

  /** Ends it for good; false when it was over already. */
  async function take(cookieHeader: string): Promise<boolean> {
    const tokenHash = hashOf(cookieHeader);
    return tokenHash !== null && takePending(db, tokenHash);
  }

  const clearingCookie = writeCookie({ name, value: "", maxAge: 0, secure });

  return { begin, find, take, clearingCookie };
}

function hash(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
