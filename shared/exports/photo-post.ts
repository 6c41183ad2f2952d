import { countOut, type ExportedPost, type ReadExport } from "#shared/exports/export.ts";
import { isPhoto, isVideo, type ExportZip } from "#shared/exports/export-zip.ts";
import { momentIn, parseOffset } from "#shared/exports/moment-in.ts";
import { limits } from "#shared/limits.ts";

const video = [
  "video: Postcard has photos and words",
  "videos: Postcard has photos and words",
] as const;

const tooMany = [
  "photo: there are too many in one file",
  "photos: there are too many in one file",
] as const;

/** What is known of one photo; a photo is a post of its own, since nothing says which belong together. */
export type KnownPhoto = Pick<ExportedPost, "time"> &
  Partial<Pick<ExportedPost, "id" | "keyTime" | "caption" | "audience">>;

/** The photos of a zip, a post each, as far as `know` knows anything of them; null leaves one out. */
export async function readPhotos(
  { names }: Pick<ExportZip, "names">,
  know: (name: string) => Promise<KnownPhoto | null>,
): Promise<ReadExport> {
  const leftOut: ReadExport["leftOut"] = new Map();
  const posts: ExportedPost[] = [];
  let looked = 0;
  for (const name of names) {
    if (isVideo(name)) countOut(leftOut, video);
    if (!isPhoto(name)) continue;
    looked += 1;
    if (looked > limits.archive.exportedPosts) countOut(leftOut, tooMany);
    const known = looked > limits.archive.exportedPosts ? null : await know(name);
    if (!known) continue;
    const { id = null, caption = "", audience = "everyone", time, keyTime = time } = known;
    posts.push({
      id,
      time,
      keyTime,
      caption,
      pictures: [{ file: name, alt: "", focalPoint: null }],
      audience,
      warning: null,
      sensitive: false,
    });
  }
  return { posts, leftOut };
}

/** Bytes that are searched for a date: most cameras write it at the beginning. */
const headBytes = 64 * 1024;
/** And where nothing else says it: WebP, PNG and some phones have it behind the picture. */
const deepBytes = 16 * 1024 * 1024;
/** As EXIF has it (EXIF 2.32, section 4.6.5): of no time zone. */
const exifTime = /(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)\0/g;
/** Of the clock that it is by, where a camera knows it (section 4.6.6, OffsetTimeOriginal). */
const exifOffset = /(?<!\d)[+-](?:0\d|1[0-4]):[0-5]\d\0/g;
/** As phones and messengers name files: IMG_20190503_101500, 2019-05-03 10.15.00, IMG-20190503-WA0001. */
const nameTime =
  /(?<!\d)((?:19|20)\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?:[-_ T]+(\d\d)[-_.:]?(\d\d)[-_.:]?(\d\d))?(?!\d)/;

/** When a photo was taken, epoch ms, and by what its key tells it apart; NaN where nothing says it. */
export type Taken = { time: number; keyTime: number };
/** What a clock showed, read as UTC, and how far it was from that, where it is known. */
type Clock = { clock: number; offset: number | null };

/**
 * When a photo was taken, by what its camera wrote or by its name. What says no time zone is of the zip's. The clock
 * alone is part of a post's key, read as UTC: what gave one before gives the same, in any zone.
 */
export async function takenAt(zip: Pick<ExportZip, "head" | "zone">, name: string): Promise<Taken> {
  const { clock, offset } = await clockOf(zip, name);
  return { time: offset === null ? momentIn(zip.zone, clock) : clock - offset, keyTime: clock };
}

async function clockOf(zip: Pick<ExportZip, "head">, name: string): Promise<Clock> {
  const head = latin1(await zip.head(name, headBytes));
  const exif = head.indexOf("Exif\0\0");
  const first = exif === -1 ? null : earliestIn(head.slice(exif));
  if (first) return first;
  const named = nameTime.exec(name.slice(name.lastIndexOf("/") + 1));
  if (named) return { clock: timeOf(named), offset: null };
  const deep = earliestIn(latin1(await zip.head(name, deepBytes)));
  return deep ?? { clock: Number.NaN, offset: null };
}

/** Every byte as a character. */
const latin1 = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

/** The day it was changed last may be there as well, and before it its offset. */
function earliestIn(text: string): Clock | null {
  let first = Number.NaN;
  for (const found of text.matchAll(exifTime)) {
    const time = timeOf(found);
    if (!(time >= first)) first = Number.isNaN(time) ? first : time;
  }
  if (Number.isNaN(first)) return null;
  const offset = text.match(exifOffset)?.slice(0, 3).at(-1);
  return { clock: first, offset: offset === undefined ? null : parseOffset(offset) };
}

function timeOf([, year, month, day, hour = "12", minute = "00", second = "00"]: RegExpMatchArray) {
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

export const isFolder = ({ names }: Pick<ExportZip, "names">): boolean =>
  names.some((name) => isPhoto(name));

/** Photos on the days when they were taken. */
export const readFolder = (zip: ExportZip): Promise<ReadExport> =>
  readPhotos(zip, (name) => takenAt(zip, name));
