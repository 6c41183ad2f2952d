import { createHmac, timingSafeEqual } from "node:crypto";
import { isId } from "#server/db/ids.ts";
import { ownCookie } from "#server/features/identity/cookies.ts";

/** How long somebody who signed in may think about it, seconds. */
const holdsFor = 30 * 60;

type Deps = {
  secret: string;
  secure: boolean;
  /** of the cookie */
  name: string;
  /** what it is good for, and nothing else */
  purpose: string;
};

/**
 * A signed cookie for somebody who proved to be an account that gets no session: it is good for one
 * purpose, for half an hour.
 */
export function signedOffer({ secret, secure, name, purpose }: Deps) {
  const own = ownCookie(name, secure);

  function sign(text: string): string {
    return createHmac("sha256", secret).update(`${purpose}:${text}`).digest("base64url");
  }

  function cookieFor(accountId: string): string {
    const text = `${accountId}.${Date.now() + holdsFor * 1000}`;
    return own.write(`${text}.${sign(text)}`, holdsFor);
  }

  /** The account that a browser's Cookie header brings an offer for. */
  function accountOf(cookie: string | undefined): string | null {
    const value = own.read(cookie);
    if (value === null) return null;
    const [accountId = "", until = "", signature = ""] = value.split(".");
    const right = Buffer.from(sign(`${accountId}.${until}`));
    const given = Buffer.from(signature);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
    return isId(accountId) && Number(until) >= Date.now() ? accountId : null;
  }

  return { cookieFor, accountOf, forget: own.clearing };
}
