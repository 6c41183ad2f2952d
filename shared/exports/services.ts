import type { ArchiveKind } from "#shared/archive.ts";
import type { ExportZip } from "#shared/exports/export-zip.ts";
import {
  countOut,
  inOrder,
  leftOutSentences,
  type KeyedPost,
  type ReadExport,
} from "#shared/exports/export.ts";
import { isFlickr, readFlickr } from "#shared/exports/flickr.ts";
import { isFolder, readFolder } from "#shared/exports/photo-post.ts";
import { isGooglePhotos, readGooglePhotos } from "#shared/exports/google-photos.ts";
import { isInstagram, readInstagram } from "#shared/exports/instagram.ts";
import { invalid } from "#shared/exports/invalid.ts";
import { isMastodon, readMastodon } from "#shared/exports/mastodon.ts";
import { isPixelfed, readPixelfed } from "#shared/exports/pixelfed.ts";
import { limits } from "#shared/limits.ts";

type Service = {
  kind: Exclude<ArchiveKind, "postcard">;
  /** may refuse what is of this service and cannot be read */
  recognizes: (zip: Pick<ExportZip, "names">) => boolean;
  read: (zip: ExportZip) => Promise<ReadExport>;
  /** posts */
  most?: number;
};

const { exportedPosts, exportedPhotos } = limits.archive;

/** The first that recognizes a zip reads it. */
const services: Service[] = [
  { kind: "instagram", recognizes: isInstagram, read: readInstagram },
  { kind: "mastodon", recognizes: isMastodon, read: readMastodon },
  { kind: "pixelfed", recognizes: isPixelfed, read: readPixelfed },
  { kind: "flickr", recognizes: isFlickr, read: readFlickr, most: exportedPhotos },
  {
    kind: "google-photos",
    recognizes: isGooglePhotos,
    read: readGooglePhotos,
    most: exportedPhotos,
  },
  { kind: "folder", recognizes: isFolder, read: readFolder, most: exportedPhotos },
];

/** Whether a reader knows it. Refuses with archive-invalid what it knows and cannot read. */
export const isExport = (zip: Pick<ExportZip, "names">): boolean =>
  services.some(({ recognizes }) => recognizes(zip));

/** What an export brings, as far as one may bring. */
export type FoundExport = {
  kind: Service["kind"];
  isPrivate: boolean;
  posts: KeyedPost[];
  /** what does not come over by its kind, in sentences that begin with a number */
  leftOut: string[];
};

/** Reads what another service exported. Refuses with archive-invalid what no reader knows, or can read. */
export async function readExportZip(zip: ExportZip): Promise<FoundExport> {
  const service = services.find(({ recognizes }) => recognizes(zip));
  if (!service) throw unknown();
  const { kind, most = exportedPosts } = service;
  const { posts, leftOut, isPrivate = false } = await service.read(zip);
  const ordered = await inOrder({ kind, zip }, posts);
  const taken = ordered.slice(0, most);
  countOut(leftOut, beyond(most), ordered.length - taken.length);
  return { kind, isPrivate, posts: taken, leftOut: leftOutSentences(leftOut) };
}

function beyond(most: number) {
  const why = `one file brings the oldest ${most.toLocaleString("en")}. Put the rest into another`;
  return [`post: ${why}`, `posts: ${why}`] as const;
}

const unknown = () =>
  invalid(
    "We don't know this zip file: it's neither an archive of a Postcard nor an export that we can read.",
  );

/** By its first bytes (RFC 1952, section 2.3.1). */
export const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

/** Archives of Mastodon were that once. */
export const tarGz = () =>
  invalid(
    "This is a tar.gz file, as Mastodon made them before version 4.2. Unpack it and make a zip file of what is in it.",
  );
