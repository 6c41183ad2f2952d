import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "#server/platform/db/database.ts";
import { ownCookie } from "#server/features/identity/cookies.ts";
import * as queries from "#server/features/identity/credentials.queries.ts";

/** Accounts that share a browser; the least recently used is dropped first. */
const emailsPerDevice = 5;
/** 400 days, the longest that browsers store a cookie (RFC 6265bis, section 5.5), in seconds */
const maxAge = 34_560_000;
const nonceLength = 22;
const tagBytes = 16;

type Deps = { db: Database; secret: string; secure: boolean };

/**
 * Device cookies: somebody who tries passwords from elsewhere locks only strangers' devices out of
 * an account, never the ones its owner uses. After OWASP's "Slow Down Online Guessing Attacks with
 * Device Cookies" (owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 *
 * The cookie is a list of `nonce + tag`, one an email; the tag is a keyed hash of the nonce, the
 * email and when the credentials last changed, so it proves that the pair was issued here for the current credentials, and does not reveal the email.
 */
export function createDevices({ db, secret, secure }: Deps) {
  const cookie = ownCookie("device", secure);

  function tagOf(nonce: string, email: string, epoch: string): Buffer {
    const text = `device:${nonce}:${email}:${epoch}`;
    return createHmac("sha256", secret).update(text).digest().subarray(0, tagBytes);
  }

  function entries(cookieHeader: string): string[] {
    const entry = new RegExp(`^[\\w-]{${nonceLength * 2}}$`);
    const value = cookie.read(cookieHeader) ?? "";
    return value.split(".", emailsPerDevice).filter((text) => entry.test(text));
  }

  function isFor(entry: string, email: string, epoch: string): boolean {
    const nonce = entry.slice(0, nonceLength);
    const tag = Buffer.from(entry.slice(nonceLength), "base64url");
    return tag.length === tagBytes && timingSafeEqual(tag, tagOf(nonce, email, epoch));
  }

  /** Whether the device signed in with this email (lower case) since its credentials last changed. */
  async function knows(cookieHeader: string, email: string): Promise<boolean> {
    const brought = entries(cookieHeader);
    if (brought.length === 0) return false;
    const epoch = await queries.readCredentialsEpoch(db, email);
    return epoch !== null && brought.some((entry) => isFor(entry, email, epoch));
  }

  /** The Set-Cookie value that makes the device known to the account with this email. */
  async function remember(cookieHeader: string, email: string): Promise<string> {
    const epoch = (await queries.readCredentialsEpoch(db, email)) ?? "";
    const nonce = randomBytes(16).toString("base64url");
    const others = entries(cookieHeader).filter((entry) => !isFor(entry, email, epoch));
    const own = nonce + tagOf(nonce, email, epoch).toString("base64url");
    const value = [own, ...others].slice(0, emailsPerDevice).join(".");
    return cookie.write(value, maxAge);
  }

  /** Makes every device unknown to the account, until somebody signs in on it again. */
  async function forget(accountId: string): Promise<void> {
    await queries.renewCredentialsEpoch(db, accountId);
  }

  return { knows, remember, forget };
}
