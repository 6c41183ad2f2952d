import type pg from "pg";
import type { Database } from "#server/platform/db/database.ts";
import { quoted, sql } from "#server/platform/db/sql.ts";

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
const imageColumns = `key, bytes, widths,
  coalesce(nullif(to_jsonb(t) -> 'avif_widths', 'null'), '[]') as avif,
  nullif(to_jsonb(t) -> 'moving_width', 'null')::integer as moving`;

const toImageRow = (row: ImageRow & { bytes: string | number }): ImageRow => ({
  ...row,
  bytes: Number(row.bytes),
});

/**
 * The next images of a table by key, now or in the current snapshot. Unique index on the key of each table.
 */
async function imagesAfter(client: pg.Client, table: string, after: string, limit: number) {
  const { rows } = await client.query<ImageRow & { bytes: string | number }>(
    `select ${imageColumns} from ${quoted(table)} t where key > $1 order by key limit $2`,
    [after, limit],
  );
  return rows.map(toImageRow);
}

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
export async function oldestUnfinished(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ xid: string }>(
    "select pg_snapshot_xmin(pg_current_snapshot())::text as xid",
  );
  return (rows[0] as { xid: string }).xid;
}

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
    const { rows } = await client.query<ImageRow & { bytes: string | number }>(
      `select ${imageColumns} from ${quoted(table)} t
       where age(t.xmin) between 0 and age($1::text::xid8::xid)`,
      [since],
    );
    for (let at = 0; at < rows.length; at += size) {
      yield { table, area, page: rows.slice(at, at + size).map(toImageRow) };
    }
  }
}

/** Whether a row of the table names this key. Unique index on the key of each table. */
export const isImageNamed = (db: Database, { table, key }: { table: string; key: string }) =>
  db.any(sql`select 1 from ${sql.table(table)} where key = ${key}`);

/** The ones of `keys` that the table still names. */
export async function stillReferenced(client: pg.Client, table: string, keys: readonly string[]) {
  const { rows } = await client.query<{ key: string }>(
    `select key from ${quoted(table)} where key = any($1)`,
    [keys],
  );
  return new Set(rows.map(({ key }) => key));
}

/** The number of images, and the bytes of their originals. */
export async function sumOfImages(client: pg.Client, tables: readonly string[]) {
  const each = tables.map((table) => `select count(*) as n, sum(bytes) as b from ${quoted(table)}`);
  const { rows } = await client.query<{ count: string; bytes: string }>(
    `select sum(n)::text as count, coalesce(sum(b), 0)::text as bytes
     from (${each.join(" union all ")}) x`,
  );
  return { count: Number(rows[0]?.count ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
}
