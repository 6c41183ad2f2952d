import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Works with the path of a new file in a folder (0700, created when needed), which is removed afterwards. */
export async function withTemporaryFile<T>(
  folder: string,
  ending: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, `${randomUUID()}.${ending}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}
