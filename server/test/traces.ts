import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import type { Database } from "#server/platform/db/database.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

type Where = { db: Database; store: ImageStore };
export type Trace = { tables: string[]; files: string[]; keys: string[] };

/**
 * Where data of an account is left: tables with rows whose text contains its id, email or current username,
 * and images of `keys` (those in its rows, if not given) that are still in the store. It asks the database
 * for its tables, including those of background jobs: later tables are searched without a change here.
 */
export async function traceOf(
  { db, store }: Where,
  { id, email, username }: Pick<Viewer, "id" | "email" | "username">,
  keys?: readonly string[],
): Promise<Trace> {
  const tables = await query<{ name: string }>(
    db,
    `select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const quoted = name
      .split(".")
      .map((part) => `"${part}"`)
      .join(".");
    const rows = await query(
      db,
      `select 1 from ${quoted} t where t::text ~* $1 or t::text ilike '%' || $2 || '%' limit 1`,
      [`${id}|\\y${username}\\y`, email],
    );
    if (rows.length > 0) found.push(name);
  }
  const named = await query<{ key: string }>(db, "select key from images where account_id = $1", [
    id,
  ]);
  const wanted = keys ?? named.map(({ key }) => key);
  const files: string[] = [];
  for (const key of wanted) {
    const original = await store.openOriginal(key);
    await original?.close();
    if (original) files.push(key);
  }
  files.push(...(await keysIn(store)).filter((key) => wanted.includes(key)));
  return { tables: found, files, keys: keys ? [] : [...wanted] };
}

/** The keys of all images of which a store has any file. */
export async function keysIn(store: Pick<ImageStore, "list">): Promise<string[]> {
  const keys = new Set<string>();
  for await (const some of store.list(new Date(Date.now() + 60_000))) {
    for (const key of some) keys.add(key);
  }
  return [...keys].toSorted();
}

/** The names of private files that begin with `start`. */
export async function namesIn(files: Pick<PrivateFiles, "list">, start: string): Promise<string[]> {
  const names: string[] = [];
  for await (const batch of files.list(start)) names.push(...batch.map(({ name }) => name));
  return names.toSorted();
}

/** Every file below a folder, by its path in it. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export function sha256(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
