import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

const nonceBytes = 24;
const tagBytes = 16;

/**
 * What better-auth sealed with `secret` for a version of this product before migration 0086:
 * hexadecimal, the key SHA-256 of the secret. Nothing is sealed that way any more. Throws where it
 * was sealed with another secret.
 */
export function openFormerSeal(secret: string, sealed: string): string {
  const key = createHash("sha256").update(secret).digest();
  return openXChaCha20Poly1305({ key, sealed: Buffer.from(sealed, "hex") }).toString("utf8");
}

type Sealed = { key: Buffer; sealed: Buffer; authenticated?: Buffer };

/**
 * draft-irtf-cfrg-xchacha-03, section 2, by Node's ChaCha20-Poly1305 under a key only for this
 * nonce. `sealed`: nonce, text, tag. `authenticated`: unencrypted data, empty in our seals.
 */
export function openXChaCha20Poly1305({ key, sealed, authenticated }: Sealed): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const subkey = hChaCha20(key, nonce.subarray(0, 16));
  const rest = Buffer.concat([Buffer.alloc(4), nonce.subarray(16)]);
  const opening = createDecipheriv("chacha20-poly1305", subkey, rest, { authTagLength: tagBytes })
    .setAAD(authenticated ?? Buffer.alloc(0))
    .setAuthTag(sealed.subarray(-tagBytes));
  const text = opening.update(sealed.subarray(nonceBytes, -tagBytes));
  return Buffer.concat([text, opening.final()]);
}

/**
 * The one step that Node's crypto lacks (section 2.2): the first and the last row of the state
 * after the rounds of ChaCha20. A block of its stream is that state plus the initial one, which is
 * subtracted here.
 */
function hChaCha20(key: Buffer, nonce: Buffer): Buffer {
  const block = createCipheriv("chacha20", key, nonce).update(Buffer.alloc(64));
  const before = Buffer.concat([Buffer.from("expand 32-byte k"), key, nonce]);
  const subkey = Buffer.alloc(32);
  for (const [word, at] of [0, 4, 8, 12, 48, 52, 56, 60].entries()) {
    const difference = block.readUInt32LE(at) - before.readUInt32LE(at);
    subkey.writeUInt32LE(difference >>> 0, word * 4);
  }
  return subkey;
}
