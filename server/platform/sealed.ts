import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
/** NIST SP 800-38D, section 8.2.2: random nonces of 96 bits. */
const nonceBytes = 12;
const tagBytes = 16;
const mark = `${cipher}.`;

export type Seal = {
  seal: (text: string, owner: string) => string;
  open: (sealed: string, owner: string) => string;
};

/**
 * Encrypts texts so that the database alone does not reveal them: AES-256-GCM with a key of its own
 * for each `purpose`, made from the installation's secret (HKDF, RFC 5869). What was sealed for one
 * `owner` opens for no other; `open` throws for that and for everything else that was not sealed
 * here.
 */
export function createSeal(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `postcard ${purpose}`, 32));

  function seal(text: string, owner: string): string {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(owner));
    const hidden = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
    return mark + Buffer.concat([nonce, hidden, sealing.getAuthTag()]).toString("base64url");
  }

  function open(sealed: string, owner: string): string {
    if (!isSealed(sealed)) throw new Error("This was not sealed here.");
    const bytes = Buffer.from(sealed.slice(mark.length), "base64url");
    const nonce = bytes.subarray(0, nonceBytes);
    const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(-tagBytes));
    const text = opening.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([text, opening.final()]).toString("utf8");
  }

  return { seal, open };
}

/** Whether a text is in the form that `seal` makes. */
export function isSealed(text: string): boolean {
  return text.startsWith(mark);
}
