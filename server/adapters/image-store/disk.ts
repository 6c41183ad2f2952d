import { randomUUID } from "node:crypto";
import { open, rm, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { unguarded, type DiskGuard } from "#server/adapters/image-store/disk-guard.ts";
import {
  copyDurably,
  isMissing,
  makeFolderDurably,
  moveInOneStep,
  namesIn,
  orMissing,
  removeOlderThan,
  syncToDisk,
  pathsOlderThan,
  writeDurably,
} from "#server/adapters/image-store/durable-files.ts";
import {
  fileOf,
  isImageKey,
  keyPath,
  type AddedVariant,
  type ByteRange,
  type ImageStore,
  type OpenVariant,
  type VariantType,
} from "#server/adapters/image-store/image-store.ts";
import { headBytes, isComplete } from "#server/adapters/image-store/complete-variant.ts";
import { refuse } from "#shared/errors.ts";

/**
 * Images in DATA_DIR:
 *
 *     images/ab/<key>/<width>.webp   what everybody may see; <width>.avif, <width>.moving.webp beside it
 *     originals/ab/<key>             what was sent: private, in no folder that is served
 *     tmp/<uuid>.picture/            an image being written; appears under images/ by one rename
 *     images/tmp/, originals/tmp/    the same, if these are separate file systems
 */
export function createDiskStore({
  dataDir,
  guard = unguarded,
}: {
  dataDir: string;
  guard?: DiskGuard;
}): ImageStore {
  const folders = {
    images: join(dataDir, "images"),
    originals: join(dataDir, "originals"),
    tmp: join(dataDir, "tmp"),
  };
  const { images, originals, tmp } = folders;
  const variantsOf = (key: string) => join(images, keyPath(key));
  const originalOf = (key: string) => join(originals, keyPath(key));

  return {
    put: (key, image) => guard.run("slow", () => put(folders, key, image)),
    add: (key, variant) => guard.run("slow", () => add(folders, key, variant)),
    open: async (key, width, type = "webp") => {
      if (!isImageKey(key)) return null;
      const path = join(variantsOf(key), fileOf(width, type));
      return opening(guard, () => openVariant(path, type, guard));
    },
    openOriginal: async (key) => (isImageKey(key) ? openFile(originalOf(key), guard) : null),
    remove: async (keys) => {
      for (const key of keys) {
        await guard.run("slow", async () => {
          await rm(variantsOf(key), { recursive: true, force: true });
          await rm(originalOf(key), { force: true });
        });
      }
    },
    list: async function* (before) {
      const batches = keysIn([images, originals], before);
      for (;;) {
        const { done, value } = await guard.run("slow", () => batches.next());
        if (done) return;
        yield value;
      }
    },
    clean: async (before) => {
      for (const folder of [tmp, join(images, "tmp"), join(originals, "tmp")]) {
        await guard.run("slow", () => removeOlderThan(folder, before));
      }
    },
  };
}

type Folders = { images: string; originals: string; tmp: string };

async function put(
  { images, originals, tmp }: Folders,
  key: string,
  { variants, original }: Parameters<ImageStore["put"]>[1],
): Promise<void> {
  const draft = join(tmp, `${randomUUID()}.picture`);
  const copy = join(tmp, `${randomUUID()}.original`);
  const [folder, file] = [join(images, keyPath(key)), join(originals, keyPath(key))];
  try {
    await makeFolderDurably(draft);
    for (const { width, bytes } of variants) {
      await writeDurably(join(draft, `${width}.webp`), bytes);
    }
    await syncToDisk(draft);
    await copyDurably(original, copy);
    await move(copy, file, originals);
    await move(draft, folder, images);
  } catch (error) {
    for (const path of [draft, copy, file, folder]) {
      await rm(path, { recursive: true, force: true });
    }
    throw error;
  }
}

async function add({ images, tmp }: Folders, key: string, { width, type, bytes }: AddedVariant) {
  const folder = join(images, keyPath(key));
  // Where the sweep finds what a crash leaves.
  const draft = join(tmp, `${randomUUID()}.draft`);
  try {
    await makeFolderDurably(tmp);
    await writeDurably(draft, bytes);
    await moveInOneStep(draft, join(folder, fileOf(width, type)), draftIn(images, draft));
    await syncToDisk(folder);
    return true;
  } catch (error) {
    // Its folder was removed with the image.
    if (isMissing(error)) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function* keysIn(areas: readonly string[], before: Date): AsyncGenerator<string[]> {
  for (const area of areas) {
    for (const prefix of await namesIn(area)) {
      const keys = (await pathsOlderThan(join(area, prefix), before)).map((path) => basename(path));
      if (keys.length > 0) yield keys.filter(isImageKey);
    }
  }
}

/** Moves durable files to their final path. */
async function move(from: string, to: string, area: string): Promise<void> {
  await makeFolderDurably(dirname(to));
  await moveInOneStep(from, to, draftIn(area, from));
  await syncToDisk(dirname(to));
}

/** Where a draft is in an area that is a separate file system. */
const draftIn = (area: string, from: string) => join(area, "tmp", basename(from));

/** Opens a file, and closes it again if nobody waits for it any more. */
function opening<Found extends OpenVariant>(
  guard: DiskGuard,
  open: () => Promise<Found | null>,
): Promise<Found | null> {
  return guard.run("quick", open, (late) => late && closeLater(late));
}

/** Null for a missing file. */
export const openFile = (path: string, guard: DiskGuard): Promise<OpenVariant | null> =>
  opening(guard, () => openHandle(path, guard));

type OpenFile = OpenVariant & { handle: FileHandle };

async function openHandle(path: string, guard: DiskGuard): Promise<OpenFile | null> {
  const handle = await orMissing(open(path, "r"));
  if (!handle) return null;
  const { size } = await handle.stat();
  return {
    handle,
    bytes: size,
    read: (range: ByteRange = { start: 0, end: size - 1 }) => readIn(handle, range, guard),
    close: () => handle.close(),
  };
}

/** How much is read at once, bytes. */
const pieceBytes = 64 * 1024;

function closeLater(file: { close: () => Promise<void> }): void {
  void file.close().catch(() => undefined);
}

/** The bytes of a file, each chunk in a separate call; closes it. */
function readIn(handle: FileHandle, { start, end }: ByteRange, guard: DiskGuard): Readable {
  let at = start;
  async function piece(length: number): Promise<Buffer | null> {
    const { bytesRead, buffer } = await guard.run("quick", () =>
      handle.read(Buffer.allocUnsafeSlow(length), 0, length, at),
    );
    at += bytesRead;
    return bytesRead === 0 ? null : buffer.subarray(0, bytesRead);
  }
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      const length = Math.min(pieceBytes, end + 1 - at);
      if (length <= 0) return void this.push(null);
      piece(length).then(
        (bytes) => this.push(bytes),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      // On a disk that is gone it may never be closed.
      closeLater(handle);
      done(error);
    },
  });
}

/** A variant says how long it is: a truncated, empty or zero-filled file is not served as whole. */
async function openVariant(
  path: string,
  type: VariantType,
  guard: DiskGuard,
): Promise<OpenVariant | null> {
  const file = await openHandle(path, guard);
  if (!file) return null;
  const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  if (isComplete(type, buffer.subarray(0, bytesRead), file.bytes)) return file;
  await file.close();
  throw refuse("picture-damaged", { cause: new Error(`${path} is not whole`) });
}
