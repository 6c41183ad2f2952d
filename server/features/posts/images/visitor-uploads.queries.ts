import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { ServedImage } from "#server/features/posts/images/images.queries.ts";

export type VisitorImage = ServedImage & { id: string; uploader: string };

export const insertVisitorImage = (db: Database, image: VisitorImage) =>
  db.run(sql`insert into visitor_images ${sql.row(image)}`);

/** Younger than `seconds`. Primary key. */
export const findVisitorImage = (db: Database, id: string, seconds: number) =>
  db.first<VisitorImage>(sql`
    select *
    from visitor_images
    where id = ${id} and created_at > now() - make_interval(secs => ${seconds}::integer)
  `);

/** Makes a visitor's image the account's, unclaimed. False when somebody was faster, or it is gone. */
export const moveToAccount = (db: Database, accountId: string, id: string) =>
  db.any(sql`
    with taken as (delete from visitor_images where id = ${id} returning *)
    insert into images
      (account_id, id, key, width, height, widths, thumbhash, focus, bytes, media_type, created_at)
    select
      ${accountId}, id, key, width, height, widths, thumbhash, focus, bytes, media_type, created_at
    from taken
    returning id
  `);

/** Those older than `before`; their keys. Index visitor_images_created. */
export const deleteVisitorImages = (db: Database, before: Date) =>
  db.column<string>(sql`
    delete from visitor_images where created_at < ${before} returning key
  `);
