import { deflateSync, crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";

/** Is in the metadata of every photo made here, so that leftovers can be found by a search. */
export const secretInMetadata = "SECRET-CAMERA-4711";

type Rgb = [number, number, number];

/** The corners of `corners()` when it is upright. */
export const cornerColours = {
  topLeft: [200, 40, 40],
  topRight: [40, 160, 60],
  bottomLeft: [40, 60, 190],
  bottomRight: [220, 200, 50],
} satisfies Record<string, Rgb>;

const rgb = ([r, g, b]: Rgb) => ({ r, g, b });

export function plain(width: number, height: number, colour: Rgb, alpha?: number): Sharp {
  return alpha === undefined
    ? sharp({ create: { width, height, channels: 3, background: rgb(colour) } })
    : sharp({ create: { width, height, channels: 4, background: { ...rgb(colour), alpha } } });
}

/** Four coloured quarters, upright. */
export async function corners(width: number, height: number): Promise<Buffer> {
  const [halfWidth, halfHeight] = [width / 2, height / 2];
  const quarter = (colour: Rgb) => plain(halfWidth, halfHeight, colour).png().toBuffer();
  const { topLeft, topRight, bottomLeft, bottomRight } = cornerColours;
  return plain(width, height, [0, 0, 0])
    .composite([
      { input: await quarter(topLeft), left: 0, top: 0 },
      { input: await quarter(topRight), left: halfWidth, top: 0 },
      { input: await quarter(bottomLeft), left: 0, top: halfHeight },
      { input: await quarter(bottomRight), left: halfWidth, top: halfHeight },
    ])
    .png()
    .toBuffer();
}

/** Stores an upright image as a camera held in `orientation` (1 to 8, EXIF) would. */
export async function withOrientation(upright: Buffer, orientation: number): Promise<Sharp> {
  // The inverse of what EXIF 2.32 asks readers to do; two steps if their order matters.
  const turned = (angle: number) => sharp(upright).rotate(angle).png().toBuffer();
  const stored: Record<number, () => Promise<Sharp>> = {
    1: async () => sharp(upright),
    2: async () => sharp(upright).flop(),
    3: async () => sharp(upright).rotate(180),
    4: async () => sharp(upright).flip(),
    5: async () => sharp(await turned(90)).flop(),
    6: async () => sharp(upright).rotate(270),
    7: async () => sharp(await turned(90)).flip(),
    8: async () => sharp(upright).rotate(90),
  };
  const make = stored[orientation];
  if (!make) throw new Error(`There is no orientation ${orientation}.`);
  return (await make()).withMetadata({ orientation });
}

function noise(side: number, sigma: number): Promise<Buffer> {
  const gaussian = { type: "gaussian", mean: 128, sigma } as const;
  const background = "black";
  return sharp({ create: { width: side, height: side, channels: 3, background, noise: gaussian } })
    .png()
    .toBuffer();
}

/** Soft shapes under fine grain: compresses like a photograph, not like a drawing. */
export async function scene(width: number, height: number): Promise<Sharp> {
  const shapes = await sharp(await noise(24, 60))
    .resize(width, height, { fit: "fill" })
    .toBuffer();
  const grain = await sharp(await noise(256, 7))
    .resize(Math.min(width, 512), Math.min(height, 512), { fit: "fill" })
    .toBuffer();
  return sharp(shapes).composite([{ input: grain, tile: true, blend: "soft-light" }]);
}

/** A photo as a phone sends it: EXIF with a position and a camera, XMP, turned by `orientation`. */
export async function phonePhoto({
  width = 4032,
  height = 3024,
  orientation = 6,
} = {}): Promise<Buffer> {
  const turned = orientation > 4;
  const upright = await (
    await scene(turned ? height : width, turned ? width : height)
  )
    .png({ compressionLevel: 0 })
    .toBuffer();
  return (await withOrientation(upright, orientation))
    .withExifMerge({
      IFD0: { Make: secretInMetadata, Model: "Phone" },
      IFD3: {
        GPSLatitudeRef: "N",
        GPSLatitude: "43/1 28/1 2814/100",
        GPSLongitudeRef: "E",
        GPSLongitude: "11/1 53/1 645/100",
      },
    })
    .withXmp(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ` +
        `xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ` +
        `xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="${secretInMetadata}"/>` +
        `</rdf:RDF></x:xmpmeta>`,
    )
    .jpeg({ quality: 88 })
    .toBuffer();
}

/** A PNG of `width` × `height` white pixels with hardly any bytes (one bit a pixel). */
export function bombPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", rows),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)]);
}

/** Two frames: red, then blue. */
export async function twoFrames(type: "gif" | "webp"): Promise<Buffer> {
  const frames = await Promise.all(
    [cornerColours.topLeft, cornerColours.bottomLeft].map((colour) =>
      plain(64, 48, colour as Rgb)
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .toFormat(type)
    .toBuffer();
}

/** The first bytes of a phone's HEIC: enough to recognize it, nothing to decode. */
export function heicHead(): Buffer {
  const brands = "ftypheic\0\0\0\0mif1heic";
  const head = Buffer.alloc(4 + brands.length);
  head.writeUInt32BE(head.length, 0);
  head.write(brands, 4, "latin1");
  return Buffer.concat([head, Buffer.alloc(2000, 1)]);
}

/** The mean colour in the middle of each quarter of an image. */
export async function quartersOf(
  picture: Buffer,
): Promise<Record<keyof typeof cornerColours, Rgb>> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): Rgb => {
    const index = (Math.floor(info.height * y) * info.width + Math.floor(info.width * x)) * 3;
    return [data[index] ?? -1, data[index + 1] ?? -1, data[index + 2] ?? -1];
  };
  return {
    topLeft: at(0.25, 0.25),
    topRight: at(0.75, 0.25),
    bottomLeft: at(0.25, 0.75),
    bottomRight: at(0.75, 0.75),
  };
}

/** The largest difference in any channel. */
export function distance(one: Rgb, other: Rgb): number {
  return Math.max(...one.map((value, index) => Math.abs(value - (other[index] ?? 0))));
}

/** Makes a text look like a WebP image to a store. */
export function asWebp(text: string): Buffer {
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  head.writeUInt32LE(4 + text.length, 4);
  return Buffer.concat([head, Buffer.from(text)]);
}
