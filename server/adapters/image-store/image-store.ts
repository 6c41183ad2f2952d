import type { Readable } from "node:stream";

/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number };

/** One variant, found and held open: read it once or close it. */
export type OpenVariant = {
  bytes: number;
  read: (range?: ByteRange) => Readable;
  close: () => Promise<void>;
};

/**
 * Where the files of pictures live: variants that everybody may see and the original that nobody
 * may. `key` is the content address of images.key; what lies under a key never changes.
 */
export type ImageStore = {
  /**
   * Keeps a picture: all of it or, when it throws, nothing that `open` finds. What it kept
   * survives a power cut from the moment it returns.
   */
  put: (
    key: string,
    picture: { variants: readonly { width: number; bytes: Buffer }[]; original: string },
  ) => Promise<void>;
  /**
   * Keeps one more variant of a picture that is kept: all of it or, when it throws, nothing that
   * `open` finds. It goes with the picture.
   */
  add: (key: string, variant: { width: number; bytes: Buffer }) => Promise<void>;
  /**
   * Null for what was never kept, or not any more. Throws refuse("picture-damaged") for a file that
   * is not as long as it was when it was kept.
   */
  open: (key: string, width: number) => Promise<OpenVariant | null>;
  /** The private original. Null for what is not kept. */
  openOriginal: (key: string) => Promise<OpenVariant | null>;
  /** Variants and original; a key that is not kept counts as removed. */
  remove: (keys: readonly string[]) => Promise<void>;
  /** Keys of everything kept, whole or in part, and untouched since `before`, in batches. */
  list: (before: Date) => AsyncIterable<string[]>;
  /** Removes what an interrupted `put` left behind before `before`. */
  clean: (before: Date) => Promise<void>;
};

const keyForm = /^[0-9a-f]{32}$/;

/** Keys become file names: nothing else may. */
export function isImageKey(text: string): boolean {
  return keyForm.test(text);
}
