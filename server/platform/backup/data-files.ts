import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { orMissing } from "#server/adapters/image-store/durable-files.ts";

/**
 * What a copy of PostgreSQL's data folder leaves out: its log, and what belongs to the running server or is
 * made anew ("Making a Base Backup Using the Low Level API" in PostgreSQL's manual).
 */
const emptied = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const leftOut =
  /^(postmaster\.(pid|opts)$|pg_internal\.init|pgsql_tmp|t\d+_\d|backup_(label|manifest)|tablespace_map)/;
/** Read last: it names the checkpoint, which others must not be older than. */
const control = join("global", "pg_control");
/** Folders in folders that PostgreSQL does not make by itself. */
const needed = [join("pg_wal", "archive_status"), join("pg_wal", "summaries")];

/** The folders of a data folder, each before what is in it, and the files that a copy needs. */
export async function* dataFilesIn(
  cluster: string,
): AsyncGenerator<{ path: string; isFolder: boolean }> {
  yield* below(cluster, "");
  for (const path of needed) yield { path, isFolder: true };
  yield { path: control, isFolder: false };
}

async function* below(
  cluster: string,
  folder: string,
): AsyncGenerator<{ path: string; isFolder: boolean }> {
  for (const entry of await entriesOf(join(cluster, folder))) {
    const path = join(folder, entry.name);
    if (leftOut.test(entry.name) || path === control) continue;
    if (entry.isDirectory()) {
      yield { path, isFolder: true };
      if (!emptied.has(path)) yield* below(cluster, path);
    } else if (entry.isFile()) yield { path, isFolder: false };
  }
}

/** None of a folder that is gone meanwhile: the log says so as well. */
const entriesOf = async (folder: string) =>
  (await orMissing(readdir(folder, { withFileTypes: true }))) ?? [];
