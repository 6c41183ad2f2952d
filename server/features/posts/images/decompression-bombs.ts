import { readFile } from "node:fs/promises";
import { heifDecodingCost } from "#server/features/posts/images/heif-decoding-cost.ts";
import type { ImageType } from "#server/features/posts/images/image-type.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

/** How much there is to decode besides an image's own pixels. */
export type DecodingCost = {
  /** how often a decoder passes over the image */
  passes: number;
  /** pixels of all the tiles it is put together from */
  tiles: number;
};

const once: DecodingCost = { passes: 1, tiles: 0 };
const { decoding, moving } = limits;

/**
 * Refuses files that would keep a decoder busy with few pixels and bytes, before a decoder sees them:
 * endless animations, JPEGs of many scans, tiles without end. Each is counted by walking over the blocks of
 * the file; the decoder itself limits similar content in a PNG. Broken files are left for the decoder to
 * refuse.
 */
export async function refuseBombs(path: string, type: ImageType): Promise<DecodingCost> {
  const file = await readFile(path);
  if (type === "gif") return refuseFrames(gifFrames(file, moving.mostFrames));
  if (type === "webp") return refuseFrames(webpFrames(file, moving.mostFrames));
  if (type === "jpeg") return refuseScans(jpegScans(file, decoding.jpegScans));
  return type === "png" ? once : refuseTiles(file);
}

function refuseFrames(frames: number): DecodingCost {
  if (frames <= moving.mostFrames) return once;
  throw refuse("picture-too-large", {
    message: `This picture has more than ${moving.mostFrames.toLocaleString("en")} frames. Choose a shorter one.`,
  });
}

function refuseScans(scans: number): DecodingCost {
  if (scans <= decoding.jpegScans) return { passes: Math.max(1, scans), tiles: 0 };
  throw refuse("picture-too-complex", {
    message: `This JPEG has more than ${decoding.jpegScans} scans. Save it again as an ordinary JPEG, or choose another picture.`,
  });
}

function refuseTiles(file: Buffer): DecodingCost {
  const { frames, pixels, bytes } = heifDecodingCost(file);
  refuseFrames(frames);
  // Where each byte is read once, there are no more than in the file.
  const tooMuch = pixels > decoding.tilePixels || bytes > 2 * file.length;
  if (tooMuch) throw refuse("picture-too-complex");
  return { passes: 1, tiles: pixels };
}

/** Bytes of a colour table, by the flags that say whether there is one. */
const tableBytes = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Image descriptors of a GIF, counted to `most` + 1 (GIF89a specification, appendix B). */
function gifFrames(file: Buffer, most: number): number {
  let frames = 0;
  let at = 13 + tableBytes(file[10]);
  while (at < file.length && frames <= most) {
    if (file[at] === 0x2c) {
      frames += 1;
      // its descriptor, its colours, and the size of its codes
      at += 10 + tableBytes(file[at + 9]) + 1;
    } else if (file[at] === 0x21) at += 2;
    else {
      at += 1;
      continue;
    }
    for (let bytes = file[at]; bytes; bytes = file[at]) at += bytes + 1;
    at += 1;
  }
  return frames;
}

/** ANMF chunks of a WebP, counted to `most` + 1 (RFC 9649, section 2.7). */
function webpFrames(file: Buffer, most: number): number {
  let frames = 0;
  for (let at = 12; at + 8 <= file.length && frames <= most;) {
    if (file.toString("latin1", at, at + 4) === "ANMF") frames += 1;
    const bytes = file.readUInt32LE(at + 4);
    at += 8 + bytes + (bytes % 2);
  }
  return frames;
}

/**
 * Scans of a JPEG up to its end, counted to `most` + 1 (ITU-T T.81, annex B): a decoder passes over the
 * whole image for each, even an empty one. What comes after its end, as a gain map does, is not part of it.
 */
function jpegScans(file: Buffer, most: number): number {
  let scans = 0;
  let at = 2;
  while (scans <= most) {
    at = file.indexOf(0xff, at);
    if (at < 0) return scans;
    while (file[at] === 0xff) at += 1;
    const marker = file[at] ?? endOfImage;
    if (marker === endOfImage) return scans;
    at += 1;
    // 0xff bytes in the data, standalone markers and invalid ones: a decoder that misses a restart may skip
    // such a marker, whatever length seems to follow.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) continue;
    if (marker === startOfScan) scans += 1;
    at += at + 2 <= file.length ? file.readUInt16BE(at) : 2;
  }
  return scans;
}

const [startOfScan, endOfImage] = [0xda, 0xd9];
