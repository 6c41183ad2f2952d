import { randomUUID } from "node:crypto";
import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { unguarded, type DiskGuard } from "#server/adapters/image-store/disk-guard.ts";
import {
  copyAllDurably,
  copyDurably,
  isMissing,
  makeFolderDurably,
  namesIn,
  removeUntouchedIn,
  syncToDisk,
  untouchedIn,
  writeDurably,
} from "#server/adapters/image-store/durable-files.ts";
import {
  fileOf,
  isImageKey,
  type ByteRange,
  type ImageStore,
  type OpenVariant,
  type VariantType,
} from "#server/adapters/image-store/image-store.ts";
import { refuse } from "#shared/errors.ts";

/**
 * Pictures in DATA_DIR:
 *
 *     images/ab/<key>/<width>.webp   what everybody may see; <width>.avif, <width>.moving.webp beside it
 *     originals/ab/<key>             what was sent: private, in no folder that is served
 *     tmp/<uuid>.picture/            a picture on its way; appears under images/ by one rename
 *     images/tmp/, originals/tmp/    the same, where these are file systems of their own
 */
export function createDiskStore({
  dataDir,
  guard = unguarded,
}: {
  dataDir: string;
  guard?: DiskGuard;
}): ImageStore {
  const images = join(dataDir, "images");
  const originals = join(dataDir, "originals");
  const tmp = join(dataDir, "tmp");

  // The first two digits spread the keys over 256 folders.
  const variantsOf = (key: string) => join(images, safe(key).slice(0, 2), key);
  const originalOf = (key: string) => join(originals, safe(key).slice(0, 2), key);

  const put: ImageStore["put"] = async (key, { variants, original }) => {
    const draft = join(tmp, `${randomUUID()}.picture`);
    const copy = join(tmp, `${randomUUID()}.original`);
    try {
      await makeFolderDurably(draft);
      for (const { width, bytes } of variants) {
        await writeDurably(join(draft, `${width}.webp`), bytes);
      }
      await syncToDisk(draft);
      await copyDurably(original, copy);
      await move(copy, originalOf(key), originals);
      await move(draft, variantsOf(key), images);
    } catch (error) {
      for (const path of [draft, copy, originalOf(key), variantsOf(key)]) {
        await rm(path, { recursive: true, force: true });
      }
      throw error;
    }
  };

  const add: ImageStore["add"] = async (key, { width, type, bytes }) => {
    const folder = variantsOf(key);
    // Where the sweep finds what a crash leaves.
    const draft = join(tmp, `${randomUUID()}.draft`);
    try {
      await makeFolderDurably(tmp);
      await writeDurably(draft, bytes);
      await moveInto(draft, join(folder, fileOf(width, type)), images);
      await syncToDisk(folder);
      return true;
    } catch (error) {
      // Its folder is gone with the picture.
      if (isMissing(error)) return false;
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  };

  const remove: ImageStore["remove"] = async (keys) => {
    for (const key of keys) await guard.run("slow", () => removeOne(key));
  };
  async function removeOne(key: string): Promise<void> {
    await rm(variantsOf(key), { recursive: true, force: true });
    await rm(originalOf(key), { force: true });
  }

  async function* list(before: Date): AsyncGenerator<string[]> {
    for (const area of [images, originals]) {
      for (const prefix of await namesIn(area)) {
        const keys = (await untouchedIn(join(area, prefix), before)).map((path) => basename(path));
        if (keys.length > 0) yield keys.filter(isImageKey);
      }
    }
  }

  return {
    put: (key, picture) => guard.run("slow", () => put(key, picture)),
    add: (key, variant) => guard.run("slow", () => add(key, variant)),
    open: async (key, width, type = "webp") => {
      if (!isImageKey(key)) return null;
      const path = join(variantsOf(key), fileOf(width, type));
      return opening(guard, () => openVariant(path, type, guard));
    },
    openOriginal: async (key) => (isImageKey(key) ? openFile(originalOf(key), guard) : null),
    remove,
    list: async function* (before) {
      const batches = list(before);
      for (;;) {
        const { done, value } = await guard.run("slow", () => batches.next());
        if (done) return;
        yield value;
      }
    },
    clean: async (before) => {
      for (const folder of [tmp, join(images, "tmp"), join(originals, "tmp")]) {
        await guard.run("slow", () => removeUntouchedIn(folder, before));
      }
    },
  };
}

/** Moves what is durable to where it is found, in one step whatever file system that is on. */
async function move(from: string, to: string, area: string): Promise<void> {
  await makeFolderDurably(dirname(to));
  await moveInto(from, to, area);
  await syncToDisk(dirname(to));
}

/** The same, into a folder that is there; fails where it is not. */
async function moveInto(from: string, to: string, area: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    const near = join(area, "tmp", basename(from));
    try {
      await copyAllDurably(from, near);
      await rename(near, to);
    } finally {
      await rm(near, { recursive: true, force: true });
    }
    await rm(from, { recursive: true, force: true });
  }
}

