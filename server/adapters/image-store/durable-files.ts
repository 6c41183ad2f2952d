import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Makes what a folder lists, or one file holds, survive a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function copyDurably(from: string, to: string): Promise<void> {
  // A clone where the file system can.
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await syncToDisk(to);
}

/** Makes a folder (0700) and its missing parents, each one listed durably in the one above it. */
export async function makeFolderDurably(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made !== dirname(first); made = dirname(made)) {
    await syncToDisk(dirname(made));
  }
}

/** What a folder lists; nothing when it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The paths in a folder last changed before `before`. */
export async function untouchedIn(folder: string, before: Date): Promise<string[]> {
  const paths = (await namesIn(folder)).map((name) => join(folder, name));
  const old: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    if (found && found.mtime < before) old.push(path);
  }
  return old;
}

export async function removeUntouchedIn(folder: string, before: Date): Promise<void> {
  for (const path of await untouchedIn(folder, before)) {
    await rm(path, { recursive: true, force: true });
  }
}

export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
