import { crc32, deflateSync } from "node:zlib";
import { Worker } from "node:worker_threads";
import sharp from "sharp";
import { mostExifBytes } from "#server/features/posts/images/exif.ts";
import type { Size } from "#server/features/posts/images/variants.ts";
import { fromPixels, type Pixels } from "#server/features/posts/images/quality-search.ts";
import { limits } from "#shared/limits.ts";

/** What the thread gets; `mostMemory` in bytes, what libheif may use. */
export type HeicJob = {
  path: string;
  mostPixels: number;
  mostMemory: number;
  mostExifBytes: number;
};

/** 8 bits a channel, upright; `profile` describes its colours, null is sRGB. */
export type Decoded = Size & {
  data: Uint8Array<ArrayBuffer>;
  channels: 3 | 4;
  profile: Uint8Array | "p3" | null;
  /** what the camera wrote, with "Exif" before it or without */
  exif: Uint8Array<ArrayBuffer> | null;
};

/** `pixels` is what must be decoded, more than width × height where it is cropped. */
type HeicSize = Size & { pixels: number };

export type HeicMessage = { size: HeicSize } | { decoded: Decoded };

/** Megabytes of JavaScript. */
const threadMemory = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/**
 * A HEIC that a worker thread decodes (heic-thread.ts), so that the process around it (decoder.ts) can watch
 * the time; fails when libheif cannot read it. `mostMemory` in bytes: 50 megapixels take 400 MB for the
 * file, its planes and RGB. Close it afterwards: its memory goes with the thread.
 */
export function openHeic(path: string, { mostMemory = 512 * 1024 * 1024 } = {}) {
  const worker = new Worker(new URL("./heic-thread.ts", import.meta.url), {
    name: "heic",
    workerData: {
      path,
      mostPixels: limits.imagePixels,
      mostMemory,
      mostExifBytes,
    } satisfies HeicJob,
    resourceLimits: threadMemory,
    // it reads a stranger's file and needs none of our settings
    env: {},
    execArgv: [],
  });
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  worker.on("error", ended.reject);
  worker.on("messageerror", ended.reject);
  worker.on("exit", () => ended.reject(new Error("The thread of an image ended.")));
  const size = next();
  size.catch(() => undefined);

  async function next(): Promise<HeicMessage> {
    const said = Promise.withResolvers<HeicMessage>();
    worker.once("message", said.resolve);
    return Promise.race([said.promise, ended.promise]);
  }

  async function readSize(): Promise<HeicSize> {
    const said = await size;
    if ("size" in said) return said.size;
    throw new Error("The thread of an image did not say its size.");
  }

  /** Ends the thread, too: what it holds is no longer needed. */
  async function decode(): Promise<Decoded> {
    const decoded = next();
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    worker.postMessage("decode");
    const said = await decoded;
    await close();
    if ("decoded" in said) return said.decoded;
    throw new Error("The thread of an image did not decode it.");
  }

  async function close(): Promise<void> {
    await worker.terminate();
  }

  return { readSize, decode, close };
}

/** The decoded image at `size`, in sRGB. */
export async function shrinkToSrgb(
  { data, profile, width, height, channels }: Decoded,
  size: Size,
  seconds: number,
): Promise<Pixels> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const small = fromPixels({ data: bytes, width, height, channels })
    .resize({ ...size, fit: "fill" })
    .timeout({ seconds });
  const pixels = { ...size, channels };
  if (!profile) return { ...pixels, data: await small.raw().toBuffer() };

  // Pixels alone carry no profile: a PNG does, and sharp converts by it as by any other.
  const png = await small.png({ compressionLevel: 0 }).toBuffer();
  const icc = profile === "p3" ? await displayP3() : profile;
  const converted = sharp(withProfile(png, icc), { failOn: "error" })
    .toColourspace("srgb")
    .timeout({ seconds })
    .raw();
  return { ...pixels, data: await converted.toBuffer() };
}

/** The profile of Display P3 that comes with sharp. */
async function displayP3(): Promise<Uint8Array> {
  const background = "black";
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background } });
  const { icc } = await sharp(await pixel.withIccProfile("p3").png().toBuffer()).metadata();
  if (!icc) throw new Error("sharp has no profile of Display P3");
  return icc;
}

/** Where a PNG's header ends: the signature of 8 bytes, and IHDR with 25. */
const afterHeader = 33;

/** The PNG with an `iCCP` chunk after its header (PNG specification, section 11.3.2.3). */
function withProfile(png: Buffer, icc: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from("iCCPicc\0\0", "latin1"), deflateSync(icc)]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)]);
}
