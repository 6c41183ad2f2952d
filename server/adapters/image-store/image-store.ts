import type { Readable } from "node:stream";

/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number };

/**
 * The type of a variant: WebP always, AVIF beside it where that is worth it, and an animated WebP of an
 * animated image.
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
 * Where the files of images live: variants that everybody may see and the original that nobody may. `key` is
 * the content address of images.key; the files of a key never change.
 */
export type ImageStore = {
  /**
   * Stores an image: all of it or, when it throws, nothing that `open` finds. What it stored survives a power
   * cut from the moment it returns.
   */
  put: (
    key: string,
    picture: { variants: readonly { width: number; bytes: Buffer }[]; original: string },
  ) => Promise<void>;
  /**
   * Stores another variant of a stored image, as durably as `put`; whole or not at all. False if the image is
   * gone: then nothing is stored.
   */
  add: (key: string, variant: AddedVariant) => Promise<boolean>;
  /**
   * Null if it was never stored, or is stored no more. Throws refuse("picture-damaged") for a file that is
   * not as long as when it was stored.
   */
  open: (key: string, width: number, type?: VariantType) => Promise<OpenVariant | null>;
  /** The private original. Null if it isn't stored. */
  openOriginal: (key: string) => Promise<OpenVariant | null>;
  /** Variants and original; a key that isn't stored counts as removed. */
  remove: (keys: readonly string[]) => Promise<void>;
  /** Keys of everything stored, whole or in part, and untouched since `before`, in batches. */
  list: (before: Date) => AsyncIterable<string[]>;
  /** Removes what an interrupted `put` left behind before `before`. */
  clean: (before: Date) => Promise<void>;
};

const keyForm = /^[0-9a-f]{32}$/;

/** Keys become file names: nothing else may. */
export function isImageKey(text: string): boolean {
  return keyForm.test(text);
}

/** The path of an image in its area, `ab/<key>`: the first two digits spread the keys over 256 folders. */
export function keyPath(key: string): string {
  if (!isImageKey(key)) throw new Error("An image's key must be 32 hexadecimal digits.");
  return `${key.slice(0, 2)}/${key}`;
}
