import type { Database } from "#server/platform/db/database.ts";
import { ownCookie } from "#server/features/identity/cookies.ts";
import * as queries from "#server/features/identity/passkeys/passkeys.queries.ts";
import { hashToken, newToken } from "#server/platform/tokens.ts";

/** Seconds for unlocking an authenticator. */
const lifetime = 5 * 60;

/** What a browser has to sign: each works once, and only in the browser that asked for it. */
export function createChallenges({ db, secure }: { db: Database; secure: boolean }) {
  const cookie = ownCookie("passkey", secure);

  /**
   * `accountId`: the account that gets the passkey; null for a sign-in. Answers the Set-Cookie
   * value.
   */
  async function keep(challenge: string, accountId: string | null): Promise<string> {
    const token = newToken();
    await queries.insertChallenge(
      db,
      { tokenHash: hashToken(token), accountId, challenge },
      lifetime,
    );
    return cookie.write(token, lifetime);
  }

  /** Takes the challenge that this browser got for the same purpose; from now on it has none. */
  async function take(cookieHeader: string, accountId: string | null): Promise<string | null> {
    // The version before migration 0086 wrote a signature behind a dot.
    const [token = ""] = (cookie.read(cookieHeader) ?? "").split(".", 1);
    if (token === "") return null;
    const taken = await queries.takeChallenge(db, hashToken(token));
    return taken?.accountId === accountId ? taken.challenge : null;
  }

  return { keep, take };
}
