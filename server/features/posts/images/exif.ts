import { cleanName } from "#shared/text.ts";
import type { CameraView } from "#shared/photo-details.ts";

/** What is kept of a photo's EXIF; the place in hundredths of a degree. */
export type PhotoDetails = {
  camera: CameraView | null;
  place: { latitude: number; longitude: number } | null;
};

export const noDetails: PhotoDetails = { camera: null, place: null };

/** What cameras write is a few kilobytes, or a preview of 64: more is not looked at. */
export const mostExifBytes = 128 * 1024;
/** An entry more than any camera writes into one directory is not looked at. */
const mostEntries = 256;
/** Bytes of a text. */
const longestText = 120;

/** Bytes of one value by its type, of those that we read (EXIF 2.32, section 4.6.2). */
const sizes: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 9: 4, 10: 8 };

type Entry = { type: number; count: number; at: number };
type Directory = ReadonlyMap<number, Entry>;

/**
 * Camera, exposure, date and place out of an EXIF block, with or without its "Exif" before it. What
 * is missing, broken or makes no sense is left out; it never throws. It visits three directories
 * once and reads a dozen values of bounded length, so no block costs more than another.
 */
export function readExif(block: Uint8Array | undefined): PhotoDetails {
  if (!block || block.length > mostExifBytes) return noDetails;
  try {
    return read(block);
  } catch {
    // Beyond its end: RangeError.
    return noDetails;
  }
}

function read(block: Uint8Array): PhotoDetails {
  const start = Buffer.from(block.subarray(0, 4)).toString("latin1") === "Exif" ? 6 : 0;
  const tiff = new DataView(block.buffer, block.byteOffset + start, block.byteLength - start);
  const order = tiff.getUint16(0);
  if (order !== 0x49_49 && order !== 0x4d_4d) return noDetails;
  const little = order === 0x49_49;
  if (tiff.getUint16(2, little) !== 42) return noDetails;

  function directory(offset: number | null): Directory {
    const entries = new Map<number, Entry>();
    if (offset === null || offset + 2 > tiff.byteLength) return entries;
    const count = Math.min(tiff.getUint16(offset, little), mostEntries);
    for (let at = offset + 2; at < offset + 2 + count * 12; at += 12) {
      if (at + 12 > tiff.byteLength) break;
      const tag = tiff.getUint16(at, little);
      const type = tiff.getUint16(at + 2, little);
      const values = tiff.getUint32(at + 4, little);
      const bytes = (sizes[type] ?? 0) * values;
      const place = bytes > 4 ? tiff.getUint32(at + 8, little) : at + 8;
      if (bytes > 0 && place + bytes <= tiff.byteLength) {
        entries.set(tag, { type, count: values, at: place });
      }
    }
    return entries;
  }

  function text(entry: Entry | undefined): string {
    if (entry?.type !== 2) return "";
    const { byteOffset } = tiff;
    const bytes = Buffer.from(tiff.buffer as ArrayBuffer, byteOffset + entry.at, entry.count);
    const [words = ""] = bytes.subarray(0, longestText).toString("utf8").split("\0");
    // What shows nothing, or turns the direction of what follows, is no name of a camera; nor is a
    // character that was cut at the end.
    return cleanName(words.replaceAll(/[\p{C}\uFFFD]/gu, ""));
  }

  /** The value at an index; null for what is none. */
  function number(entry: Entry | undefined, index = 0): number | null {
    if (!entry || index >= entry.count) return null;
    const { type, at } = entry;
    const from = at + index * (sizes[type] ?? 0);
    if (type === 3) return tiff.getUint16(from, little);
    if (type === 4) return tiff.getUint32(from, little);
    if (type === 9) return tiff.getInt32(from, little);
    if (type === 5) return tiff.getUint32(from, little) / tiff.getUint32(from + 4, little);
    if (type === 10) return tiff.getInt32(from, little) / tiff.getInt32(from + 4, little);
    return null;
  }

  /** Degrees, minutes and seconds in three fractions; `negative` is the letter of the other half. */
  function degrees(value: Entry | undefined, half: Entry | undefined, negative: string) {
    const [d, m, s] = [0, 1, 2].map((index) => number(value, index));
    const letter = text(half);
    if (d == null || m == null || letter.length !== 1) return null;
    const sum = d + m / 60 + (Number.isFinite(s) ? (s ?? 0) : 0) / 3600;
    return letter === negative ? -sum : sum;
  }

  const image = directory(tiff.getUint32(4, little));
  const photo = directory(number(image.get(0x87_69)));
  const gps = directory(number(image.get(0x88_25)));

  return {
    camera: camera({
      model: modelOf(text(image.get(0x01_0f)), text(image.get(0x01_10))),
      lens: text(photo.get(0xa4_34)),
      focalLength: number(photo.get(0x92_0a)),
      focalLength35: number(photo.get(0xa4_05)),
      aperture: number(photo.get(0x82_9d)),
      exposureTime: number(photo.get(0x82_9a)),
      iso: number(photo.get(0x88_27)),
      takenAt: text(photo.get(0x90_03)),
    }),
    place: place(degrees(gps.get(2), gps.get(1), "S"), degrees(gps.get(4), gps.get(3), "W")),
  };
}

