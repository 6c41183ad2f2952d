import { readBytes } from "#app/features/archive/device/parts.ts";

/** Cameras write a few kilobytes; nothing beyond is read or changed. */
const mostOfBlock = 128 * 1024;
/** Bytes that are searched at once, as text; what is found may reach into the next ones. */
const [piece, overlap] = [1024 * 1024, 1024];
/** Entries of a directory; bytes of one value of it. */
const most = { entries: 256, value: 256 };
/** The tag of the place in the first directory of a photo (EXIF 2.32, section 4.6.3). */
const placeTag = 0x88_25;
/** Bytes of one value by its type (section 4.6.2). */
const sizes: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 };

/** What is before a block: in JPEG and HEIC, and in WebP a chunk's name and size. */
const blockStart = /(?:Exif\0\0|EXIF[^]{4})(?=II\*\0|MM\0\*)/g;
/** The same in XMP, as an attribute or an element (Adobe XMP part 2, section 2.5). */
const inXmp = /exif:GPS\w{1,30}(?:="[^"<>]{0,200}(?=")|>[^"<>]{0,200}(?=<))/g;

/**
 * A copy of a photo that does not say where it was taken, of the same size: bytes are overwritten where they are, and
 * everything else of it stays. PNG is left alone, since it has checksums; the server forgets what it says.
 */
export async function withoutPlace(photo: Blob): Promise<Blob> {
  const bytes = await readBytes(photo);
  if (bytes[0] === 0x89) return photo;
  for (let from = 0; from < bytes.length; from += piece) {
    // Every byte as a character.
    const text = new TextDecoder("latin1").decode(bytes.subarray(from, from + piece + overlap));
    for (const { 0: before, index } of text.matchAll(blockStart)) {
      const start = from + index + before.length;
      clearBlock(bytes.subarray(start, start + mostOfBlock));
    }
    for (const { 0: said, index } of text.matchAll(inXmp)) {
      const start = from + index;
      bytes.fill(0x20, start + said.search(/[">]/) + 1, start + said.length);
    }
  }
  return new Blob([bytes], { type: photo.type });
}

/** Of a block in TIFF's layout; one that is broken is left as it is. */
function clearBlock(block: Uint8Array): void {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const little = view.getUint16(0) === 0x49_49;
  try {
    for (const at of entriesOf(view, view.getUint32(4, little), little)) {
      if (view.getUint16(at, little) === placeTag)
        clearDirectory(block, view, view.getUint32(at + 8, little), little);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/** Empties a directory, and what its entries lead to. */
function clearDirectory(block: Uint8Array, view: DataView, start: number, little: boolean): void {
  const entries = entriesOf(view, start, little);
  for (const at of entries) {
    const bytes = (sizes[view.getUint16(at + 2, little)] ?? 0) * view.getUint32(at + 4, little);
    const where = view.getUint32(at + 8, little);
    if (bytes > 4 && bytes <= most.value) block.fill(0, where, where + bytes);
    block.fill(0, at, at + 12);
  }
  view.setUint16(start, 0);
}

/** Where the entries of a directory begin. */
function entriesOf(view: DataView, start: number, little: boolean): number[] {
  const count = Math.min(view.getUint16(start, little), most.entries);
  return Array.from({ length: count }, (_, nth) => start + 2 + nth * 12);
}
