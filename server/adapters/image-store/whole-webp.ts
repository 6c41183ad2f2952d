/** What of a WebP file says how long it is, bytes. */
export const webpHeadBytes = 12;

/** The length of a WebP file by its own header (RIFF, then the length of what follows); else null. */
export function webpBytes(head: Buffer): number | null {
  const isWebp =
    head.toString("latin1", 0, 4) === "RIFF" && head.toString("latin1", 8, 12) === "WEBP";
  return isWebp ? head.readUInt32LE(4) + 8 : null;
}
