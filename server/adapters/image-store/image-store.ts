import type { Readable } from "node:stream";

/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number };

/**
 * What a variant is: WebP at once, AVIF beside it where that is worth it, and a WebP that moves of an
 * animated picture.
 */
export type VariantType = "webp" | "avif" | "moving";

/** The name of a variant's file. */
export const fileOf = (width: number, type: VariantType): string =>
  type === "moving" ? `${width}.moving.webp` : `${width}.${type}`;

/** How its bytes are encoded. */
export const encodingOf = (type: VariantType): "webp" | "avif" =>
  type === "avif" ? "avif" : "webp";

/** One variant, found and held open: read it once or close it. */
export type OpenVariant = {
  bytes: number;
  read: (range?: ByteRange) => Readable;
  close: () => Promise<void>;
};

export type AddedVariant = { width: number; type: VariantType; bytes: Buffer };

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
   * Keeps a variant more of a picture that is kept already, as durably as `put`; whole or not at
   * all. False when the picture is gone: then nothing is kept.
   */
  add: (key: string, variant: AddedVariant) => Promise<boolean>;
  /**
   * Null for what was never kept, or not any more. Throws refuse("picture-damaged") for a file that
   * is not as long as it was when it was kept.
   */
  open: (key: string, width: number, type?: VariantType) => Promise<OpenVariant | null>;
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

/** Where a picture lies in its area, `ab/<key>`: the first two digits spread the keys over 256 folders. */
export function keyPath(key: string): string {
  if (!isImageKey(key)) throw new Error("A picture's key must be 32 hexadecimal digits.");
  return `${key.slice(0, 2)}/${key}`;
}
