import type { OpenVariant } from "#server/adapters/image-store/image-store.ts";

/** A file, found and held open: read it once or close it. */
export type OpenFile = OpenVariant;

/** A local file, valid until it is released. */
type LocalFile = {
  path: string;
  /** `again`: the same file will soon be needed on this machine again */
  release: (wanted?: { again: boolean }) => Promise<void>;
};

export type StoredFile = { name: string; changed: Date };

/**
 * Files that only this product reads: archives, photos that arrive in parts, emails without a mail server. A
 * name is an area and a file in it ("exports/<id>.zip"). They are stored beside the images: on disk if those
 * are, in the bucket if those are, so that any server finds what another one stored.
 */
export type PrivateFiles = {
  /** The folder they are in; null if they are not local files. */
  folder: string | null;
  /**
   * Stores bytes, or the file at a path, which is moved away: whole or, when it throws, not at all; the file
   * is then still where it was. What it stored survives a power cut from the moment it returns.
   */
  put: (name: string, source: string | Buffer) => Promise<void>;
  /** Null if it was never stored, or is stored no more. */
  open: (name: string) => Promise<OpenFile | null>;
  /** The same as a local file, for readers that jump around in it. Release it. */
  local: (name: string) => Promise<LocalFile | null>;
  /** A missing file counts as removed. */
  remove: (names: readonly string[]) => Promise<void>;
  /** The files whose names begin so, in batches. */
  list: (start: string) => AsyncIterable<StoredFile[]>;
  /** Where an operator finds one. */
  locate: (name: string) => string;
};

/** Names become paths: an area, and one or two plain parts. */
const nameForm = /^[a-z]+(\/[\w-][\w.-]*){1,2}$/;

export function checkedName(name: string): string {
  if (!nameForm.test(name)) throw new Error("A private file needs a plain name in an area.");
  return name;
}
