import { createHash, randomBytes } from "node:crypto";

/**
 * A secret for its holder to show: 256 bits, so that its SHA-256 cannot be searched, and needs no
 * salt.
 */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What the database stores of a token. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
