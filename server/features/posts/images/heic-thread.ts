// Decodes one HEIC in a worker thread of the decoder process, with libheif as WebAssembly: a malicious file
// cannot reach the memory around it, and takes no more than it is given. Reports the size first, from the
// header alone, and decodes when asked to (heic.ts).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { Decoded, HeicJob, HeicMessage } from "#server/features/posts/images/heic.ts";

/** What we call of libheif's C interface (libheif/heif.h): numbers are addresses, or plain values. */
type Returning =
  | "malloc"
  | "heif_context_alloc"
  | "heif_context_get_security_limits"
  | "heif_decoding_options_alloc"
  | "heif_image_handle_get_width"
  | "heif_image_handle_get_height"
  | "heif_image_handle_get_ispe_width"
  | "heif_image_handle_get_ispe_height"
  | "heif_image_handle_has_alpha_channel"
  | "heif_image_handle_get_raw_color_profile_size"
  | "heif_image_handle_get_list_of_metadata_block_IDs"
  | "heif_image_handle_get_metadata_size"
  | "heif_image_get_primary_width"
  | "heif_image_get_primary_height"
  | "heif_image_get_plane_readonly";
/** They write their error to the address in their first argument. */
type Failing =
  | "heif_context_read_from_memory_without_copy"
  | "heif_context_get_primary_image_handle"
  | "heif_image_handle_get_raw_color_profile"
  | "heif_image_handle_get_nclx_color_profile"
  | "heif_image_handle_get_metadata"
  | "heif_decode_image";

type Libheif = { HEAPU8: Uint8Array } & Record<
  `_${Returning | Failing}`,
  (...values: number[]) => number
>;

type Memory = { buffer: ArrayBuffer; grow: (this: Memory, pages: number) => number };
// Node has it, but its types do not.
declare const WebAssembly: { Memory: { prototype: Memory } };

// Values of enums in libheif/heif.h.
const rgbColourspace = 1;
const interleaved = { channel: 10, rgb: 10, rgba: 11 };
/** Colour primaries of Display P3 (ITU-T H.273, table 2). */
const displayP3 = 12;

const { path, mostPixels, mostMemory, mostExifBytes } = workerData as HeicJob;
boundMemory(mostMemory);
const lib = loadLibheif();
/** Where functions put what they return: an error of twelve bytes, and an address. */
const error = allocate(12);
const out = allocate(4);

const handle = openPrimary();
say({ size: readSize() });
parentPort?.once("message", () => {
  const decoded = decode();
  say({ decoded }, [decoded.data.buffer]);
});

function loadLibheif(): Libheif {
  const require = createRequire(import.meta.url);
  const create = require("libheif-js/libheif-wasm/libheif.js") as (options: object) => Libheif;
  const wasmBinary = readFileSync(require.resolve("libheif-js/libheif-wasm/libheif.wasm"));
  return create({ wasmBinary, print: quiet, printErr: quiet });
}

/** What it prints about a stranger's file does not belong in the log. */
function quiet(): void {}

/** A thread's limits do not count this memory, and the module would take up to two gigabytes. */
function boundMemory(most: number): void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function growWithin(this: Memory, pages: number) {
    if (this.buffer.byteLength + pages * 65_536 > most) throw new RangeError("too much memory");
    return grow.call(this, pages);
  };
}

/** The primary image alone: bursts, thumbnails, depth and gain maps are never read. */
function openPrimary(): number {
  const file = readFileSync(path);
  const address = allocate(file.length);
  lib.HEAPU8.set(file, address);
  const context = call("heif_context_alloc");
  // `max_image_size_pixels` of heif_security_limits: tiles and coded images that are larger than the header
  // says are refused here.
  const limit = call("heif_context_get_security_limits", context) + 8;
  memory().setBigUint64(limit, BigInt(mostPixels), true);
  attempt("heif_context_read_from_memory_without_copy", context, address, file.length, 0);
  attempt("heif_context_get_primary_image_handle", context, out);
  return memory().getUint32(out, true);
}

