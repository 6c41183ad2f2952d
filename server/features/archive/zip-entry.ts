import type { Entry } from "yauzl";

/** Unix file types in the upper half of an entry's attributes (APPNOTE 4.4.15). */
const fileTypes = { mask: 0o170000, regular: 0o100000, folder: 0o040000, none: 0 };
/** Why no zip with this entry is read; null where it may be. */
export function entryProblem(entry: Entry): string | null {
  const name = shown(entry.fileName);
  if (entry.isEncrypted()) return `${name} in this archive is encrypted.`;
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    return `${name} in this archive is compressed in a way we don't support.`;
  }
  const type = (entry.externalFileAttributes >>> 16) & fileTypes.mask;
  const { regular, folder, none } = fileTypes;
  if (![regular, folder, none].includes(type)) {
    return `${name} in this archive is a link or a device, not a file.`;
  }
  return null;
}

/** A file name from a stranger, made safe for a sentence. */
export function shown(name: string): string {
  const plain = name.replace(/\p{Cc}|\p{Cf}/gu, "");
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain;
}
