import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import { epochMs } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import { jsonFields } from "#server/platform/db/fields.ts";
import { ms } from "#server/platform/db/times.ts";
import { accountSummary } from "#server/features/people/index.ts";
import { postPhotos } from "#server/features/posts/index.ts";
import { opens, pageOf, showsPost, type Part } from "#server/features/links/kinds.queries.ts";
import type { AlbumOrder } from "#shared/albums.ts";
import { postChoices } from "#shared/posts.ts";
import type { LinkKind } from "#shared/link-kinds.ts";
import type { GuestLink, GuestPost } from "#shared/shared-links.ts";
import type { AccountSummary } from "#shared/views.ts";

/** A link that opens. */
export type FoundLink = {
  accountId: string;
  id: string;
  kind: LinkKind;
  tokenHash: Buffer;
  passwordHash: string | null;
  downloads: boolean;
  previews: boolean;
  expiresAt: number | null;
  maker: AccountSummary;
  bio: string;
  albumId: string | null;
  album: GuestLink["album"];
  /** of its album */
  order: AlbumOrder | null;
};

/** What names a link, and how it lists what it shows. */
type Listing = Pick<FoundLink, "id" | "kind" | "order">;

/** By its public id or by the hash of its token. Unique indexes of both; primary keys of accounts and albums. */
export async function findLink(db: Database, by: { id: string } | { tokenHash: Buffer }) {
  const named = "id" in by ? sql`l.id = ${by.id}` : sql`l.token_hash = ${by.tokenHash}`;
  return db.first<FoundLink>(sql`
    select l.account_id as "accountId", l.id, l.kind, l.token_hash as "tokenHash",
      l.password_hash as "passwordHash", l.downloads, l.previews, ${ms("l.expires_at")} as "expiresAt",
      ${accountSummary("maker")} as maker, maker.bio, l.album_id as "albumId", al.sorted as "order",
      case when al.id is not null then
        json_build_object('title', al.title, 'description', al.description, 'order', al.sorted)
      end as album
    from shared_links l
    join accounts maker on maker.id = l.account_id
    left join albums al on al.owner_id = l.account_id and al.id = l.album_id
    where ${named} and ${opens}
  `);
}

const { warning, sensitive } = postChoices;
const veils = jsonFields("p", { warning, sensitive });

const guestPost = sql`json_build_object(
  'id', p.id, 'caption', p.caption, 'language', p.language, 'createdAt', ${epochMs("p.created_at")},
  ${veils}, 'likeCount', p.like_count, 'pictures', ${postPhotos("p", "author")}
)`;

/** The row of a link with its maker's, where it opens. */
const opened = (id: string, more: Sql) => sql`
  from shared_links l
  join accounts maker on maker.id = l.account_id
  ${more}
  where l.id = ${id} and ${opens}
`;

/** What a link shows, in its order; nothing once it has ended. */
export async function postsOf(db: Database, link: Listing, part: Part) {
  const { posts, key, ordered } = pageOf(link, part);
  return db.query<KeyedRow<GuestPost>>(sql`
    select ${key} as key, ${guestPost} as item
    ${opened(
      link.id,
      sql`cross join lateral (${posts}) p join accounts author on author.id = p.author_id`,
    )}
    order by ${ordered}
    limit ${part.limit}
  `);
}

/** A photo that a link shows, of which post, and what its files are. */
export type GuestPhoto = {
  key: string;
  width: number;
  widths: number[];
  avifWidths: number[] | null;
  movingWidth: number | null;
  passwordHash: string | null;
  downloads: boolean;
};

/**
 * A photo, where the link shows its post to who has its token. Prepared: a page asks for dozens. Unique indexes of
 * shared_links.id and images.key, post_pictures_image, primary keys.
 */
export const findPhoto = (
  db: Database,
  { id, tokenHash, key }: { id: string; tokenHash: Buffer; key: string },
) =>
  db.first<GuestPhoto>(sql.named("links.photo")`
    select i.key, i.width, i.widths, i.avif_widths as "avifWidths", i.moving_width as "movingWidth",
      l.password_hash as "passwordHash", l.downloads
    from shared_links l
    join accounts maker on maker.id = l.account_id
    join images i on i.key = ${key}
    join accounts author on author.id = i.account_id
    cross join lateral (
      select posts.* from post_pictures pp
      join posts on posts.author_id = pp.author_id and posts.id = pp.post_id
      where pp.author_id = i.account_id and pp.image_id = i.id
      limit 1
    ) p
    where l.id = ${id} and l.token_hash = ${tokenHash}
      and ${opens} and ${showsPost}
  `);

/** A photo of a link: its key, and when its post was made. */
export type ListedPhoto = { key: string; at: number };

/** The first photos that a link shows, in the order of its page. */
export async function photosOf(db: Database, link: Listing, limit: number): Promise<ListedPhoto[]> {
  const { posts, ordered } = pageOf(link, { cursor: null, limit });
  return db.query<ListedPhoto>(sql`
    select i.key, ${epochMs("p.created_at")}::float8 as at
    ${opened(
      link.id,
      sql`
        cross join lateral (${posts}) p
        join post_pictures pp on pp.author_id = p.author_id and pp.post_id = p.id
        join images i on i.account_id = pp.author_id and i.id = pp.image_id
      `,
    )}
    order by ${ordered}, pp.position
    limit ${limit}
  `);
}

/**
 * A post that a link shows, as a report names it. Primary keys; in an album its author is found by
 * album_items_by_date.
 */
export const findReported = (db: Database, { id }: Pick<FoundLink, "id">, postId: string) =>
  db.first<{ author: string; number: number }>(sql`
    select author.username as author, p.number
    ${opened(
      id,
      sql`
        join posts p on p.id = ${postId} and p.author_id = any (array[l.account_id, (
          select author_id from album_items
          where owner_id = l.account_id and album_id = l.album_id and post_id = ${postId}
          limit 1
        )])
        join accounts author on author.id = p.author_id
      `,
    )} and ${showsPost}
  `);

/** A browser has opened it. Unique index shared_links_id. */
export const countOpened = (db: Database, { id }: Pick<FoundLink, "id">) =>
  db.run(sql`
    update shared_links set opened_count = opened_count + 1, last_opened_at = now() where id = ${id}
  `);
