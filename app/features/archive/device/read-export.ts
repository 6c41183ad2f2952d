import { followedIn, type Followed } from "#app/features/archive/device/followed.ts";
import { filesPart, pathOf, type Part } from "#app/features/archive/device/parts.ts";
import { openParts } from "#app/features/archive/device/open-parts.ts";
import { withoutPlace } from "#app/features/archive/device/without-place.ts";
import { zipPart } from "#app/features/archive/device/zip-part.ts";
import { callError } from "#app/lib/api-client.ts";
import type { ArchiveKind } from "#shared/archive.ts";
import { isRefusal } from "#shared/errors.ts";
import { wantedInExports } from "#shared/exports/export-zip.ts";
import { problemOf, type KeyedPost } from "#shared/exports/export.ts";
import { invalid } from "#shared/exports/invalid.ts";
import {
  isExport,
  isGzip,
  readExportZip,
  tarGz,
  type FoundExport,
} from "#shared/exports/services.ts";

/** An export as it was read on the device; nothing of it was sent. */
export type DeviceExport = {
  kind: Exclude<ArchiveKind, "postcard">;
  /** of a private account */
  isPrivate: boolean;
  /** in the order of their days, each once, sets in parts of ten */
  posts: DevicePost[];
  /** what does not come over by its kind, in sentences that begin with a number */
  leftOut: string[];
  /** whom its account followed there */
  followed: string[];
  /** the unpacked bytes of one photo */
  photo: (file: string) => Promise<Blob>;
  /** the same without where it was taken */
  photoWithoutPlace: (file: string) => Promise<Blob>;
};

export type DevicePost = KeyedPost & {
  /** of its photos */
  bytes: number;
  /** why it cannot come, as a sentence of its own: shown, not sent */
  problem: string | null;
};

/**
 * Reads what somebody chose: a zip, all parts of one, a folder or photos. Only what the reader of its service
 * asks for is read; days that say no time zone are of the device's. "postcard" is an archive of ours, which goes up as a whole. Rejects with a refusal whose
 * message is for people, and with file-gone: all that is left is gone with it.
 */
export async function readOnDevice(
  files: readonly File[],
  zone = Intl.DateTimeFormat().resolvedOptions().timeZone,
): Promise<DeviceExport | "postcard"> {
  return forPeople(() => readFiles(files, zone));
}

async function readFiles(files: readonly File[], zone: string): Promise<DeviceExport | "postcard"> {
  const parts: Part[] = [];
  const plain = files.filter((file) => isPlain(file));
  if (plain.length > 0) parts.push(filesPart(plain));
  for (const file of files) {
    if (isPlain(file)) continue;
    if (await isTarGz(file)) throw tarGz();
    if (isOtherOfFolder(file)) continue;
    const part = await zipPart(file);
    if (part === "postcard") return part;
    parts.push(part);
  }
  const bytes = sum(files.map(({ size }) => size));
  const opened = openParts(parts, { bytes, zone });
  if (opened.has("postcard.json")) throw unpackedArchive();
  const followed = await followedIn(opened);
  const found =
    followed && !isExport(opened) ? withoutPosts(followed) : await readExportZip(opened);
  const posts = found.posts.map((post): DevicePost => {
    const sizes = post.pictures.map(({ file }) => (opened.has(file) ? opened.bytesOf(file) : 0));
    return { ...post, bytes: sum(sizes), problem: problemOf(opened, post) };
  });
  return {
    ...found,
    posts,
    followed: followed?.accounts ?? [],
    photo: (file) => forPeople(() => opened.photo(file)),
    photoWithoutPlace: (file) => forPeople(async () => withoutPlace(await opened.photo(file))),
  };
}

/** Such a list may be all that was asked for there. */
const withoutPosts = ({ kind }: Followed): FoundExport => ({
  kind,
  isPrivate: false,
  posts: [],
  leftOut: [],
});

const isPlain = (file: File) => wantedInExports.names.test(pathOf(file));

/** A folder has files of every kind; whoever chooses one alone means it. */
const isOtherOfFolder = ({ webkitRelativePath, name }: File) =>
  webkitRelativePath !== "" && !/\.zip$/i.test(name);

const isTarGz = async (file: File) =>
  /\.(tgz|tar\.gz)$/i.test(file.name) &&
  isGzip(new Uint8Array(await file.slice(0, 2).arrayBuffer()));

const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);

const unpackedArchive = () =>
  invalid("These are the files of a Postcard's archive. Choose the zip file that they were in.");

const fileGone = "This file can't be read any more: it was moved or changed. Choose it again.";

/** A file that was moved, changed or unplugged is nobody's mistake on the server. */
async function forPeople<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const cause = isRefusal(error) ? error.cause : error;
    const name = cause instanceof Error ? cause.name : "";
    if (name === "NotReadableError" || name === "NotFoundError")
      throw callError("file-gone", fileGone, 0);
    throw error;
  }
}
