import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { forEveryone, inAudience, noBlock, visibleAccount } from "#server/features/people/index.ts";
import type { AskingAccount, Credentials } from "#server/features/types.ts";

/** The image served under a key. */
export type Served = {
  width: number;
  height: number;
  widths: number[];
  avifWidths: number[] | null;
  movingWidth: number | null;
  /** its account is suspended or leaving */
  withdrawn: boolean;
  /** it is of a post that is not for everyone */
  gated: boolean;
  /** it is of none that who asks may not see */
  allowed: boolean;
};

/** Who asks, and the kinds of credentials that are looked up: read only for what is not for everyone. */
type AskedBy = { credentials: Credentials; kinds: readonly AskingAccount[] };

/**
 * The image served under a key, and whether who asks may see the post that it is of; avatars and what is of
 * no post yet are everybody's. Prepared: a page asks for dozens. Unique index on images.key, primary keys
 * of accounts and posts, post_pictures_image; then those of who asks, of blocks and of inAudience.
 */
export async function findServed(db: Database, key: string, { credentials, kinds }: AskedBy) {
  const viewer = sql`(select asking.id from asking limit 1)`;
  const isOpen = sql`(p.author_id is null or ${forEveryone("p", "owner")})`;
  return db.first<Served>(sql.named("images.served")`
    with asking as materialized (
      select null::uuid as id where false
      ${sql.join(
        kinds.map((kind) => sql`union all ${kind(credentials)}`),
        sql` `,
      )}
    )
    select images.width, images.height, images.widths, images.avif_widths as "avifWidths",
      images.moving_width as "movingWidth",
      not ${visibleAccount("owner")} as withdrawn,
      not ${isOpen} as gated,
      case when ${isOpen} then true
        else ${noBlock(viewer, sql`owner.id`)} and ${inAudience(viewer, "p", "owner")}
      end as allowed
    from images
    join accounts owner on owner.id = images.account_id
    left join lateral (
      select posts.author_id, posts.audience, posts.album_owner_id, posts.album_id
      from post_pictures pp
      join posts on posts.author_id = pp.author_id and posts.id = pp.post_id
      where pp.author_id = images.account_id and pp.image_id = images.id
      limit 1
    ) p on true
    where images.key = ${key}
  `);
}

/** The size of an image in pixels, and the widths it is stored in. Unique index on images.key. */
export const findSize = (db: Database, key: string) =>
  db.first<Pick<Served, "width" | "height" | "widths">>(
    sql`select width, height, widths from images where key = ${key}`,
  );
