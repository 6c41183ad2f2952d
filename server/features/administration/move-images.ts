import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import {
  fileOf,
  type ImageStore,
  type OpenVariant,
} from "#server/adapters/image-store/image-store.ts";
import { allOrNothing, openFile, type Stores } from "#server/platform/backup/images.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  anythingNarrow,
  type StoredImage,
} from "#server/features/administration/check-images.queries.ts";
import { imagePages, type CheckPosition } from "#server/features/administration/check-images.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { keysInUse } from "#server/features/posts/index.ts";
import { messageImageKeysInUse } from "#server/features/talk/index.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { hashing, hashOf, hashOfBytes } from "#server/platform/hashing.ts";
import { withTemporaryFile } from "#server/platform/temporary-file.ts";
import { limits } from "#shared/limits.ts";

type Deps = {
  db: Database;
  from: Stores;
  to: Stores;
  /** where originals are while they are copied; on the disk that must not fill up */
  folder: string;
  /** whether `to` is on that disk, too */
  toDisk: boolean;
  /** whether `to` is an image host, which shows images to whoever knows their addresses there */
  toHost?: boolean;
  freeBytes?: (folder: string) => Promise<number>;
};

type Callbacks = {
  /** an image that is not moved, and why; it stays where it is */
  onFault: (fault: { key: string; why: string }) => void;
  /** after every page of rows */
  onProgress?: (moved: Moved, position: CheckPosition) => void;
};

/** Images by outcome; bytes that were copied. */
export type Moved = { copied: number; known: number; faults: number; bytes: number };

type Wanted = { after?: CheckPosition | null; remove?: boolean };

const pageSize = 50;
const imagesAtOnce = 4;
/** The space that images being copied take on the disk at most. */
const inTransitBytes = imagesAtOnce * limits.imageBytes;

/**
 * Copies the files of every image from one store to another while servers use both, compares them
 * by hash, and removes them from the first where that is wanted. What is there already is compared
 * and not copied again, so that it can be interrupted at any moment and started again. Throws an
 * Error with a message when there is no space, or images are not for a host, and what an unreachable store
 * throws.
 */
export async function moveImages(
  { db, from, to, folder, toDisk, toHost = false, freeBytes = freeBytesIn }: Deps,
  { onFault, onProgress }: Callbacks,
  { after = null, remove = false }: Wanted = {},
): Promise<Moved> {
  if (toHost && (await anythingNarrow(db))) {
    throw new Error(
      "There are posts that are not for everyone, or private accounts: their pictures can't move to an image host.",
    );
  }
  const moved: Moved = { copied: 0, known: 0, faults: 0, bytes: 0 };
  const limit = pLimit(imagesAtOnce);
  await mkdir(folder, { recursive: true, mode: 0o700 });

  async function moveOne(area: "store" | "privateStore", image: StoredImage): Promise<void> {
    const stores = { from: from[area], to: to[area] };
    try {
      const bytes = await withTemporaryFile(folder, "move", (path) =>
        copyVerified({ ...stores, path }, image),
      );
      moved[bytes === null ? "known" : "copied"] += 1;
      moved.bytes += bytes ?? 0;
    } catch (error) {
      if (!(error instanceof MoveFault)) throw error;
      // Deleted during the check: nothing is missing.
      if (!(await isNamed(area, image.key))) return stores.to.remove([image.key]);
      moved.faults += 1;
      return onFault({ key: image.key, why: error.message });
    }
    // Deleting it from now on removes both.
    if (!(await isNamed(area, image.key))) await stores.to.remove([image.key]);
    if (remove) await stores.from.remove([image.key]);
  }

  async function isNamed(area: "store" | "privateStore", key: string): Promise<boolean> {
    const named = area === "store" ? keysInUse : messageImageKeysInUse;
    return (await named(db, [key])).has(key);
  }

  async function checkFreeSpace(page: readonly StoredImage[]): Promise<void> {
    // Variants take about as much again.
    const coming = toDisk ? page.reduce((sum, { bytes }) => sum + 2 * bytes, 0) : 0;
    const left = (await freeBytes(folder)) - coming - inTransitBytes;
    if (left >= limits.uploads.reserve) return;
    throw new Error(
      `The disk of DATA_DIR has no room for more: make some and run move-pictures again.`,
    );
  }

  for await (const { page, position } of imagePages(db, after, pageSize)) {
    const area = imageTables[position.table] === "public" ? "store" : "privateStore";
    await checkFreeSpace(page);
    await allOrNothing(page.map((one) => limit(moveOne, area, one)));
    onProgress?.(moved, position);
  }
  return moved;
}

