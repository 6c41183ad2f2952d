import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Parts, UploadKey } from "#server/features/posts/uploads/parts.ts";
import { storageRefusal } from "#server/platform/storage-faults.ts";

/** One file per upload, in a folder of its own (0700, created when needed). */
export function createDiskParts(folder: string): Parts {
  const pathOf = ({ accountId, id }: UploadKey) => join(folder, `${accountId}.${id}`);

  const size: Parts["size"] = async (key) => {
    const found = await stat(pathOf(key)).catch(orNull);
    return found?.size ?? 0;
  };

  /** Refuses with disk-full and disk-read-only. */
  const append: Parts["append"] = async (key, from, chunks) => {
    let end = from;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const handle = await open(pathOf(key), constants.O_CREAT | constants.O_WRONLY, 0o600);
      try {
        for await (const chunk of chunks) {
          await writeAll(handle, chunk, end);
          end += chunk.length;
        }
        // Bytes are not confirmed while the machine could still lose them.
        await handle.datasync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw storageRefusal(error) ?? error;
    }
    return end;
  };

  const list: Parts["list"] = async (accountId = "") => {
    const names = (await readdir(folder).catch(orNull)) ?? [];
    return names.flatMap((name) => {
      const [account, id] = name.split(".");
      return account && id && account.startsWith(accountId) ? [{ accountId: account, id }] : [];
    });
  };

  return {
    size,
    append,
    copyTo: (key, path) =>
      copyFile(pathOf(key), path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE),
    remove: (key) => rm(pathOf(key), { force: true }),
    list,
  };
}

/** At its position, not at the end: two processes with the same bytes write the same file. */
async function writeAll(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const left = chunk.length - done;
    done += (await handle.write(chunk, done, left, position + done)).bytesWritten;
  }
}

function orNull(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
