import { open } from "node:fs/promises";
import { refuse, type Refusal } from "#shared/errors.ts";

const mediaTypes = {
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  heic: "image/heic",
} as const;

export type ImageType = keyof typeof mediaTypes;
export type MediaType = (typeof mediaTypes)[ImageType];

export const mediaTypeOf = (type: ImageType): MediaType => mediaTypes[type];

/** Bytes at the beginning that identify the type; an AVIF names its brands within them. */
const headBytes = 4100;

/** Brands of ISO/IEC 23008-12 files: still and moving images in HEVC. */
const heicBrands = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]);
/** Brands that say "an image file" and leave the codec to the other brands. */
const openBrands = new Set(["mif1", "msf1", "miaf"]);

/**
 * The type of a file by its first bytes; its name and declared type are ignored.
 *
 * Throws refuse("picture-unreadable") for an empty file, and refuse("picture-type") for every other type.
 */
export async function readImageType(path: string): Promise<ImageType> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const type = imageTypeOf(buffer.subarray(0, bytesRead));
    if (typeof type !== "string") throw type;
    return type;
  } finally {
    await file.close();
  }
}

function imageTypeOf(head: Buffer): ImageType | Refusal {
  const text = (from: number, to: number) => head.toString("latin1", from, to);
  if (head.length === 0) return refuse("picture-unreadable");
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (text(0, 6) === "GIF87a" || text(0, 6) === "GIF89a") return "gif";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  if (text(4, 8) !== "ftyp") return refuse("picture-type");

  const [major = "", ...others] = brandsOf(head);
  if (major === "avif" || major === "avis") return "avif";
  if (heicBrands.has(major)) return "heic";
  if (!openBrands.has(major)) return refuse("picture-type");
  if (others.includes("avif")) return "avif";
  return others.some((brand) => heicBrands.has(brand)) ? "heic" : refuse("picture-type");
}

/** The major brand of an `ftyp` box and its compatible brands (ISO/IEC 14496-12, section 4.3). */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.length >= 4 ? head.readUInt32BE(0) : 0, head.length);
  const brands = [head.toString("latin1", 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString("latin1", at, at + 4));
  return brands;
}
