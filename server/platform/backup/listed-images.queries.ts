import type pg from "pg";
import type { ImageFile, ListedImage } from "#server/platform/backup/images.ts";

/** Makes a table of images as lists name them; it goes with the session. */
export async function createListedImages(client: pg.Client): Promise<void> {
  await client.query(
    `create temp table listed_images (in_table text, key text, files jsonb, missing jsonb);
     create index on listed_images (in_table, key)`,
  );
}

export async function addListedImages(client: pg.Client, images: readonly ListedImage[]) {
  await client.query(
    `insert into pg_temp.listed_images
     select image ->> 'table', image ->> 'key', image -> 'files', image -> 'missing'
     from jsonb_array_elements($1::jsonb) as image`,
    [JSON.stringify(images)],
  );
}

/** What lists say of these images; one that is listed again has several lines. */
export async function readListedImages(client: pg.Client, table: string, keys: readonly string[]) {
  const { rows } = await client.query<{ key: string; files: ImageFile[]; missing: string[] }>(
    `select key, files, missing from pg_temp.listed_images where in_table = $1 and key = any($2)`,
    [table, keys],
  );
  return rows;
}
