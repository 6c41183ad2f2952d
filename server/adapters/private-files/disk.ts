import { randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openFile } from "#server/adapters/image-store/disk.ts";
import { unguarded, type DiskGuard } from "#server/adapters/image-store/disk-guard.ts";
import {
  makeFolderDurably,
  moveInOneStep,
  namesIn,
  orMissing,
  syncToDisk,
  writeDurably,
} from "#server/adapters/image-store/durable-files.ts";
import {
  checkedName,
  type StoredFile,
  type PrivateFiles,
} from "#server/adapters/private-files/private-files.ts";

/**
 * Private files in DATA_DIR, by their names:
 *
 *     exports/<id>.zip, imports/<id>.zip, outbox/<time>-<id>.eml
 *     tmp/<uuid>.private         one being written
 *     exports/<id>.zip.part      the same, if the area is a separate file system
 */
export function createDiskFiles({
  dataDir,
  guard = unguarded,
}: {
  dataDir: string;
  guard?: DiskGuard;
}): PrivateFiles {
  const pathOf = (name: string) => join(dataDir, checkedName(name));

  const put: PrivateFiles["put"] = async (name, source) => {
    const path = pathOf(name);
    await makeFolderDurably(dirname(path));
    if (typeof source === "string") {
      await syncToDisk(source);
      await moveInOneStep(source, path, `${path}.part`);
    } else {
      const draft = join(dataDir, "tmp", `${randomUUID()}.private`);
      try {
        await makeFolderDurably(dirname(draft));
        await writeDurably(draft, source);
        await moveInOneStep(draft, path, `${path}.part`);
      } finally {
        await rm(draft, { force: true });
      }
    }
    await syncToDisk(dirname(path));
  };

  async function* list(start: string): AsyncGenerator<StoredFile[]> {
    const area = start.slice(0, start.indexOf("/"));
    const found: StoredFile[] = [];
    for (const entry of await namesIn(join(dataDir, area))) {
      const name = `${area}/${entry}`;
      if (!name.startsWith(start)) continue;
      const changed = await stat(join(dataDir, name)).catch(() => null);
      if (changed) found.push({ name, changed: changed.mtime });
    }
    if (found.length > 0) yield found;
  }

  return {
    folder: dataDir,
    put,
    open: (name) => openFile(pathOf(name), guard),
    local: async (name) => {
      const found = await openFile(pathOf(name), guard);
      await found?.close();
      return found && { path: pathOf(name), release: async () => undefined };
    },
    remove: async (names) => {
      for (const name of names) await orMissing(rm(pathOf(name), { force: true }));
    },
    list,
    locate: pathOf,
  };
}
