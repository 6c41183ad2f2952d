import { createHash, randomBytes } from "node:crypto";

/**
 * A secret for its holder to show: 256 bits, or as many as `bytes` says, so that its SHA-256 cannot be searched, and
 * needs no salt.
 */
export function newToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}

/** What the database stores of a token. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