function safe(key: string): string {
  if (!isImageKey(key)) throw new Error("A picture's key must be 32 hexadecimal digits.");
  return key;
}

/** Opens what nobody may wait for any more once it is open. */
function opening<Found extends OpenVariant>(
  guard: DiskGuard,
  open: () => Promise<Found | null>,
): Promise<Found | null> {
  return guard.run("quick", open, (late) => late && closeLater(late));
}

/** Null for what is not there. */
export const openFile = (path: string, guard: DiskGuard): Promise<OpenVariant | null> =>
  opening(guard, () => openHandle(path, guard));

type OpenFile = OpenVariant & { handle: FileHandle };

async function openHandle(path: string, guard: DiskGuard): Promise<OpenFile | null> {
  try {
    const handle = await open(path, "r");
    const { size } = await handle.stat();
    return {
      handle,
      bytes: size,
      read: (range: ByteRange = { start: 0, end: size - 1 }) => readIn(handle, range, guard),
      close: () => handle.close(),
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** What is read at once, bytes. */
const pieceBytes = 64 * 1024;

function closeLater(file: { close: () => Promise<void> }): void {
  void file.close().catch(() => undefined);
}

/** The bytes of a file, each piece a call of its own; closes it. */
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

/** A variant says how long it is: what is cut, emptied or full of zeros is not served as whole. */
async function openVariant(
  path: string,
  type: VariantType,
  guard: DiskGuard,
): Promise<OpenVariant | null> {
  const file = await openHandle(path, guard);
  if (!file) return null;
  const lengthOf = type === "avif" ? avifBytes : webpBytes;
  if ((await lengthOf(file.handle)) === file.bytes) return file;
  await file.close();
  throw refuse("picture-damaged", { cause: new Error(`${path} is not whole`) });
}

/** The length of a WebP file by its own header (RIFF, then the length of what follows); else null. */
async function webpBytes(handle: FileHandle): Promise<number | null> {
  const { buffer } = await handle.read(Buffer.alloc(12), 0, 12, 0);
  const text = (from: number) => buffer.toString("latin1", from, from + 4);
  return text(0) === "RIFF" && text(8) === "WEBP" ? buffer.readUInt32LE(4) + 8 : null;
}

/** An AVIF has three or four boxes on its ground: more is no picture of ours. */
const mostBoxes = 8;

/**
 * Where the last box of an AVIF ends, by their headers (ISO/IEC 14496-12, section 4.2); null for what
 * is none.
 */
async function avifBytes(handle: FileHandle): Promise<number | null> {
  let end = 0;
  for (let box = 0; box < mostBoxes; box += 1) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, end);
    if (bytesRead === 0) return end;
    if (box === 0 && buffer.toString("latin1", 4) !== "ftyp") return null;
    const length = buffer.readUInt32BE(0);
    if (bytesRead < 8 || length < 8) return null;
    end += length;
  }
  return end;
}
