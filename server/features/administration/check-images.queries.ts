import { imageTables } from "#server/features/image-tables.ts";
import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

export type ImageTable = keyof typeof imageTables;
export const imageTableNames = Object.keys(imageTables) as ImageTable[];

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

/** Content addresses of some pictures, whichever. Index images_key_key. */
export const sampleImageKeys = (db: Database, most: number) =>
  db.column<string>(sql`
    select key from images where claimed_at is not null order by key limit ${most}
  `);

/** Whether any post or account is not for everyone. A scan of narrow_posts, and one of accounts. */
export const anythingNarrow = (db: Database) =>
  db.any(sql`
    select from narrow_posts where posts > 0
    union all
    select from accounts where private_at is not null
    limit 1
  `);

/** The next images of a table by key. Unique index on the key of each table. */
export async function imagesAfter(db: Database, table: ImageTable, after: string, limit: number) {
  const id =
    table === "images"
      ? sql`coalesce(key_id, id)`
      : imageTables[table] === "public"
        ? sql`id`
        : sql`null::uuid`;
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
