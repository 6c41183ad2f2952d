import type pg from "pg";
import type { Database } from "#server/platform/db/database.ts";
import { sql } from "#server/platform/db/sql.ts";
import { on } from "#server/platform/db/statements.ts";

/** A row that names the files of an image. */
export type ImageRow = {
  key: string;
  /** of the original */
  bytes: number;
  widths: number[];
  avif: number[];
  moving: number | null;
};

/** Also of a database that is older than some of the columns. */
const imageColumns = sql`key, bytes::float8, widths,
  coalesce(nullif(to_jsonb(t) -> 'avif_widths', 'null'), '[]') as avif,
  nullif(to_jsonb(t) -> 'moving_width', 'null')::integer as moving`;

/**
 * The next images of a table by key, now or in the current snapshot. Unique index on the key of each table.
 */
const imagesAfter = (client: pg.Client, table: string, after: string, limit: number) =>
  on(client).query<ImageRow>(sql`
    select ${imageColumns} from ${sql.table(table)} t
    where key > ${after} order by key limit ${limit}
  `);

/** All images in pages; the last page of each table may be short or empty. */
export async function* imagePages<Area>(
  client: pg.Client,
  tables: Readonly<Record<string, Area>>,
  size: number,
) {
  for (const [table, area] of Object.entries(tables)) {
    let page: ImageRow[] = [];
    do {
      page = await imagesAfter(client, table, page.at(-1)?.key ?? "", size);
      yield { table, area, page };
    } while (page.length === size);
  }
}

/** All transactions before this one are over: what is in sight now needs no second look. */
export const oldestUnfinished = (client: pg.Client) =>
  on(client).scalar<string>(sql`select pg_snapshot_xmin(pg_current_snapshot())::text`);

/**
 * Images whose rows were written or changed by that transaction or a later one, in pages of `size`. A scan of
 * each table, a tenth of a second for a million rows.
 */
export async function* imagesSince<Area>(
  client: pg.Client,
  tables: Readonly<Record<string, Area>>,
  since: string,
  size: number,
) {
  for (const [table, area] of Object.entries(tables)) {
    const rows = await on(client).query<ImageRow>(sql`
      select ${imageColumns} from ${sql.table(table)} t
      where age(t.xmin) between 0 and age(${since}::text::xid8::xid)
    `);
    for (let at = 0; at < rows.length; at += size) {
      yield { table, area, page: rows.slice(at, at + size) };
    }
  }
}

/** Whether a row of the table names this key. Unique index on the key of each table. */
export const isImageNamed = (db: Database, { table, key }: { table: string; key: string }) =>
  db.any(sql`select 1 from ${sql.table(table)} where key = ${key}`);

/** The ones of `keys` that the table still names. */
export async function stillReferenced(client: pg.Client, table: string, keys: readonly string[]) {
  const found = await on(client).column<string>(sql`
    select key from ${sql.table(table)} where key = any(${keys})
  `);
  return new Set(found);
}

/** The number of images, and the bytes of their originals. */
export function sumOfImages(client: pg.Client, tables: readonly string[]) {
  const each = tables.map((table) => sql`select bytes from ${sql.table(table)}`);
  return on(client).one<{ count: number; bytes: number }>(sql`
    select count(*)::float8 as count, coalesce(sum(bytes), 0)::float8 as bytes
    from (${sql.join(each, sql` union all `)}) images
  `);
}
