import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { ServedImage } from "#server/features/posts/images/images.queries.ts";

export type VisitorImage = ServedImage & { id: string; uploader: string };

export async function insertVisitorImage(db: Database, image: VisitorImage): Promise<void> {
  await db.query(sql`insert into visitor_images ${sql.row(image)}`);
}

/** Younger than `seconds`. Primary key. */
export async function findVisitorImage(
  db: Database,
  id: string,
  seconds: number,
): Promise<VisitorImage | null> {
  const [row] = await db.query<VisitorImage>(sql`
    select *
    from visitor_images
    where id = ${id} and created_at > now() - make_interval(secs => ${seconds}::integer)
  `);
  return row ?? null;
}

/** Makes a visitor's image the account's, unclaimed. False when somebody was faster, or it is gone. */
export async function moveToAccount(db: Database, accountId: string, id: string): Promise<boolean> {
  const rows = await db.query(sql`
    with taken as (delete from visitor_images where id = ${id} returning *)
    insert into images
      (account_id, id, key, width, height, widths, thumbhash, focus, bytes, media_type, created_at)
    select
      ${accountId}, id, key, width, height, widths, thumbhash, focus, bytes, media_type, created_at
    from taken
    returning id
  `);
  return rows.length > 0;
}

/** Those older than `before`; their keys. Index visitor_images_created. */
export async function deleteVisitorImages(db: Database, before: Date): Promise<string[]> {
  const rows = await db.query<{ key: string }>(sql`
    delete from visitor_images where created_at < ${before} returning key
  `);
  return rows.map(({ key }) => key);
}
