import { closeSync, constants, fsyncSync, openSync } from "node:fs";
import { copyFile, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Makes a folder's entries, or one file's bytes, survive a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/** The same for a folder where a start has to wait for it. */
export function syncDir(folder: string): void {
  const handle = openSync(folder, "r");
  fsyncSync(handle);
  closeSync(handle);
}

export async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  await using handle = await open(path, "wx", 0o600);
  await handle.writeFile(bytes);
  await handle.sync();
}

export async function copyDurably(from: string, to: string): Promise<void> {
  // A clone if the file system supports it.
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await syncToDisk(to);
}

/**
 * Moves a durable file, or a folder of files, in one step whatever file systems the two paths are on; `near` is
 * where a draft of it may be on the second one. Fails if the folder of `to` is missing.
 */
export async function moveInOneStep(from: string, to: string, near: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    try {
      await rm(near, { recursive: true, force: true });
      await copyAllDurably(from, near);
      await rename(near, to);
    } finally {
      await rm(near, { recursive: true, force: true });
    }
    await rm(from, { recursive: true, force: true });
  }
}

/** Copies a file, or a folder of files, to a path whose own folder is made if it is missing. */
async function copyAllDurably(from: string, to: string): Promise<void> {
  if (!(await stat(from)).isDirectory()) {
    await makeFolderDurably(dirname(to));
    return copyDurably(from, to);
  }
  await makeFolderDurably(to);
  for (const name of await readdir(from)) await copyDurably(join(from, name), join(to, name));
  await syncToDisk(to);
}

/**
 * Makes a folder (0700) and its missing parents, each one durable in its parent. One by one, because
 * `recursive` reports a read-only file system as ENOENT.
 */
export async function makeFolderDurably(path: string): Promise<void> {
  try {
    await makeOneDurably(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await makeFolderDurably(dirname(path));
    await makeOneDurably(path);
  }
}

async function makeOneDurably(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw error;
  }
  await syncToDisk(dirname(path));
}

/** Null instead of ENOENT. */
export const orMissing = <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });

/** A folder's entries; none if it is missing. */
export const namesIn = async (folder: string): Promise<string[]> =>
  (await orMissing(readdir(folder))) ?? [];

/** The paths in a folder last changed before `before`. */
export async function pathsOlderThan(folder: string, before: Date): Promise<string[]> {
  const paths = (await namesIn(folder)).map((name) => join(folder, name));
  const old: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    if (found && found.mtime < before) old.push(path);
  }
  return old;
}

export async function removeOlderThan(folder: string, before: Date): Promise<void> {
  for (const path of await pathsOlderThan(folder, before)) {
    await rm(path, { recursive: true, force: true });
  }
}

export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
