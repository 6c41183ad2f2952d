import { sql, type Sql } from "#server/platform/db/sql.ts";
import { idBelow } from "#server/platform/db/cursors.ts";
import { probe } from "#server/platform/db/probes.ts";
import {
  albumAtLeastFor,
  atLeastFor,
  forEveryone,
  visibleAccount,
} from "#server/features/people/index.ts";
import {
  afterIn,
  itemsAfter,
  itemsFor,
  newestVisible,
  type After,
} from "#server/features/posts/index.ts";
import type { AlbumOrder } from "#shared/albums.ts";
import type { LinkKind } from "#shared/link-kinds.ts";

/** From where on; `from`: a place in an album in place of a cursor. */
export type Part = { cursor: string | null; from?: After; limit: number };
type Page = { posts: Sql; key: Sql; ordered: Sql };

type Kind = {
  /** its posts `p` of a row `l` of shared_links, whose maker's row is `maker`; their order, and the key of a cursor */
  page: (part: Part, order: AlbumOrder) => Page;
  /** whether a row `p` of posts, whose author's row is `author`, is one of them */
  has: Sql;
  /** whether it may show anything at all */
  opens: Sql;
};

const confirmed = sql.ref("l.audience");
const ofMaker = sql`p.author_id = l.account_id`;
const byId = { key: sql`json_build_array(p.id)`, ordered: sql`p.id desc` };

/** Whether a member of the album lets links to it show their photos. Primary key. */
const consented = sql`coalesce((
  select m.shown_to_guests from album_members m
  where m.owner_id = l.account_id and m.album_id = l.album_id
    and ${probe("m.account_id", sql`p.author_id`)}
), false)`;

/**
 * Whether a row `p` in the album is shown: as its maker confirmed, and of somebody else what that member lets links
 * show. A post that was put in keeps its audience, which nobody else can widen: somebody else's is for everyone.
 */
const inAlbum = sql`(
  ${visibleAccount("author")} and case
    when ${ofMaker} then coalesce(p.album_id = l.album_id, false) or ${atLeastFor(confirmed)}
    else (coalesce(p.album_id = l.album_id, false) or ${forEveryone()}) and ${consented}
  end
)`;

/** What each kind of link shows: at every read no more than its maker confirmed. */
const kinds: Record<LinkKind, Kind> = {
  post: {
    page: ({ cursor }) => ({
      ...byId,
      posts: sql`
        select p.* from posts p
        join accounts author on author.id = p.author_id
        where ${ofMaker} and p.id = l.post_id and p.id < ${idBelow(cursor)}::uuid
          and ${atLeastFor(confirmed)}
      `,
    }),
    has: sql`${ofMaker} and p.id = l.post_id and ${atLeastFor(confirmed)}`,
    opens: sql`true`,
  },
  profile: {
    page: ({ cursor, limit }) => ({
      ...byId,
      posts: newestVisible(null, {
        below: idBelow(cursor),
        limit,
        author: "maker",
        isFor: atLeastFor(confirmed, "part", "maker"),
      }),
    }),
    has: sql`${ofMaker} and ${atLeastFor(confirmed)}`,
    opens: sql`true`,
  },
  album: {
    page: ({ cursor, from = null, limit }, order) => {
      const of = sql`i.owner_id = l.account_id and i.album_id = l.album_id`;
      const { key, ordered, items } = itemsAfter(of, order, from ?? afterIn({ order }, cursor));
      return {
        key: sql`p.key`,
        ordered: sql`p.nth`,
        posts: sql`
          select p.*, ${key} as key, row_number() over (order by ${ordered}) as nth
          ${itemsFor(inAlbum, items)}
          order by ${ordered}
          limit ${limit}
        `,
      };
    },
    has: sql`${inAlbum} and (
      select true from album_items i
      where i.owner_id = l.account_id and i.album_id = l.album_id
        and i.author_id = p.author_id and ${probe("i.post_id", sql`p.id`)}
    ) is not null`,
    opens: sql`(
      select ${albumAtLeastFor(sql.ref("l.album_audience"), "al", "maker")} from albums al
      where al.owner_id = l.account_id and ${probe("al.id", sql`l.album_id`)}
    )`,
  },
};

const ofKind = (part: "has" | "opens") =>
  sql`case l.kind ${sql.join(
    Object.entries(kinds).map(([name, kind]) => sql`when ${sql.lit(name)} then ${kind[part]}`),
    sql` `,
  )} else false end`;

/** Whether a row `l` of shared_links shows a row `p` of posts, whose author's row is `author`. */
export const showsPost = sql`(${ofKind("has")})`;

/** Whether a row `l` of shared_links opens, with its maker's row `maker`: at every read, whoever asks. */
export const opens = sql`(
  (l.expires_at is null or l.expires_at > now()) and ${visibleAccount("maker")} and ${ofKind("opens")}
)`;

/** A part of what a link shows, in its order. */
export const pageOf = (link: { kind: LinkKind; order: AlbumOrder | null }, part: Part): Page =>
  kinds[link.kind].page(part, link.order ?? "date");
