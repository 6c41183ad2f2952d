import { createHash, randomBytes } from "node:crypto";
import type { Database } from "#server/db/database.ts";
import { readCookie, writeCookie } from "#server/features/identity/cookies.ts";
import {
  insertChallenge,
  takeChallenge,
} from "#server/features/identity/passkeys/passkeys.queries.ts";

/** Seconds somebody has to unlock an authenticator. */
const lifetime = 5 * 60;
const tokenBytes = 32;

/** What a browser has to sign: each counts once, and only in the browser that asked for it. */
export function createChallenges({ db, secure }: { db: Database; secure: boolean }) {
  const name = secure ? "__Host-postcard.passkey" : "postcard.passkey";

  /** `accountId`: whose passkey is to be made; null for a sign-in. Answers the Set-Cookie value. */
  async function keep(challenge: string, accountId: string | null): Promise<string> {
    const token = randomBytes(tokenBytes).toString("base64url");
    await insertChallenge(db, { tokenHash: hash(token), accountId, challenge }, lifetime);
    return writeCookie({ name, value: token, maxAge: lifetime, secure });
  }

  /** The challenge that this browser was given for the same; from now on it has none. */
  async function take(cookieHeader: string, accountId: string | null): Promise<string | null> {
    // The version before 0086 wrote a signature behind a dot.
    const [token = ""] = (readCookie(cookieHeader, name) ?? "").split(".", 1);
    if (token === "") return null;
    const taken = await takeChallenge(db, hash(token));
    return taken?.accountId === accountId ? taken.challenge : null;
  }

  return { keep, take };
}

function hash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
