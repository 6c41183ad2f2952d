import type pg from "pg";
import type { ImageFile, ListedImage } from "#server/platform/backup/images.ts";
import { sql } from "#server/platform/db/sql.ts";
import { on } from "#server/platform/db/statements.ts";

/** Makes a table of images as lists name them; it goes with the session. */
export async function createListedImages(client: pg.Client): Promise<void> {
  await client.query(
    `create temp table listed_images (in_table text, key text, files jsonb, missing jsonb);
     create index on listed_images (in_table, key)`,
  );
}

export const addListedImages = (client: pg.Client, images: readonly ListedImage[]) =>
  on(client).run(sql`
    insert into pg_temp.listed_images
    select image ->> 'table', image ->> 'key', image -> 'files', image -> 'missing'
    from jsonb_array_elements(${JSON.stringify(images)}::jsonb) as image
  `);

/** What lists say of these images; one that is listed again has several lines. */
export const readListedImages = (client: pg.Client, table: string, keys: readonly string[]) =>
  on(client).query<{ key: string; files: ImageFile[]; missing: string[] }>(sql`
    select key, files, missing from pg_temp.listed_images
    where in_table = ${table} and key = any(${keys})
  `);