/** Most models begin with their maker's name; where one does not, it stands before. */
function modelOf(maker: string, model: string): string {
  const [first = ""] = maker.split(" ");
  const named = model.toLowerCase().startsWith(first.toLowerCase());
  return named || !model ? model || maker : `${maker} ${model}`;
}

type Raw = { [Name in keyof Required<CameraView>]: string | number | null };

/** What makes sense of what was written, and null where nothing does. */
function camera(raw: Raw): CameraView | null {
  const within = (value: Raw[keyof Raw], least: number, most: number) =>
    typeof value === "number" && value >= least && value <= most
      ? Number(value.toPrecision(6))
      : undefined;
  const found: { [Name in keyof CameraView]: CameraView[Name] | undefined } = {
    model: String(raw.model ?? "") || undefined,
    lens: String(raw.lens ?? "") || undefined,
    focalLength: within(raw.focalLength, 0.1, 10_000),
    focalLength35: within(raw.focalLength35, 1, 10_000),
    aperture: within(raw.aperture, 0.1, 256),
    exposureTime: within(raw.exposureTime, 1e-6, 86_400),
    iso: within(raw.iso, 1, 10_000_000),
    takenAt: takenAt(String(raw.takenAt ?? "")),
  };
  const known = Object.entries(found).filter(([, value]) => value !== undefined);
  return known.length > 0 ? (Object.fromEntries(known) as CameraView) : null;
}

/** `2024:05:01 18:30:00`, where it is a moment that was. */
function takenAt(written: string): string | undefined {
  const [, date, clock] = /^(\d{4}:\d\d:\d\d) (\d\d:\d\d:\d\d)$/.exec(written) ?? [];
  const time = `${date?.replaceAll(":", "-")}T${clock}`;
  const parsed = new Date(`${time}Z`);
  const valid = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(time);
  // A clock may be a day ahead: it stands in another time zone.
  const past = parsed.getTime() < Date.now() + 86_400_000;
  return valid && past && parsed.getUTCFullYear() >= 1826 ? time : undefined;
}

/** Never -0, which JSON does not know. */
const hundredths = (degrees: number) => Math.round(degrees * 100) + 0;

/**
 * Rounded to a hundredth of a degree, 1.1 km from north to south: a part of a town, and not a
 * house. Nought and nought is what cameras write that do not know.
 */
function place(latitude: number | null, longitude: number | null): PhotoDetails["place"] {
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
  const sane = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return sane ? { latitude: hundredths(latitude), longitude: hundredths(longitude) } : null;
}
