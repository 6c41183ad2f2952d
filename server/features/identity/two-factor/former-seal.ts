import { createHash } from "node:crypto";
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";

/** Of XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha, section 2). */
const nonceBytes = 24;

/**
 * What better-auth sealed with `secret` for a version of this product before migration 0086: hexadecimal,
 * the nonce in front, the key SHA-256 of the secret. Node's crypto lacks this cipher, so a library opens
 * it; nothing is sealed with it any more. Throws where it was sealed with another secret.
 */
export function openFormerSeal(secret: string, sealed: string): string {
  const key = createHash("sha256").update(secret).digest();
  const bytes = Buffer.from(sealed, "hex");
  const cipher = xchacha20poly1305(key, bytes.subarray(0, nonceBytes));
  return Buffer.from(cipher.decrypt(bytes.subarray(nonceBytes))).toString("utf8");
}
