import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/archive/archive-files.queries.ts";
import { refuse, type RefusalCode } from "#shared/errors.ts";

/** Files that no row names are removed once they are this old. */
const orphanMs = 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;

type Deps = { db: Database; files: PrivateFiles };

/**
 * Archives among the private files, named after the ids of their rows: `<table>/<id>.zip`. This machine's
 * drafts are stored beside them, as `<table>/<id>.<any>.part`.
 */
export function createArchiveFiles({ db, files }: Deps, table: queries.Table) {
  const nameOf = (id: string) => `${table}/${checked(id)}.zip`;

  async function removeWhere(id: string, isWanted: (name: string) => boolean): Promise<void> {
    for await (const batch of files.list(`${table}/${checked(id)}.`)) {
      await files.remove(batch.map(({ name }) => name).filter(isWanted));
    }
  }

  /** Removes the drafts too. */
  async function remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) await removeWhere(id, () => true);
  }

  /** Archives that no row needs any more. */
  async function removeUnused(ids: readonly string[]): Promise<void> {
    const used = await queries.inUse(db, table, ids);
    await remove(ids.filter((id) => !used.has(id)));
  }

  /** Files that no row names, untouched for an hour. */
  async function removeOrphans(now: Date): Promise<void> {
    const ids = new Set<string>();
    for await (const batch of files.list(`${table}/`)) {
      for (const { name, changed } of batch) {
        const [id = ""] = name.slice(table.length + 1).split(".");
        if (isId(id) && changed.getTime() < now.getTime() - orphanMs) ids.add(id);
      }
    }
    await removeUnused([...ids]);
  }

  return {
    /** Moves a finished file into the store. */
    put: (id: string, path: string) => files.put(nameOf(id), path),
    open: (id: string) => files.open(nameOf(id)),
    local: (id: string) => files.local(nameOf(id)),
    remove,
    removeDrafts: (id: string) => removeWhere(id, (name) => name.endsWith(".part")),
    removeUnused,
    removeOrphans,
    /** Every file of an account that is being deleted, before its rows are deleted. */
    removeFilesOf: async (accountId: string) => remove(await queries.idsOf(db, table, accountId)),
  };
}

/** Refuses with `code` (retryAfter says when) an account that has started as many within a day as allowed. */
export async function checkDaily(
  db: Database,
  table: queries.Table,
  whose: Parameters<typeof queries.startsOfDay>[2],
  { most, code }: { most: number; code: RefusalCode },
): Promise<void> {
  const recent = await queries.startsOfDay(db, table, whose);
  if (recent.length < most) return;
  const again = (recent[0] ?? Date.now()) + dayMs - Date.now();
  throw refuse(code, { retryAfter: Math.max(1, Math.ceil(again / 1000)) });
}

/** Ids become file names: nothing else is accepted. */
function checked(id: string): string {
  if (!isId(id)) throw new Error("An archive's file is named after an id.");
  return id;
}
