import { randomUUID } from "node:crypto";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { createDiskParts } from "#server/features/posts/uploads/disk-parts.ts";
import type { UploadKey } from "#server/features/posts/uploads/parts.ts";
import { createStoredParts } from "#server/features/posts/uploads/stored-parts.ts";
import { storageRefusal } from "#server/platform/storage-faults.ts";

/** Where uploads arrive: one file each on a disk, one object per request in a bucket. */
export function openParts({ files, tmp }: { files: PrivateFiles; tmp: string }) {
  const parts = files.folder
    ? createDiskParts(join(files.folder, "uploads"))
    : createStoredParts({ files, tmp });

  /** What arrived, in a file that is complete. Remove it afterwards. */
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
