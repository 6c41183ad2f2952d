import { timingSafeEqual } from "node:crypto";
import { createOTP } from "@better-auth/utils/otp";
import { generateRandomString } from "better-auth/crypto";

/** Seconds a code stands (RFC 6238, section 5.2): what authenticator apps take for granted. */
const period = 30;
/** Codes of the step before and the step after are taken too: clocks differ, and typing takes time. */
const skew = [0, -1, 1];
/** Characters of 6 bits each: 160 bits and a little (RFC 4226, section 4, requirement 6). */
const secretLength = 27;

/** A secret for an authenticator app. */
export function newTotpSecret(): string {
  return generateRandomString(secretLength);
}

/** What the QR code says: `otpauth://totp/…`, with the account's email as its name in the app. */
export function totpUri(secret: string, email: string): string {
  return createOTP(secret, { period }).url("Postcard", email);
}

/** The step of 30 seconds whose code this is, at `now` (epoch ms); null when it is none's. */
export async function stepOfCode(
  secret: string,
  code: string,
  now: number,
): Promise<number | null> {
  const given = Buffer.from(code);
  const present = Math.floor(now / (period * 1000));
  let found: number | null = null;
  for (const offset of skew) {
    const right = Buffer.from(await createOTP(secret).hotp(present + offset));
    if (given.length === right.length && timingSafeEqual(given, right)) found ??= present + offset;
  }
  return found;
}
