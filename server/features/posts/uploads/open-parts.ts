import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { createDiskParts } from "#server/features/posts/uploads/disk-parts.ts";
import type { UploadKey } from "#server/features/posts/uploads/parts.ts";
import { createStoredParts } from "#server/features/posts/uploads/stored-parts.ts";
import { storageRefusal } from "#server/platform/storage-faults.ts";
import { withTemporaryFile } from "#server/platform/temporary-file.ts";

/** Where uploads arrive: one file each on a disk, one object per request in a bucket. */
export function openParts({ files, tmp }: { files: PrivateFiles; tmp: string }) {
  const parts = files.folder
    ? createDiskParts(join(files.folder, "uploads"))
    : createStoredParts({ files, tmp });

  /** Works with what arrived, in a file that is complete. */
  const withFile = <T>(key: UploadKey, bytes: number, work: (path: string) => Promise<T>) =>
    withTemporaryFile(tmp, "upload", async (path) => {
      await parts.copyTo(key, path);
      if ((await stat(path)).size !== bytes) throw new Error("An upload is not whole any more.");
      return work(path);
    }).catch((error: unknown) => {
      throw storageRefusal(error) ?? error;
    });

  return { ...parts, withFile };
}