/** Its size as it is shown; and how many pixels must be decoded for that, where it is cropped. */
function readSize() {
  const width = call("heif_image_handle_get_width", handle);
  const height = call("heif_image_handle_get_height", handle);
  const coded =
    call("heif_image_handle_get_ispe_width", handle) *
    call("heif_image_handle_get_ispe_height", handle);
  return { width, height, pixels: Math.max(coded, width * height) };
}

/** Upright already: libheif applies the rotation and mirroring of the container, and ignores EXIF. */
function decode(): Decoded {
  const channels = call("heif_image_handle_has_alpha_channel", handle) ? 4 : 3;
  const chroma = channels === 4 ? interleaved.rgba : interleaved.rgb;
  attempt("heif_decode_image", handle, out, rgbColourspace, chroma, strictOptions());
  const image = memory().getUint32(out, true);
  const width = call("heif_image_get_primary_width", image);
  const height = call("heif_image_get_primary_height", image);
  const plane = call("heif_image_get_plane_readonly", image, interleaved.channel, out);
  const stride = memory().getUint32(out, true);
  const data = new Uint8Array(width * height * channels);
  for (let row = 0; row < height; row += 1) {
    const from = plane + row * stride;
    data.set(lib.HEAPU8.subarray(from, from + width * channels), row * width * channels);
  }
  return { data, width, height, channels, profile: readProfile(), exif: readExif() };
}

/** The first block of that kind. The four bytes before it say where its TIFF header begins. */
function readExif(): Decoded["exif"] {
  const kind = allocate(5);
  lib.HEAPU8.set(Buffer.from("Exif\0", "latin1"), kind);
  if (call("heif_image_handle_get_list_of_metadata_block_IDs", handle, kind, out, 1) < 1)
    return null;
  const id = memory().getUint32(out, true);
  const bytes = call("heif_image_handle_get_metadata_size", handle, id);
  if (bytes < 12 || bytes > mostExifBytes) return null;
  const address = allocate(bytes);
  try {
    attempt("heif_image_handle_get_metadata", handle, id, address);
  } catch {
    // The photo is as good without it.
    return null;
  }
  const start = memory().getUint32(address, false) + 4;
  return start < bytes ? lib.HEAPU8.slice(address + start, address + bytes) : null;
}

/** `strict_decoding` of heif_decoding_options: a missing tile is an error, not green. */
function strictOptions(): number {
  const options = call("heif_decoding_options_alloc");
  lib.HEAPU8[options + 21] = 1;
  return options;
}

/** The decoder leaves colours as they were written: this says what they mean. */
function readProfile(): Decoded["profile"] {
  const bytes = call("heif_image_handle_get_raw_color_profile_size", handle);
  if (bytes > 0) {
    const address = allocate(bytes);
    attempt("heif_image_handle_get_raw_color_profile", handle, address);
    return lib.HEAPU8.slice(address, address + bytes);
  }
  try {
    attempt("heif_image_handle_get_nclx_color_profile", handle, out);
  } catch {
    return null;
  }
  const primaries = memory().getUint32(memory().getUint32(out, true) + 4, true);
  return primaries === displayP3 ? "p3" : null;
}

function call(name: Returning, ...values: number[]): number {
  return lib[`_${name}`](...values);
}

function attempt(name: Failing, ...values: number[]): void {
  lib[`_${name}`](error, ...values);
  const [code, detail] = [memory().getUint32(error, true), memory().getUint32(error + 4, true)];
  if (code !== 0) throw new Error(`${name} failed: ${code}, ${detail}`);
}

function allocate(bytes: number): number {
  const address = call("malloc", bytes);
  if (address === 0) throw new Error("no memory left for the image");
  return address;
}

/** Created each time: the memory moves when it grows. */
function memory(): DataView {
  return new DataView(lib.HEAPU8.buffer);
}

function say(said: HeicMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(said, transfer);
}
