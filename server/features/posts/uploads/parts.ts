import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { storageRefusal } from "#server/storage-faults.ts";

/** Whose upload, and which. */
export type UploadKey = { accountId: string; id: string };

/** Files that arrive in parts, one an upload, in a folder of their own (0700, made when needed). */
export function createParts(folder: string) {
  const pathOf = ({ accountId, id }: UploadKey) => join(folder, `${accountId}.${id}`);

  /** Bytes that arrived. */
  async function size(key: UploadKey): Promise<number> {
    const found = await stat(pathOf(key)).catch(orNull);
    return found?.size ?? 0;
  }

  /**
   * Adds what comes to the end of a file. What had been written when the sender went away stays: the
   * next one goes on there. Refuses with disk-full and disk-read-only.
   */
  async function append(key: UploadKey, chunks: AsyncIterable<Buffer>): Promise<void> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const handle = await open(pathOf(key), "a", 0o600);
      try {
        for await (const chunk of chunks) await handle.appendFile(chunk);
        // Nobody is told of bytes that the machine could still lose.
        await handle.datasync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw storageRefusal(error) ?? error;
    }
  }

  async function remove(key: UploadKey): Promise<void> {
    await rm(pathOf(key), { force: true });
  }

  async function list(): Promise<UploadKey[]> {
    const names = (await readdir(folder).catch(orNull)) ?? [];
    return names.flatMap((name) => {
      const [accountId, id] = name.split(".");
      return accountId && id ? [{ accountId, id }] : [];
    });
  }

  return { pathOf, size, append, remove, list };
}

function orNull(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
