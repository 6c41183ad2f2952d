import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Seconds a code is shown (RFC 6238, section 5.2): the standard of authenticator apps. */
const period = 30;
const digits = 6;
/**
 * Codes of the step before and the step after are accepted too: clocks differ, and typing takes
 * time.
 */
const skew = [0, -1, 1];
/** 160 bits (RFC 4226, section 4, requirement 6). */
const secretBytes = 20;

/** A secret for an authenticator app: the key is its characters, not the bytes they were made from. */
export function newTotpSecret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

/**
 * The content of the QR code: `otpauth://totp/…`, with the account's email as its name in the app
 * (github.com/google/google-authenticator/wiki/Key-Uri-Format).
 */
export function totpUri(secret: string, email: string): string {
  const parameters = new URLSearchParams({
    secret: base32(Buffer.from(secret)),
    issuer: "Postcard",
    digits: String(digits),
    period: String(period),
  });
  return `otpauth://totp/Postcard:${encodeURIComponent(email)}?${parameters}`;
}

/** The code of a step of 30 seconds since 1970: HOTP (RFC 4226, section 5.3) with SHA-1. */
function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The step of 30 seconds whose code this is, at `now` (epoch ms); null when it is of none. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const given = Buffer.from(code);
  const present = Math.floor(now / (period * 1000));
  let found: number | null = null;
  for (const offset of skew) {
    const right = Buffer.from(codeOfStep(secret, present + offset));
    if (given.length === right.length && timingSafeEqual(given, right)) found ??= present + offset;
  }
  return found;
}

/** RFC 4648, section 6, without padding. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}
