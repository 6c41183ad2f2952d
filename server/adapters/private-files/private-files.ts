import type { OpenVariant } from "#server/adapters/image-store/image-store.ts";

/** A file, found and held open: read it once or close it. */
export type OpenFile = OpenVariant;

/** A file of this machine, good until it is released. */
type LocalFile = {
  path: string;
  /** `again`: the same file is wanted on this machine before long */
  release: (wanted?: { again: boolean }) => Promise<void>;
};

export type StoredFile = { name: string; changed: Date };

/**
 * Files that this product alone reads: archives, photos that arrive in parts, letters without a mail
 * server. A name is an area and what lies in it ("exports/<id>.zip"). They lie beside the pictures: on
 * disk when these do, in the bucket when these do, so that any server finds what another one kept.
 */
export type PrivateFiles = {
  /** The folder they lie in; null where they are no files of this machine. */
  folder: string | null;
  /**
   * Keeps bytes, or the file at a path, which is taken away: whole or, when it throws, not at all; the
   * file is then still where it was. What it kept survives a power cut from the moment it returns.
   */
  put: (name: string, source: string | Buffer) => Promise<void>;
  /** Null for what was never kept, or not any more. */
  open: (name: string) => Promise<OpenFile | null>;
  /** The same as a file of this machine, for who reads here and there in it. Release it. */
  local: (name: string) => Promise<LocalFile | null>;
  /** What is not kept counts as removed. */
  remove: (names: readonly string[]) => Promise<void>;
  /** What lies under a name's beginning, in batches. */
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
