import type { VariantType } from "#server/adapters/image-store/image-store.ts";

/** The first bytes of a variant, in which all its boxes begin (AVIF) or which give its length (WebP). */
export const headBytes = 4096;

/** Whether a variant is as long as its own first bytes say. */
export function isComplete(type: VariantType, head: Buffer, bytes: number): boolean {
  return type === "avif" ? avifEnds(head, bytes) : webpBytes(head) === bytes;
}

/** The length of a WebP file by its own header (RIFF, then the length of what follows); else null. */
function webpBytes(head: Buffer): number | null {
  if (head.length < 12) return null;
  const isWebp =
    head.toString("latin1", 0, 4) === "RIFF" && head.toString("latin1", 8, 12) === "WEBP";
  return isWebp ? head.readUInt32LE(4) + 8 : null;
}

/** The boxes of an AVIF (ISO/IEC 14496-12, section 4.2) end where the file does. */
function avifEnds(head: Buffer, bytes: number): boolean {
  if (head.length < 8 || head.toString("latin1", 4, 8) !== "ftyp") return false;
  let end = 0;
  while (end + 8 <= head.length) {
    const length = head.readUInt32BE(end);
    if (length < 8) return false;
    end += length;
  }
  return end === bytes;
}
