import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { isId } from "#server/db/ids.ts";

/**
 * Archives among the private files, named after the ids of their rows: `<area>/<id>.zip`. Drafts of
 * this machine lie beside them, as `<area>/<id>.<any>.part`.
 */
export function createArchiveFiles(files: PrivateFiles, area: "exports" | "imports") {
  const nameOf = (id: string) => `${area}/${checked(id)}.zip`;

  async function removeWhere(id: string, isWanted: (name: string) => boolean): Promise<void> {
    for await (const batch of files.list(`${area}/${checked(id)}.`)) {
      await files.remove(batch.map(({ name }) => name).filter(isWanted));
    }
  }

  /** With their drafts. */
  async function remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) await removeWhere(id, () => true);
  }

  /** The ids of everything that lies there, untouched since `before`. */
  async function idsBefore(before: Date): Promise<string[]> {
    const ids = new Set<string>();
    for await (const batch of files.list(`${area}/`)) {
      for (const { name, changed } of batch) {
        const [id = ""] = name.slice(area.length + 1).split(".");
        if (isId(id) && changed < before) ids.add(id);
      }
    }
    return [...ids];
  }

  return {
    /** Takes a finished file away from where it is. */
    put: (id: string, path: string) => files.put(nameOf(id), path),
    open: (id: string) => files.open(nameOf(id)),
    local: (id: string) => files.local(nameOf(id)),
    remove,
    removeDrafts: (id: string) => removeWhere(id, (name) => name.endsWith(".part")),
    idsBefore,
  };
}

/** Ids become file names: nothing else may. */
function checked(id: string): string {
  if (!isId(id)) throw new Error("An archive's file is named after an id.");
  return id;
}