type Transfer = { from: ImageStore; to: ImageStore; path: string };
/** The hash of every file of an image; null for one that is not there. */
type Hashes = { original: string | null; variants: Map<number, string | null> };

/**
 * Bytes that were copied; null where nothing had to be. Throws a MoveFault where the copy is not
 * whole.
 */
async function copyVerified(
  { from, to, path }: Transfer,
  image: StoredImage,
): Promise<number | null> {
  const { key, widths } = image;
  const there = await hashesIn(to, image);
  const original = await from.openOriginal(key);
  const variants: { width: number; bytes: Buffer }[] = [];
  for (const width of widths) {
    const found = await openFile(from, key, fileOf(width, "webp"));
    if (found) variants.push({ width, bytes: await buffer(found.read()) });
  }
  if (!original && variants.length === 0) {
    // Uploaded since the move began, or moved before.
    if (isWhole(there)) return null;
    throw new MoveFault("it is in neither store as a whole");
  }
  if (!original || variants.length < widths.length) {
    await original?.close();
    // An earlier move was interrupted while removing it.
    if (isWhole(there)) return null;
    throw new MoveFault("some of its files are missing or damaged: see check-pictures");
  }
  const wanted: Hashes = {
    original: await save(original, path),
    variants: new Map(variants.map(({ width, bytes }) => [width, hashOfBytes(bytes).sha256])),
  };
  if (isSame(wanted, there)) {
    await addOthers({ from, to }, image);
    return null;
  }
  // What an earlier copy left unfinished is in the way of a whole one.
  if (there.original !== null || [...there.variants.values()].some((hash) => hash !== null)) {
    await to.remove([key]);
  }
  await to.put(key, { variants, original: path });
  if (!isSame(wanted, await hashesIn(to, image))) {
    throw new MoveFault("its copy is not the same; it stays where it was");
  }
  await addOthers({ from, to }, image);
  return variants.reduce((sum, { bytes }) => sum + bytes.length, original.bytes);
}

/**
 * The animated variant, and those made in the background, whether its row has them already or not.
 */
async function addOthers({ from, to }: Pick<Transfer, "from" | "to">, image: StoredImage) {
  const { key, widths, movingWidths } = image;
  const others = [
    ...widths.map((width) => ({ width, type: "avif" as const })),
    ...movingWidths.map((width) => ({ width, type: "moving" as const })),
  ];
  for (const { width, type } of others) {
    const found = await openFile(from, key, fileOf(width, type));
    if (!found) continue;
    const bytes = await buffer(found.read());
    const read = async () => {
      const copy = await openFile(to, key, fileOf(width, type));
      return copy && hashOfFile(copy);
    };
    if ((await read()) === hashOfBytes(bytes).sha256) continue;
    await to.add(key, { width, type, bytes });
    if ((await read()) !== hashOfBytes(bytes).sha256) {
      throw new MoveFault("its copy is not the same; it stays where it was");
    }
  }
}

async function hashesIn(store: ImageStore, { key, widths }: StoredImage): Promise<Hashes> {
  const original = await store.openOriginal(key);
  const hashes: Hashes = {
    original: original && (await hashOfFile(original)),
    variants: new Map(),
  };
  for (const width of widths) {
    const found = await openFile(store, key, fileOf(width, "webp"));
    hashes.variants.set(width, found && (await hashOfFile(found)));
  }
  return hashes;
}

const isWhole = ({ original, variants }: Hashes): boolean =>
  original !== null && [...variants.values()].every((hash) => hash !== null);

const isSame = (one: Hashes, other: Hashes): boolean =>
  one.original === other.original &&
  [...one.variants].every(([width, hash]) => other.variants.get(width) === hash);

const hashOfFile = async (file: OpenVariant): Promise<string> => (await hashOf(file.read())).sha256;

/** Writes a file to a path; its hash. */
async function save(file: OpenVariant, path: string): Promise<string> {
  const { stream, result } = hashing();
  await pipeline(file.read(), stream, createWriteStream(path, { mode: 0o600 }));
  return result().sha256;
}

/** Says why an image is not moved. */
class MoveFault extends Error {}
