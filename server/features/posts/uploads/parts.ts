import { randomUUID } from "node:crypto";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { createDiskParts } from "#server/features/posts/uploads/disk-parts.ts";
import { createStoredParts } from "#server/features/posts/uploads/stored-parts.ts";
import { storageRefusal } from "#server/storage-faults.ts";

/** Whose upload, and which. */
export type UploadKey = { accountId: string; id: string };

/**
 * Bytes of uploads, by where in the whole file they belong. Whoever sends the same ones again changes
 * nothing: so no request has to wait for one that another process has, and that may have died.
 */
export type Parts = {
  /** Bytes that arrived, without a gap from the first on. */
  size: (key: UploadKey) => Promise<number>;
  /**
   * Adds what comes from there on; answers where that ends. What had come when the sender went away
   * is kept: the next one goes on there.
   */
  append: (key: UploadKey, from: number, chunks: AsyncIterable<Buffer>) => Promise<number>;
  /** Writes what arrived to a file. */
  copyTo: (key: UploadKey, path: string) => Promise<void>;
  remove: (key: UploadKey) => Promise<void>;
  /** All of which something lies there, or those of one account. */
  list: (accountId?: string) => Promise<UploadKey[]>;
};

/** Where uploads arrive: in one file each on a disk, in one object for each request in a bucket. */
export function createParts({ files, tmp }: { files: PrivateFiles; tmp: string }) {
  const parts = files.folder
    ? createDiskParts(join(files.folder, "uploads"))
    : createStoredParts({ files, tmp });

  /** What arrived, in a file that nobody adds to any more. Remove it afterwards. */
  async function take(
    key: UploadKey,
    bytes: number,
  ): Promise<{ path: string; remove: () => Promise<void> }> {
    const path = join(tmp, `${randomUUID()}.upload`);
    const remove = () => rm(path, { force: true });
    try {
      await mkdir(tmp, { recursive: true, mode: 0o700 });
      await parts.copyTo(key, path);
      if ((await stat(path)).size !== bytes) throw new Error("An upload is not whole any more.");
      return { path, remove };
    } catch (error) {
      await remove();
      throw storageRefusal(error) ?? error;
    }
  }

  return { ...parts, take };
}
