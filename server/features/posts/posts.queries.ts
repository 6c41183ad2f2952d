import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  detailsOfRow,
  accountsNamedIn,
  visibleTo,
  type AccountDetails,
  type NamedAccount,
} from "#server/features/people/index.ts";
import { visiblePost } from "#server/features/posts/lock.queries.ts";
import {
  eachPhoto,
  feedPost,
  locationOf,
  newestVisible,
  postTile,
  postView,
  visiblePosts,
} from "#server/features/posts/post-view.queries.ts";
import type { PostDetails } from "#shared/photo-details.ts";
import type { PostRef } from "#server/features/types.ts";
import type { Audience } from "#shared/posts.ts";
import type { FeedPost, PostKind, PostTile, PostView } from "#shared/views.ts";

export type PostKey = { authorId: string; id: string };
/** A post with its author's profile and the people mentioned in either. */
export type PostWithAuthor = {
  post: PostView;
  writer: AccountDetails;
  named: NamedAccount[];
  namedInBio: NamedAccount[];
};
/** Reads a post by its address and number in a URL. Unique key posts_number. */
export type ReadAt<Found> = (
  db: Database,
  viewerId: string | null,
  at: { address: string; number: number },
) => Promise<Found | null>;

/** Selects an `item` from the post `p` there and its author's row; null when it cannot be seen. */
const readAt =
  <Found>(name: string, item: (viewerId: string | null) => Sql): ReadAt<Found> =>
  async (db, viewerId, at) => {
    return db.value<Found>(
      sql.named(name)`${visiblePost(db, viewerId, at, sql`${item(viewerId)} as item`)}`,
    );
  };

/**
 * The posts `p` of these keys, in their order, each with its author's row; missing ones are left out.
 * Primary keys of posts and accounts, one probe per post. The number of keys is hidden from the planner: with
 * few the statement would look dearer without its values than with them, and be planned anew each time.
 */
const withKeys = (viewerId: string | null, keys: readonly PostKey[], isForViewer?: Sql) => sql`
  from unnest(
    (select ${keys.map(({ authorId }) => authorId)}::uuid[]),
    (select ${keys.map(({ id }) => id)}::uuid[])
  ) with ordinality as wanted (author_id, post_id, position)
  ${visiblePosts(viewerId, "wanted", isForViewer)}
  order by wanted.position
`;

type Tab = { authorId: string; below: string; limit: number };

/** The posts `p` of a tab of a profile, newest first, with their author's row. Index posts_by_kind. */
const inTab = (viewerId: string | null, { authorId, below, limit }: Tab, kind: PostKind) => sql`
  from (
    select * from accounts a where a.id = ${authorId} and ${visibleTo(viewerId, "a")}
  ) author
  cross join lateral (${newestVisible(viewerId, { kinds: [kind], below, limit })}) p
  order by p.id desc
`;

/** Which audience the member last chose, and whether their account is private. Primary key. */
export const findLastAudience = (db: Database, accountId: string) =>
  db.first<{ audience: Audience | null; isPrivate: boolean }>(sql`
    select default_audience as audience, private_at is not null as "isPrivate"
    from accounts where id = ${accountId}
  `);

export const findPost = readAt<FeedPost>("posts.get", feedPost);

export const findPostRef = readAt<PostRef>(
  "posts.key",
  () => sql`json_build_object('authorId', p.author_id, 'postId', p.id)`,
);

/**
 * What a post's author shows of how and where its photos were taken, and nothing else. Primary keys of
 * post_pictures and images.
 */
export const findDetails = readAt<PostDetails>("posts.details", () => {
  const photo = sql`json_build_object(
    'key', i.key,
    'camera', case when p.show_camera then i.camera end,
    'place', case when p.show_place then ${locationOf("i")} end
  )`;
  return sql`json_build_object(
    'showCamera', p.show_camera,
    'showPlace', p.show_place,
    'photos', case when p.show_camera or p.show_place then ${eachPhoto("p", photo)}
      else '[]'::json end
  )`;
});

export async function feedPosts(db: Database, viewerId: string | null, keys: readonly PostKey[]) {
  if (keys.length === 0) return [];
  return db.column<FeedPost>(
    sql.named("posts.feed-posts")`select ${feedPost(viewerId)} as item ${withKeys(viewerId, keys)}`,
  );
}

/** The same as visitors would see them, whoever they are for: who gets one is checked by the caller. */
export async function postsForAnyAudience(db: Database, keys: readonly PostKey[]) {
  if (keys.length === 0) return [];
  return db.column<FeedPost>(sql.named("posts.for-any-audience")`
    select ${feedPost(null)} as item ${withKeys(null, keys, sql`true`)}
  `);
}

/**
 * The posts that the viewer may see, with their authors' profiles and the people mentioned in either: for
 * programs that get an author with each post. Without their comments.
 */
export async function postsWithAuthors(
  db: Database,
  viewerId: string | null,
  keys: readonly PostKey[],
): Promise<PostWithAuthor[]> {
  if (keys.length === 0) return [];
  return db.query<PostWithAuthor>(sql.named("posts.written")`
    select ${postView(viewerId)} as post, ${detailsOfRow("author", viewerId)} as writer,
      ${accountsNamedIn("p.caption", viewerId)} as named,
      ${accountsNamedIn("author.bio", viewerId)} as "namedInBio"
    ${withKeys(viewerId, keys)}
  `);
}

/** Reads a tab of a profile. */
export type ReadTab<Row> = (db: Database, viewerId: string | null, tab: Tab) => Promise<Row[]>;

export const tilesOf: ReadTab<KeyedRow<PostTile>> = async (db, viewerId, tab) =>
  db.query(sql.named("posts.tiles")`
    select json_build_array(p.id) as key, ${postTile("p", "author")} as item
    ${inTab(viewerId, tab, "photos")}
  `);

export const textsOf: ReadTab<KeyedRow<PostView>> = async (db, viewerId, tab) =>
  db.query(sql.named("posts.texts")`
    select json_build_array(p.id) as key, ${postView(viewerId)} as item
    ${inTab(viewerId, tab, "texts")}
  `);

/** The post of an earlier submit with this key. Unique key posts_client_key. */
export const findByClientKey = (db: Database, authorId: string, clientKey: string) =>
  db.first<{ id: string; number: number }>(sql.named("posts.by-client-key")`
    select id, number from posts where author_id = ${authorId} and client_key = ${clientKey}
  `);
