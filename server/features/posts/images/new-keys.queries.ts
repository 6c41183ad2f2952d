import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** An image of a post that is not for everyone, with what is stored of it. */
export type GatedImage = {
  accountId: string;
  id: string;
  key: string;
  widths: number[];
  avifWidths: number[] | null;
  movingWidth: number | null;
};

/** The image under a key, if the post that it is of is not for everyone. images.key, post_pictures_image. */
export const findGated = (db: Database, key: string) =>
  db.first<GatedImage>(sql`
    select i.account_id as "accountId", i.id, i.key, i.widths, i.avif_widths as "avifWidths",
      i.moving_width as "movingWidth"
    from images i
    join post_pictures pp on pp.author_id = i.account_id and pp.image_id = i.id
    join posts p on p.author_id = pp.author_id and p.id = pp.post_id
    where i.key = ${key} and p.audience <> 'everyone'
  `);

/** Gives an image the key of its copy, if it still is what was copied. Primary key. */
export const switchKey = (
  db: Database,
  { accountId, id, key, widths, avifWidths }: GatedImage,
  renewed: { key: string; keyId: string },
) =>
  db.any(sql`
    update images set key = ${renewed.key}, key_id = ${renewed.keyId}, former_key = ${key}
    where account_id = ${accountId} and id = ${id} and key = ${key}
      and widths = ${widths}::integer[] and avif_widths is not distinct from ${avifWidths}::integer[]
    returning id
  `);
