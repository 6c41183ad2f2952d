import { sql } from "#server/db/sql.ts";
import type { KeyedRow } from "#server/db/cursors.ts";
import { columnsOf } from "#server/db/fields.ts";
import { probe } from "#server/db/probes.ts";
import type { Database } from "#server/db/database.ts";
import type { Batch } from "#server/features/in-batches.ts";
import { timeOf } from "#server/db/ids.ts";
import {
  accountIdAt,
  detailsOfRow,
  namedPeopleIn,
  visibleTo,
  type AccountDetails,
  type NamedPerson,
} from "#server/features/people/index.ts";
import {
  eachPicture,
  feedPost,
  placeOf,
  postTile,
  postView,
} from "#server/features/posts/post-view.queries.ts";
import type { PostDetails } from "#shared/photo-details.ts";
import { postChoiceNames, postChoices, type PostChoices } from "#shared/posts.ts";
import { tagsOf } from "#shared/tags.ts";
import type { FeedPost, PostKind, PostTile, PostView } from "#shared/views.ts";

export type PostKey = { authorId: string; id: string };
/** A post with its author's profile and the people whom the words of both lead the viewer to. */
export type WrittenPost = {
  post: PostView;
  writer: AccountDetails;
  named: NamedPerson[];
  namedInBio: NamedPerson[];
};
export type NewPost = PostChoices & {
  id: string;
  authorId: string;
  caption: string;
  pictures: { imageId: string; alt: string }[];
  timeZone: string;
  clientKey: string | null;
};

/** The post `p` at a place in a URL, with its author's row. Unique key posts_number. */
const atAddress = (db: Database, viewerId: string | null, address: string, number: number) => sql`
  from posts p
  join accounts author on author.id = p.author_id
  where p.author_id = ${accountIdAt(db, address, viewerId)}
    and p.number = ${number}
    and ${visibleTo(viewerId, "author")}
`;

/**
 * The posts `p` of these keys, in their order, each with its author's row; those that went away meanwhile are
 * left out. Primary keys of posts and accounts, one probe a post.
 */
const withKeys = (viewerId: string | null, keys: readonly PostKey[]) => sql`
  from unnest(
    ${keys.map(({ authorId }) => authorId)}::uuid[],
    ${keys.map(({ id }) => id)}::uuid[]
  ) with ordinality as wanted (author_id, id, position)
  cross join lateral (
    select * from posts
    where author_id = wanted.author_id and ${probe("posts.id", sql`wanted.id`)}
  ) p
  cross join lateral (
    select * from accounts a where a.id = p.author_id and ${visibleTo(viewerId, "a")} limit 1
  ) author
  order by wanted.position
`;

type Tab = { authorId: string; below: string; limit: number };

/** The posts `p` of a tab of a profile, newest first, with their author's row. Index posts_by_kind, backwards. */
const inTab = (viewerId: string | null, { authorId, below, limit }: Tab, kind: PostKind) => sql`
  from (
    select * from accounts a where a.id = ${authorId} and ${visibleTo(viewerId, "a")}
  ) author
  cross join lateral (
    select * from posts
    where author_id = author.id and ${kindIs[kind]} and id < ${below}
    order by id desc
    limit ${limit}
  ) p
  order by p.id desc
`;
/** As the index has it. */
const kindIs = {
  photos: sql`(picture_count > 0)`,
  texts: sql`not (picture_count > 0)`,
} satisfies Record<PostKind, unknown>;

export async function findPost(
  db: Database,
  viewerId: string | null,
  address: string,
  number: number,
): Promise<FeedPost | null> {
  const [row] = await db.prepared<{ item: FeedPost }>(
    "posts.get",
    sql`
      select ${feedPost(viewerId)} as item ${atAddress(db, viewerId, address, number)}
    `,
  );
  return row?.item ?? null;
}

/**
 * What a post's author shows of how and where its photos were taken, and nothing else of it. Primary keys of
 * post_pictures and images.
 */
