import { sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";

/**
 * Every table whose rows name files, in the order they are read. A visitor's image becomes a
 * member's: reading in this order misses none.
 */
export const imageTables = [
  "visitor_images",
  "images",
  "message_pictures",
  "imported_pictures",
] as const;
export type ImageTable = (typeof imageTables)[number];

export type StoredImage = {
  key: string;
  widths: number[];
  /** those that are stored as AVIF, too */
  avifWidths: number[];
  /** the width of the animated variant, or none */
  movingWidths: number[];
  /** of the original */
  bytes: number;
  /** what the key was made of, with the original; null where the row does not have it */
  id: string | null;
};

/** Whether a row of the table names it. Unique index on the key of each table. */
export async function isImageNamed(db: Database, table: ImageTable, key: string): Promise<boolean> {
  return db.any(sql`select 1 from ${sql.table(table)} where key = ${key}`);
}

/** The next images of a table by key. Unique index on the key of each table. */
export async function imagesAfter(
  db: Database,
  table: ImageTable,
  after: string,
  limit: number,
): Promise<StoredImage[]> {
  const id = table === "images" || table === "visitor_images" ? sql`id` : sql`null::uuid`;
  const others =
    table === "images"
      ? sql`coalesce(avif_widths, '{}') as "avifWidths",
          array_remove(array[moving_width], null) as "movingWidths"`
      : sql`'{}'::integer[] as "avifWidths", '{}'::integer[] as "movingWidths"`;
  return db.query<StoredImage>(sql`
    select key, widths, ${others}, bytes, ${id} as id from ${sql.table(table)}
    where key > ${after}
    order by key
    limit ${limit}
  `);
}
