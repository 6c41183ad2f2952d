import { cleanName } from "#shared/text.ts";
import type { CameraView } from "#shared/photo-details.ts";

/** What is stored of a photo's EXIF; the location in hundredths of a degree. */
export type PhotoDetails = {
  camera: CameraView | null;
  location: { latitude: number; longitude: number } | null;
};

export const noDetails: PhotoDetails = { camera: null, location: null };

/** Cameras write a few kilobytes, or a preview of 64: larger blocks are not read. */
export const mostExifBytes = 128 * 1024;
/** Entries beyond what any camera writes into one directory are not read. */
const mostEntries = 256;
/** Bytes of a text. */
const longestText = 120;

/** Bytes of one value by its type, of those that we read (EXIF 2.32, section 4.6.2). */
const sizes: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 9: 4, 10: 8 };

type Entry = { type: number; count: number; at: number };
type Directory = ReadonlyMap<number, Entry>;

/**
 * Camera, exposure, date and location from an EXIF block, with or without its "Exif" before it. Values that
 * are missing, broken or make no sense are left out; it never throws. It visits three directories once and
 * reads a dozen values of bounded length, so no block costs more than another.
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

/** A block in TIFF's layout, and whether its numbers begin with their lowest byte. */
type Tiff = { view: DataView; little: boolean };

function read(block: Uint8Array): PhotoDetails {
  const start = Buffer.from(block.subarray(0, 4)).toString("latin1") === "Exif" ? 6 : 0;
  const view = new DataView(block.buffer, block.byteOffset + start, block.byteLength - start);
  const order = view.getUint16(0);
  if (order !== 0x49_49 && order !== 0x4d_4d) return noDetails;
  const tiff = { view, little: order === 0x49_49 };
  if (view.getUint16(2, tiff.little) !== 42) return noDetails;

  const image = directory(tiff, view.getUint32(4, tiff.little));
  const photo = directory(tiff, number(tiff, image.get(0x87_69)));
  const gps = directory(tiff, number(tiff, image.get(0x88_25)));
  return {
    camera: camera({
      model: modelOf(text(tiff, image.get(0x01_0f)), text(tiff, image.get(0x01_10))),
      lens: text(tiff, photo.get(0xa4_34)),
      focalLength: number(tiff, photo.get(0x92_0a)),
      focalLength35: number(tiff, photo.get(0xa4_05)),
      aperture: number(tiff, photo.get(0x82_9d)),
      exposureTime: number(tiff, photo.get(0x82_9a)),
      iso: number(tiff, photo.get(0x88_27)),
      takenAt: text(tiff, photo.get(0x90_03)),
    }),
    location: locationFrom(
      degrees(tiff, gps.get(2), gps.get(1), "S"),
      degrees(tiff, gps.get(4), gps.get(3), "W"),
    ),
  };
}

function directory({ view, little }: Tiff, offset: number | null): Directory {
  const entries = new Map<number, Entry>();
  if (offset === null || offset + 2 > view.byteLength) return entries;
  const count = Math.min(view.getUint16(offset, little), mostEntries);
  for (let at = offset + 2; at < offset + 2 + count * 12; at += 12) {
    if (at + 12 > view.byteLength) break;
    const tag = view.getUint16(at, little);
    const type = view.getUint16(at + 2, little);
    const values = view.getUint32(at + 4, little);
    const bytes = (sizes[type] ?? 0) * values;
    const where = bytes > 4 ? view.getUint32(at + 8, little) : at + 8;
    if (bytes > 0 && where + bytes <= view.byteLength) {
      entries.set(tag, { type, count: values, at: where });
    }
  }
  return entries;
}

function text({ view }: Tiff, entry: Entry | undefined): string {
  if (entry?.type !== 2) return "";
  const bytes = Buffer.from(view.buffer as ArrayBuffer, view.byteOffset + entry.at, entry.count);
  const [words = ""] = bytes.subarray(0, longestText).toString("utf8").split("\0");
  // Invisible or direction-changing characters do not belong in a camera's name; nor does a character that
  // was cut off at the end.
  return cleanName(words.replaceAll(/[\p{C}\uFFFD]/gu, ""));
}

/** The value at an index; null where there is none. */
function number({ view, little }: Tiff, entry: Entry | undefined, index = 0): number | null {
  if (!entry || index >= entry.count) return null;
  const { type, at } = entry;
  const from = at + index * (sizes[type] ?? 0);
  if (type === 3) return view.getUint16(from, little);
  if (type === 4) return view.getUint32(from, little);
  if (type === 9) return view.getInt32(from, little);
  if (type === 5) return view.getUint32(from, little) / view.getUint32(from + 4, little);
  if (type === 10) return view.getInt32(from, little) / view.getInt32(from + 4, little);
  return null;
}

/** Degrees, minutes and seconds as three fractions; `negative` is the letter for south or west. */
function degrees(
  tiff: Tiff,
  value: Entry | undefined,
  half: Entry | undefined,
  negative: string,
): number | null {
  const [d, m, s] = [0, 1, 2].map((index) => number(tiff, value, index));
  const letter = text(tiff, half);
  if (d == null || m == null || letter.length !== 1) return null;
  const sum = d + m / 60 + (Number.isFinite(s) ? (s ?? 0) : 0) / 3600;
  return letter === negative ? -sum : sum;
}

/** Most models begin with their maker's name; where one does not, the name is put before it. */
function modelOf(maker: string, model: string): string {
  const [first = ""] = maker.split(" ");
  const named = model.toLowerCase().startsWith(first.toLowerCase());
  return named || !model ? model || maker : `${maker} ${model}`;
}

type Raw = { [Name in keyof Required<CameraView>]: string | number | null };

/** The values that make sense, and null for the others. */
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

/** `2024:05:01 18:30:00`, where it is a real moment in the past. */
function takenAt(written: string): string | undefined {
  const [, date, clock] = /^(\d{4}:\d\d:\d\d) (\d\d:\d\d:\d\d)$/.exec(written) ?? [];
  const time = `${date?.replaceAll(":", "-")}T${clock}`;
  const parsed = new Date(`${time}Z`);
  const valid = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(time);
  // A clock may be a day ahead because of its time zone.
  const past = parsed.getTime() < Date.now() + 86_400_000;
  return valid && past && parsed.getUTCFullYear() >= 1826 ? time : undefined;
}

/** Never -0, which JSON cannot express. */
const hundredths = (degrees: number) => Math.round(degrees * 100) + 0;

/**
 * Rounded to a hundredth of a degree, 1.1 km from north to south: a neighbourhood, not a house. Zero and
 * zero is what cameras write that do not know their location.
 */
function locationFrom(latitude: number | null, longitude: number | null): PhotoDetails["location"] {
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
  const sane = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return sane ? { latitude: hundredths(latitude), longitude: hundredths(longitude) } : null;
}
