import { open } from "node:fs/promises";
import {
  countOut,
  inOrder,
  leftOutSentences,
  prepareExported,
  type ReadExport,
} from "#server/features/archive/readers/export.ts";
import { openExportZip, type ExportZip } from "#server/features/archive/readers/export-zip.ts";
import { isFlickr, readFlickr } from "#server/features/archive/readers/flickr.ts";
import { isFolder, readFolder } from "#server/features/archive/readers/folder.ts";
import {
  isGooglePhotos,
  readGooglePhotos,
} from "#server/features/archive/readers/google-photos.ts";
import { isInstagram, readInstagram } from "#server/features/archive/readers/instagram.ts";
import { isMastodon, readMastodon } from "#server/features/archive/readers/mastodon.ts";
import { profileInput } from "#server/features/archive/archive.inputs.ts";
import { readArchive } from "#server/features/archive/read-archive.ts";
import { invalid, openZip } from "#server/features/archive/zip-reader.ts";
import type { ArchiveKind } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";

type Service = {
  kind: Exclude<ArchiveKind, "postcard">;
  /** may refuse what is of this service and cannot be read */
  recognizes: (zip: ExportZip) => boolean;
  read: (zip: ExportZip) => Promise<ReadExport>;
  /** posts */
  most?: number;
};

const { exportedPosts, exportedPhotos } = limits.archive;

/** The first that recognizes a zip reads it. */
const services: Service[] = [
  { kind: "instagram", recognizes: isInstagram, read: readInstagram },
  { kind: "mastodon", recognizes: isMastodon, read: readMastodon },
  { kind: "flickr", recognizes: isFlickr, read: readFlickr, most: exportedPhotos },
  {
    kind: "google-photos",
    recognizes: isGooglePhotos,
    read: readGooglePhotos,
    most: exportedPhotos,
  },
  { kind: "folder", recognizes: isFolder, read: readFolder, most: exportedPhotos },
];

/**
 * An archive of any kind: ours, or what another service exports. Refuses with archive-invalid what none of the
 * readers knows, or can read. Close it afterwards.
 */
export async function openReader(path: string) {
  await refuseTarGz(path);
  const zip = await openZip(path);
  const isOurs = zip.has("postcard.json");
  zip.close();
  return isOurs ? readArchive(path) : readExport(path);
}

/** Archives of Mastodon were that once. */
async function refuseTarGz(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    if (bytesRead < 2 || buffer.readUInt16BE(0) !== gzip) return;
  } finally {
    await file.close();
  }
  throw invalid(
    "This is a tar.gz file, as Mastodon made them before version 4.2. Unpack it and make a zip file of what is in it.",
  );
}

/** The first bytes (RFC 1952, section 2.3.1). */
const gzip = 0x1f_8b;

/** How many posts are prepared at once. */
const listLength = 100;

async function readExport(path: string) {
  const zip = await openExportZip(path);
  try {
    const service = services.find(({ recognizes }) => recognizes(zip));
    if (!service) throw unknown();
    const { kind, most = exportedPosts } = service;
    const { posts, leftOut } = await service.read(zip);
    const ordered = inOrder({ kind, zip }, posts);
    const taken = ordered.slice(0, most);
    countOut(leftOut, beyond(most), ordered.length - taken.length);

    async function* lists() {
      for (let at = 0; at < taken.length; at += listLength) {
        const list = taken.slice(at, at + listLength);
        yield list.map((post) => () => prepareExported({ kind, zip }, post));
      }
    }

    return {
      kind,
      profile: profileInput.parse({}),
      check: async () => {
        return { posts: taken.length, messages: 0, leftOut: leftOutSentences(leftOut) };
      },
      posts: lists,
      messages: none,
      albums: none,
      extractImage: zip.extractImage,
      close: zip.close,
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function* none(): AsyncGenerator<never> {}

function beyond(most: number) {
  const why = `one file brings the oldest ${most.toLocaleString("en")}. Put the rest into another`;
  return [`post: ${why}`, `posts: ${why}`] as const;
}

const unknown = () =>
  invalid(
    "We don't know this zip file: it's neither an archive of a Postcard nor an export that we can read.",
  );