export async function findDetails(
  db: Database,
  viewerId: string | null,
  address: string,
  number: number,
): Promise<PostDetails | null> {
  const photo = sql`json_build_object(
    'key', i.key,
    'camera', case when p.show_camera then i.camera end,
    'place', case when p.show_place then ${placeOf("i")} end
  )`;
  const [row] = await db.prepared<{ item: PostDetails }>(
    "posts.details",
    sql`
      select json_build_object(
        'showCamera', p.show_camera,
        'showPlace', p.show_place,
        'photos', case when p.show_camera or p.show_place then ${eachPicture("p", photo)}
          else '[]'::json end
      ) as item ${atAddress(db, viewerId, address, number)}
    `,
  );
  return row?.item ?? null;
}

export async function findPostKey(
  db: Database,
  viewerId: string | null,
  address: string,
  number: number,
): Promise<PostKey | null> {
  const [row] = await db.prepared<PostKey>(
    "posts.key",
    sql`
      select p.author_id as "authorId", p.id ${atAddress(db, viewerId, address, number)}
    `,
  );
  return row ?? null;
}

export async function feedPosts(
  db: Database,
  viewerId: string | null,
  keys: readonly PostKey[],
): Promise<FeedPost[]> {
  if (keys.length === 0) return [];
  const rows = await db.prepared<{ item: FeedPost }>(
    "posts.feed-posts",
    sql`select ${feedPost(viewerId)} as item ${withKeys(viewerId, keys)}`,
  );
  return rows.map(({ item }) => item);
}

/**
 * The same posts with everything that stands above their authors' own, and whom both name: for programs that
 * are told of an author with each post. Without their comments.
 */
export async function writtenPosts(
  db: Database,
  viewerId: string | null,
  keys: readonly PostKey[],
): Promise<WrittenPost[]> {
  if (keys.length === 0) return [];
  return db.prepared<WrittenPost>(
    "posts.written",
    sql`
      select ${postView(viewerId)} as post, ${detailsOfRow("author", viewerId)} as writer,
        ${namedPeopleIn("p.caption", viewerId)} as named,
        ${namedPeopleIn("author.bio", viewerId)} as "namedInBio"
      ${withKeys(viewerId, keys)}
    `,
  );
}

export async function tilesOf(
  db: Database,
  viewerId: string | null,
  tab: Tab,
): Promise<KeyedRow<PostTile>[]> {
  return db.prepared<KeyedRow<PostTile>>(
    "posts.tiles",
    sql`
      select json_build_array(p.id) as key, ${postTile("p", "author")} as item
      ${inTab(viewerId, tab, "photos")}
    `,
  );
}

export async function textsOf(
  db: Database,
  viewerId: string | null,
  tab: Tab,
): Promise<KeyedRow<PostView>[]> {
  return db.prepared<KeyedRow<PostView>>(
    "posts.texts",
    sql`
      select json_build_array(p.id) as key, ${postView(viewerId)} as item
      ${inTab(viewerId, tab, "texts")}
    `,
  );
}

/** Taken first by everything that gives or takes a post of an account: one at a time. */
export async function lockCounters(db: Database, accountId: string): Promise<void> {
  const rows = await db.prepared(
    "posts.lock-counters",
    sql`
      select account_id from account_counters where account_id = ${accountId} for no key update
    `,
  );
  if (rows.length === 0) throw new Error("an account without counters has no posts");
}

/** The post of an earlier submit with this key. Unique key posts_client_key. */
export async function findByClientKey(db: Database, authorId: string, clientKey: string) {
  const [row] = await db.prepared<{ id: string; number: number }>(
    "posts.by-client-key",
    sql`
      select id, number from posts where author_id = ${authorId} and client_key = ${clientKey}
    `,
  );
  return row;
}

/**
 * Counts the post, gives it the next number and writes it with its pictures and its tags, in one
 * statement.
 */
