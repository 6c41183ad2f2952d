import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readCookie, writeCookie } from "#server/features/identity/cookies.ts";

/** A browser that once signed in with an email; `nonce` is what its failures are counted by. */
type KnownDevice = { nonce: string };

/** People who share a browser; whoever used it least recently is forgotten first. */
const emailsPerDevice = 5;
/** 400 days, the most that browsers keep a cookie (RFC 6265bis, section 5.5), in seconds */
const maxAge = 34_560_000;
const nonceLength = 22;
const tagBytes = 16;

/**
 * Device cookies: somebody who tries passwords from elsewhere locks only strangers' devices out of
 * an account, never the ones its owner uses. After OWASP's "Slow Down Online Guessing Attacks with
 * Device Cookies" (owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 *
 * The cookie is a list of `nonce + tag`, one an email; the tag is a keyed hash of both, so it
 * proves that the pair was given out here and does not tell the email.
 */
export function createDevices({ secret, secure }: { secret: string; secure: boolean }) {
  const name = secure ? "__Host-postcard.device" : "postcard.device";

  function tagOf(nonce: string, email: string): Buffer {
    const tag = createHmac("sha256", secret).update(`device:${nonce}:${email}`).digest();
    return tag.subarray(0, tagBytes);
  }

  function entries(cookieHeader: string): string[] {
    const entry = new RegExp(`^[\\w-]{${nonceLength * 2}}$`);
    const value = readCookie(cookieHeader, name) ?? "";
    return value.split(".", emailsPerDevice).filter((text) => entry.test(text));
  }

  function isFor(entry: string, email: string): boolean {
    const nonce = entry.slice(0, nonceLength);
    const tag = Buffer.from(entry.slice(nonceLength), "base64url");
    return tag.length === tagBytes && timingSafeEqual(tag, tagOf(nonce, email));
  }

  /** The device, if it signed in with this email (lower case) before. */
  function find(cookieHeader: string, email: string): KnownDevice | null {
    const entry = entries(cookieHeader).find((candidate) => isFor(candidate, email));
    return entry ? { nonce: entry.slice(0, nonceLength) } : null;
  }

  /** The Set-Cookie value that makes the device known to this email, with a count of its own. */
  function remember(cookieHeader: string, email: string): string {
    const nonce = randomBytes(16).toString("base64url");
    const others = entries(cookieHeader).filter((entry) => !isFor(entry, email));
    const own = nonce + tagOf(nonce, email).toString("base64url");
    const value = [own, ...others].slice(0, emailsPerDevice).join(".");
    return writeCookie({ name, value, maxAge, secure });
  }

  return { find, remember };
}
