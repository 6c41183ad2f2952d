import { createHash, randomBytes } from "node:crypto";

/** A secret that whoever holds it shows: 256 bits, so that SHA-256 of it cannot be searched, and needs no salt. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What the database keeps of a token. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
