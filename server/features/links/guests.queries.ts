import { sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { jsonFields } from "#server/platform/db/fields.ts";
import { ms } from "#server/platform/db/times.ts";
import { accountSummary } from "#server/features/people/index.ts";
import { epochMs, postPhotos } from "#server/features/posts/index.ts";
import { kinds, opens, showsPost } from "#server/features/links/kinds.queries.ts";
import { postChoices } from "#shared/posts.ts";
import type { LinkKind } from "#shared/link-kinds.ts";
import type { GuestPost } from "#shared/shared-links.ts";
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
};

/** By its public id or by the hash of its token. Unique indexes of both; primary key of accounts. */
export async function findLink(
  db: Database,
  by: { id: string } | { tokenHash: Buffer },
): Promise<FoundLink | null> {
  const named = "id" in by ? sql`l.id = ${by.id}` : sql`l.token_hash = ${by.tokenHash}`;
  return db.first<FoundLink>(sql`
    select l.account_id as "accountId", l.id, l.kind, l.token_hash as "tokenHash",
      l.password_hash as "passwordHash", l.downloads, l.previews, ${ms("l.expires_at")} as "expiresAt",
      ${accountSummary("author")} as maker, author.bio
    from shared_links l
    join accounts author on author.id = l.account_id
    where ${named} and ${opens}
  `);
}

const { warning, sensitive } = postChoices;
const veils = jsonFields("p", { warning, sensitive });

const guestPost = sql`json_build_object(
  'id', p.id, 'caption', p.caption, 'language', p.language, 'createdAt', ${epochMs("p.created_at")},
  ${veils}, 'likeCount', p.like_count, 'pictures', ${postPhotos("p", "author")}
)`;

type Page = { below: string; limit: number };

/** From the posts that a link shows, newest first; nothing once it has ended. */
const fromPosts = (link: Pick<FoundLink, "id" | "kind">, page: Page) => sql`
  from shared_links l
  join accounts author on author.id = l.account_id
  cross join lateral (${kinds[link.kind].posts(page)}) p
  where l.id = ${link.id} and ${opens}
`;

export async function postsOf(db: Database, link: Pick<FoundLink, "id" | "kind">, page: Page) {
  return db.query<KeyedRow<GuestPost>>(sql`
    select json_build_array(p.id) as key, ${guestPost} as item
    ${fromPosts(link, page)}
    order by p.id desc
    limit ${page.limit}
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
export async function findPhoto(
  db: Database,
  { id, tokenHash, key }: { id: string; tokenHash: Buffer; key: string },
): Promise<GuestPhoto | null> {
  const [row] = await db.prepared<GuestPhoto>(
    "links.photo",
    sql`
      select i.key, i.width, i.widths, i.avif_widths as "avifWidths", i.moving_width as "movingWidth",
        l.password_hash as "passwordHash", l.downloads
      from shared_links l
      join accounts author on author.id = l.account_id
      join images i on i.account_id = l.account_id and i.key = ${key}
      cross join lateral (
        select posts.* from post_pictures pp
        join posts on posts.author_id = pp.author_id and posts.id = pp.post_id
        where pp.author_id = i.account_id and pp.image_id = i.id
        limit 1
      ) p
      where l.id = ${id} and l.token_hash = ${tokenHash}
        and ${opens} and ${showsPost}
    `,
  );
  return row ?? null;
}

/** Where a photo is among those of a link: its key, and what its file in a zip is called after. */
export type ListedPhoto = { key: string; number: number; position: number; at: number };

/** The newest photos that a link shows, in the order of its page. */
export async function photosOf(
  db: Database,
  link: Pick<FoundLink, "id" | "kind">,
  page: Page,
): Promise<ListedPhoto[]> {
  return db.query<ListedPhoto>(sql`
    select i.key, p.number, pp.position, ${epochMs("p.created_at")}::float8 as at
    from (select p.* ${fromPosts(link, page)}) p
    join post_pictures pp on pp.author_id = p.author_id and pp.post_id = p.id
    join images i on i.account_id = pp.author_id and i.id = pp.image_id
    order by p.id desc, pp.position
    limit ${page.limit}
  `);
}

/** The post of a link by its id, as a report names it: its author and number. */
export async function numberOf(
  db: Database,
  { id }: Pick<FoundLink, "id">,
  postId: string,
): Promise<number | null> {
  const row = await db.first<{ number: number }>(sql`
    select p.number from shared_links l
    join accounts author on author.id = l.account_id
    join posts p on p.author_id = l.account_id and p.id = ${postId}
    where l.id = ${id} and ${opens} and ${showsPost}
  `);
  return row?.number ?? null;
}

/** A browser has opened it. Unique index shared_links_id. */
export async function countOpened(db: Database, { id }: Pick<FoundLink, "id">): Promise<void> {
  await db.query(sql`
    update shared_links set opened_count = opened_count + 1, last_opened_at = now() where id = ${id}
  `);
}
