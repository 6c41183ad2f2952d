import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** The value stored in its row; undefined without one. Primary key. */
export async function readSetting(db: Database, key: string): Promise<unknown> {
  const [row] = await db.query<{ value: unknown }>(
    sql.named("operator.read-setting")`select value from operator_settings where key = ${key}`,
  );
  return row?.value;
}

/** Those of these settings that are set. Primary key. */
export async function readSettings(
  db: Database,
  keys: readonly string[],
): Promise<Map<string, unknown>> {
  const rows = await db.query<{ key: string; value: unknown }>(sql.named("operator.read-settings")`
    select key, value from operator_settings where key = any(${keys})
  `);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

export const writeSetting = (db: Database, key: string, value: unknown) =>
  db.run(sql`
    insert into operator_settings (key, value) values (${key}, ${JSON.stringify(value)}::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = now()
  `);
