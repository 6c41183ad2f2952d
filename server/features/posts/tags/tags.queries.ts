import { sql, type Sql } from "#server/platform/db/sql.ts";
import { orderOf, type IdRange, type KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import { accountSeen, forEveryone, notMuted } from "#server/features/people/index.ts";
import { postTile } from "#server/features/posts/post-view.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import { limits } from "#shared/limits.ts";
import type { PostTile, TagView } from "#shared/views.ts";

/**
 * Writes a post's tags, in the transaction that changes its words or its audience: a post that is not for
 * everyone has none. Primary key.
 */
export const writeTags = (db: Database, { authorId, postId }: PostRef, tags: readonly string[]) =>
  db.run(sql`
    with gone as (
      delete from post_tags
      where author_id = ${authorId} and post_id = ${postId} and tag <> all(${tags}::text[])
    )
    insert into post_tags (author_id, post_id, tag)
    select ${authorId}::uuid, ${postId}::uuid, tag from unnest(${tags}::text[]) tag
    on conflict do nothing
  `);

/** Tags beside the first: posts with any of these as well as with it, that have all and none of those. */
export type MoreTags = Record<"any" | "all" | "none", readonly string[]>;
export type TaggedPage = IdRange & { tag: string; more?: MoreTags | undefined };

/** The next post of any of several tags: one probe for each. */
const nextOfAny = (tags: readonly string[], range: Sql, order: Sql) => sql`
  select nearest.post_id, nearest.author_id
  from unnest(${[...tags]}::text[]) wanted (tag)
  cross join lateral (
    select post_id, author_id from post_tags
    where post_tags.tag = wanted.tag and ${range}
    order by post_id ${order} limit 1
  ) nearest
  order by nearest.post_id ${order} limit 1
`;

/** The tags of `p` that are among these. Primary key. */
const tagsAmong = (tags: readonly string[]) => sql`
  from post_tags t
  where t.author_id = p.author_id and t.post_id = p.id and t.tag = any(${[...tags]}::text[])
`;

/** Whether `p` has all of some tags and none of others. */
const hasTags = ({ all, none }: MoreTags) => sql`
  (select count(*) ${tagsAmong(all)}) = ${all.length}::bigint
  and not exists (select ${tagsAmong(none)})
`;

/** Whether a row `a` of accounts is one whose posts stand under tags for the viewer. */
const listable = (viewerId: string | null) =>
  sql`a.private_at is null and ${notMuted(viewerId, "a")}`;

/**
 * The posts of a tag between two ids, from one end, that this viewer may see and whose authors they did not
 * mute, as tiles. Reads `lookedThrough` posts at most, whoever wrote them; `reached` is the last of these
 * where there may be more after it, null where the page is full or the tag has no more.
 *
 * `walked` goes from one post to the next, as far as they are needed: each is one probe of index
 * post_tags_newest, then come primary keys. In a single range PostgreSQL would sort all posts of a tag that
 * it believes to be rare, which it believes of every tag before it has statistics.
 */
export async function postsTagged(
  db: Database,
  viewerId: string | null,
  { tag, more, below, above, upward, limit }: TaggedPage,
): Promise<{ rows: KeyedRow<PostTile>[]; reached: string | null }> {
  const { lookedThrough } = limits.tags;
  const order = orderOf(upward);
  const beyond = sql.raw(upward ? ">" : "<");
  const between = sql`post_id < ${below} and post_id > ${above}`;
  const next = (range: Sql) =>
    more
      ? nextOfAny([tag, ...more.any], range, order)
      : sql`
          select post_id, author_id from post_tags
          where tag = ${tag} and ${range}
          order by post_id ${order} limit 1
        `;
  const name = more ? "tags.posts-of-several" : "tags.posts";
  const found = await db.query<{
    id: string | null;
    item: PostTile;
    reached: string | null;
  }>(sql.named(upward ? `${name}-above` : name)`
    with recursive walked as (
      select first.post_id, first.author_id, 1 as place from (${next(between)}) first
      union all
      select further.post_id, further.author_id, walked.place + 1
      from walked
      cross join lateral (
        ${next(sql`post_id ${beyond} walked.post_id and ${between}`)}
      ) further
      where walked.place < ${lookedThrough}
    ),
    listed as materialized (
      select p.id, ${postTile("p", "author")} as item
      from walked
      cross join lateral ${accountSeen(viewerId, "walked.author_id", listable(viewerId))} author
      cross join lateral (
        select * from posts
        where author_id = walked.author_id and ${probe("posts.id", sql`walked.post_id`)}
      ) p
      where ${forEveryone()} ${more ? sql`and ${hasTags(more)}` : sql``}
      limit ${limit}
    )
    select listed.id, listed.item, case
      when (select count(*) from listed) < ${limit}::bigint
      then (select post_id from walked where place = ${lookedThrough})
    end as reached
    from (select) once
    left join listed on true
    order by listed.id ${order}
  `);
  return {
    rows: found.flatMap(({ id, item }) => (id === null ? [] : [{ key: [id], item }])),
    reached: found[0]?.reached ?? null,
  };
}

/**
 * A tag's newest posts, `counted` + 1 at most, each with its author's row `visible` where the viewer may see it.
 * Read from the tag onwards: the index post_tags_newest has them in order, so PostgreSQL does not consider
 * sorting them.
 */
const newestOf = (tag: Sql, viewerId: string | null) => sql`
  from (
    select author_id, tag from post_tags
    where tag >= ${tag}
    order by tag, post_id desc
    limit ${limits.tagPostsCounted + 1}
  ) newest
  left join lateral ${accountSeen(viewerId, "newest.author_id", listable(viewerId))} visible on true
  where newest.tag = ${tag}
`;

/** How many of them are seen, and how many there are. */
export const countTagged = (db: Database, viewerId: string | null, tag: string) =>
  db.one<{ seen: number; all: number }>(sql.named("tags.count")`
    select count(visible.id)::int as seen, count(*)::int as "all"
    ${newestOf(sql`${tag}::text`, viewerId)}
  `);

/**
 * Tags that begin with some letters, with how many of their newest posts the viewer may see: the first
 * `candidates` in alphabetical order, each found by one probe of post_tags_newest, and its posts counted. A
 * tag that only hidden people used is left out.
 */
export async function tagsBeginning(db: Database, viewerId: string | null, letters: string) {
  const { candidates, shown } = limits.tags;
  return db.query<TagView>(sql.named("tags.beginning")`
    with recursive found as (
      (
        select tag, 1 as place from post_tags where tag >= ${letters} order by tag limit 1
      )
      union all
      select further.tag, found.place + 1
      from found
      cross join lateral (
        select tag from post_tags where tag > found.tag order by tag limit 1
      ) further
      where found.place < ${candidates} and starts_with(found.tag, ${letters})
    ),
    -- counted once: a subquery would be evaluated for its condition and again for its result
    beginning as materialized (
      select found.tag, (
        select count(visible.id)::int ${newestOf(sql`found.tag`, viewerId)}
      ) as posts
      from found
      where starts_with(found.tag, ${letters})
    )
    select tag, posts from beginning
    where posts > 0
    order by posts desc, tag
    limit ${shown}
  `);
}

export type UntaggedPost = PostRef & { caption: string };

/** Some posts from before there were tags, locked until the transaction ends; other processes take others. */
export const lockUntagged = (db: Database, limit: number) =>
  db.query<UntaggedPost>(sql`
    select u.author_id as "authorId", u.post_id as "postId", p.caption
    from untagged_posts u
    join posts p on p.author_id = u.author_id and p.id = u.post_id
    limit ${limit}
    for update of u skip locked
    for no key update of p skip locked
  `);

/** Writes their tags, and that they are no longer waiting. */
export async function tagUntagged(
  db: Database,
  posts: readonly (PostRef & { tags: readonly string[] })[],
): Promise<void> {
  const tagged = posts.flatMap(({ tags, ...ref }) => tags.map((tag) => ({ ...ref, tag })));
  await db.run(sql`
    with done as (
      delete from untagged_posts u
      using unnest(
        ${posts.map(({ authorId }) => authorId)}::uuid[],
        ${posts.map(({ postId }) => postId)}::uuid[]
      ) post (author_id, post_id)
      where u.author_id = post.author_id and u.post_id = post.post_id
    )
    insert into post_tags (author_id, post_id, tag)
    select * from unnest(
      ${tagged.map(({ authorId }) => authorId)}::uuid[],
      ${tagged.map(({ postId }) => postId)}::uuid[],
      ${tagged.map(({ tag }) => tag)}::text[]
    )
    on conflict do nothing
  `);
}
