/** The remainders of every byte (APPNOTE 4.4.7: the polynomial of Ethernet). */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** Goes on with the checksum that zips have of their files; it begins with 0. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let rest = ~before;
  for (let at = 0; at < bytes.length; at += 1)
    rest = (table[(rest ^ (bytes[at] as number)) & 0xff] as number) ^ (rest >>> 8);
  return ~rest >>> 0;
}