export async function insertPost(db: Database, post: NewPost): Promise<number> {
  const [row] = await db.prepared<{ number: number }>(
    "posts.insert",
    sql`
    with counted as (
      update account_counters
      set posts = posts + 1, last_post_number = last_post_number + 1
      where account_id = ${post.authorId}
      returning last_post_number
    ),
    posted as (
      insert into posts
        (author_id, id, number, caption, picture_count, time_zone, client_key, created_at,
          ${columnsOf(postChoices)})
      select ${post.authorId}::uuid, ${post.id}::uuid, last_post_number, ${post.caption},
        ${post.pictures.length}, ${post.timeZone}, ${post.clientKey},
        ${new Date(timeOf(post.id))}::timestamptz,
        ${sql.join(postChoiceNames.map((name) => typed(post[name])))}
      from counted
      returning author_id, id, number
    ),
    tagged as (
      insert into post_tags (author_id, post_id, tag)
      select posted.author_id, posted.id, tag from posted, unnest(${tagsOf(post.caption)}::text[]) tag
    ),
    pictured as (
      insert into post_pictures (author_id, post_id, position, image_id, alt)
      select posted.author_id, posted.id, picture.position, picture.image_id, picture.alt
      from posted, unnest(
        ${post.pictures.map(({ imageId }) => imageId)}::uuid[],
        ${post.pictures.map(({ alt }) => alt)}::text[]
      ) with ordinality as picture (image_id, alt, position)
    )
    select number from posted
  `,
  );
  if (!row) throw new Error("an account without counters cannot post");
  return row.number;
}

/** In a list of a select PostgreSQL asks of what type a value is. */
const typed = (value: boolean | string) =>
  typeof value === "boolean" ? sql`${value}::boolean` : sql`${value}::text`;

/**
 * Deletes a post with everything of everybody that hangs on it: likes, comments and pictures by
 * cascade, bookmarks by bookmarks_by_post. Answers the keys of its picture files, null when there
 * was no such post. The order matters: whoever saves a post locks its row first, so a bookmark is
 * either seen here or refused there.
 */
export async function deletePost(db: Database, { authorId, id }: PostKey) {
  const pictures = await db.query<{ id: string }>(sql`
    select image_id as id from post_pictures where author_id = ${authorId} and post_id = ${id}
  `);
  const deleted = await db.query(sql`
    with deleted as (
      delete from posts where author_id = ${authorId} and id = ${id}
      returning author_id, number, created_at, client_key
    )
    insert into deleted_posts (author_id, number, created_at, client_key)
    select author_id, number, created_at, client_key from deleted
    returning number
  `);
  if (deleted.length === 0) return null;
  await db.query(sql`
    delete from bookmarks where author_id = ${authorId} and post_id = ${id}
  `);
  await db.query(sql`
    update account_counters set posts = posts - 1 where account_id = ${authorId}
  `);
  if (pictures.length === 0) return [];
  const images = await db.query<{ key: string }>(sql`
    delete from images
    where account_id = ${authorId} and id = any(${pictures.map(({ id: image }) => image)}::uuid[])
    returning key
  `);
  return images.map(({ key }) => key);
}

/** The account's own posts, whose likes, comments and bookmarks are gone: their pictures stay rows. */
export async function deletePostsOf(db: Database, { accountId, limit }: Batch): Promise<number> {
  await db.query(sql`
    select account_id from account_counters where account_id = ${accountId} for no key update
  `);
  const rows = await db.query<{ removed: number }>(sql`
    with removed as (
      delete from posts where author_id = ${accountId} and id in (
        select id from posts where author_id = ${accountId} order by id limit ${limit}
      )
      returning id
    ), unsaved as (
      delete from bookmarks b using removed
      where b.author_id = ${accountId} and b.post_id = removed.id
    ), counted as (
      update account_counters set posts = posts - (select count(*) from removed)
      where account_id = ${accountId}
    )
    select count(*)::integer as removed from removed
  `);
  return rows[0]?.removed ?? 0;
}
