import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isId } from "#server/db/ids.ts";

/**
 * Files of archives in one private folder, named after the ids of their rows:
 * `<id>.zip`, and `<id>.zip.part` while it is written.
 */
export function createArchiveFiles(folder: string) {
  const finalOf = (id: string) => join(folder, `${checked(id)}.zip`);
  const draftOf = (id: string) => `${finalOf(id)}.part`;

  async function makeFolder(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }

  /** Moves a finished draft, or a file from elsewhere on this disk, to its place. */
  async function place(id: string, from = draftOf(id)): Promise<void> {
    await makeFolder();
    await rename(from, finalOf(id));
  }

  async function remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await rm(draftOf(id), { force: true });
      await rm(finalOf(id), { force: true });
    }
  }

  /** Bytes of the finished file, or null. */
  async function sizeOf(id: string): Promise<number | null> {
    const found = await stat(finalOf(id)).catch(() => null);
    return found ? found.size : null;
  }

  /** The ids of everything that lies there, untouched since `before`. */
  async function idsBefore(before: Date): Promise<string[]> {
    const names = await readdir(folder).catch(() => []);
    const ids = new Set<string>();
    for (const name of names) {
      const id = name.replace(/\.zip(\.part)?$/, "");
      const found = await stat(join(folder, name)).catch(() => null);
      if (isId(id) && found && found.mtime < before) ids.add(id);
    }
    return [...ids];
  }

  return { makeFolder, draftOf, finalOf, place, remove, sizeOf, idsBefore };
}

export type ArchiveFiles = ReturnType<typeof createArchiveFiles>;

/** Ids become file names: nothing else may. */
function checked(id: string): string {
  if (!isId(id)) throw new Error("An archive's file is named after an id.");
  return id;
}
