import { createHmac, timingSafeEqual } from "node:crypto";
import { isId } from "#server/platform/db/ids.ts";
import { ownCookie } from "#server/features/identity/cookies.ts";

/** How long the cookie is valid, seconds. */
const holdsFor = 30 * 60;

type Deps<Found> = {
  secret: string;
  secure: boolean;
  /** of the cookie */
  name: string;
  /** its only purpose */
  purpose: string;
  /** null where an account gets no such cookie */
  find: (accountId: string) => Promise<Found | null>;
};

/**
 * A signed cookie for the proven owner of an account that gets no session: for one purpose, for
 * half an hour.
 */
export function signedCookie<Found>({ secret, secure, name, purpose, find }: Deps<Found>) {
  const own = ownCookie(name, secure);

  function sign(text: string): string {
    return createHmac("sha256", secret).update(`${purpose}:${text}`).digest("base64url");
  }

  function cookieFor(accountId: string): string {
    const text = `${accountId}.${Date.now() + holdsFor * 1000}`;
    return own.write(`${text}.${sign(text)}`, holdsFor);
  }

  /** For the proven owner of the account; null when there is nothing to offer. */
  async function make(accountId: string): Promise<{ cookies: string[] } | null> {
    return (await find(accountId)) && { cookies: [cookieFor(accountId)] };
  }

  /** The account that this browser's user proved to own. */
  async function of({ cookie }: { cookie?: string | undefined }): Promise<Found | null> {
    const accountId = accountOf(cookie);
    return accountId === null ? null : find(accountId);
  }

  function accountOf(cookie: string | undefined): string | null {
    const value = own.read(cookie);
    if (value === null) return null;
    const [accountId = "", until = "", signature = ""] = value.split(".");
    const right = Buffer.from(sign(`${accountId}.${until}`));
    const given = Buffer.from(signature);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
    return isId(accountId) && Number(until) >= Date.now() ? accountId : null;
  }

  return { make, of, forget: own.clearing };
}
