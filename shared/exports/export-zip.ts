import type { ListItem } from "#shared/exports/json-lists.ts";
import type { Wanted } from "#shared/exports/zip-entries.ts";

const photo = /\.(jpe?g|png|webp|heic|heif|avif|gif)$/i;
const video = /\.(mp4|m4v|mov|webm|3gp|avi|mkv|mpe?g|wmv)$/i;

export const isPhoto = (name: string) => photo.test(name);
export const isVideo = (name: string) => video.test(name);

/** What of another service's export may be read; anything else in it is not touched. */
export const wantedInExports: Wanted = {
  // without what macOS puts beside every file
  names:
    /^(?!__MACOSX\/|(?:.*\/)?\._).+\.(json|html|csv|jpe?g|png|webp|heic|heif|avif|gif|mp4|m4v|mov|webm|3gp|avi|mkv|mpe?g|wmv)$/i,
  images: photo,
  longestName: 300,
  mostText: 128 * 1024 * 1024,
};

/** What readers need of an export: a zip on the server or in the browser, or files that were chosen there. */
export type ExportZip = {
  /** the time zone of days that say none, an IANA name */
  zone: string;
  names: readonly string[];
  has: (name: string) => boolean;
  /** What its bytes are told apart by: their checksum and size. */
  fingerprint: (name: string) => Promise<string>;
  /** the first bytes of a file, at most so many */
  head: (name: string, most: number) => Promise<Uint8Array>;
  /** the entries of the lists in a text of any length, until the next text is read */
  items: (name: string) => AsyncGenerator<ListItem>;
  /** a short text */
  json: (name: string) => Promise<unknown>;
};

/** Of CRC-32 and bytes. It is part of the keys of posts that are stored, so it never changes. */
export const fingerprintOf = (crc32: number, bytes: number) => `${crc32}-${bytes}`;
