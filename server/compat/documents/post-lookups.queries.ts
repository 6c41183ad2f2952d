import { sql } from "#server/platform/db/sql.ts";
import { epochMs } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import { inAudience, visibleTo, accountSeen } from "#server/features/people/index.ts";
import { addressFor, ownerOf } from "#server/compat/documents/addresses.queries.ts";
import { largestVariant, type DocumentImage } from "#server/compat/documents/documents.queries.ts";
import { commentNotBlocked } from "#server/features/posts/index.ts";
import type { PostRef } from "#server/features/types.ts";

/**
 * Calls of one caller go one after another: the caller's data is read and changed before the next
 * call reads it. The lock ends with the transaction. No other lock is taken before it, so it cannot
 * be part of a deadlock.
 */
export const lockCaller = (db: Database, accountId: string) =>
  db.run(
    sql.named("documents.lock")`select pg_advisory_xact_lock(hashtextextended(${accountId}, 4))`,
  );

/** A post as a client names it. */
export type NamedPost = { number: number; time: number; clientKey: string };

export type FoundPost = PostRef & {
  /** position in the request, from 0 */
  position: number;
  number: number;
  liked: boolean;
};

/**
 * Which of these the author has for the viewer, by number and moment or by the key of the client that made
 * it. Unique keys posts_number and posts_client_key.
 */
export async function postsOfAuthor(
  db: Database,
  { viewerId, authorId, named }: { viewerId: string; authorId: string; named: NamedPost[] },
): Promise<FoundPost[]> {
  if (named.length === 0) return [];
  return db.query(sql.named("documents.posts-held")`
    select
      wanted.position::int - 1 as position,
      p.author_id as "authorId",
      p.id as "postId",
      p.number,
      exists (
        select from likes l
        where l.author_id = p.author_id and l.post_id = p.id and l.account_id = ${viewerId}
      ) as liked
    from ${asRows(named)}
    cross join lateral (select * from accounts a where a.id = ${authorId} limit 1) author
    cross join lateral (
      select * from posts
      where author_id = ${authorId} and number = wanted.number
        and ${epochMs("posts.created_at")} = wanted.time
      union all
      select * from posts where author_id = ${authorId} and client_key = wanted.client_key
      limit 1
    ) p
    where ${inAudience(viewerId)}
  `);
}

/**
 * Which of these the author has or had, by position, whoever may see them: whoever names one by its moment
 * has seen it. Unique keys of posts, primary key of deleted_posts and deleted_posts_client_key.
 */
export async function postsKnown(
  db: Database,
  { authorId, named }: { authorId: string; named: NamedPost[] },
): Promise<Set<number>> {
  if (named.length === 0) return new Set();
  const found = await db.column<number>(sql.named("documents.posts-known")`
    select wanted.position::int - 1 as position
    from ${asRows(named)}
    cross join lateral (
      select 1 from posts
      where author_id = ${authorId} and number = wanted.number
        and ${epochMs("posts.created_at")} = wanted.time
      union all
      select 1 from posts where author_id = ${authorId} and client_key = wanted.client_key
      union all
      select 1 from deleted_posts
      where author_id = ${authorId} and number = wanted.number
        and ${epochMs("deleted_posts.created_at")} = wanted.time
      union all
      select 1 from deleted_posts
      where author_id = ${authorId} and client_key = wanted.client_key
      limit 1
    ) known
  `);
  return new Set(found);
}

function asRows(named: readonly NamedPost[]) {
  return sql`unnest(
    ${named.map(({ number }) => number)}::bigint[],
    ${named.map(({ time }) => time)}::bigint[],
    ${named.map(({ clientKey }) => clientKey)}::text[]
  ) with ordinality as wanted (number, time, client_key, position)`;
}

export type NamedBookmark = {
  address: string;
  number: number;
  time: number | null;
  clientKey: string | null;
};
export type KnownPost = PostRef & {
  number: number;
  /** the author's address, as the viewer's documents have it */
  author: string;
  saved: boolean;
};

/**
 * Which posts these name, each by its author's address (lower case) and its number and moment,
 * where that was given, or the key of the client that made it, and whether the viewer bookmarked
 * them. Posts that the viewer cannot see have no row. Unique keys posts_number and
 * posts_client_key.
 */
export async function postsNamed(
  db: Database,
  { viewerId, named }: { viewerId: string; named: NamedBookmark[] },
): Promise<KnownPost[]> {
  if (named.length === 0) return [];
  const addresses = named.map(({ address }) => address);
  return db.query(sql.named("documents.posts-named")`
    select
      p.author_id as "authorId",
      p.id as "postId",
      p.number,
      ${addressFor(db, viewerId)} as author,
      exists (
        select from bookmarks b
        where b.account_id = ${viewerId} and b.author_id = p.author_id and b.post_id = p.id
      ) as saved
    from unnest(
      ${addresses}::text[],
      ${named.map(({ number }) => number)}::bigint[],
      ${named.map(({ time }) => time)}::bigint[],
      ${named.map(({ clientKey }) => clientKey)}::text[]
    ) as wanted (address, number, time, client_key)
    cross join lateral ${ownerOf(db, { viewerId, addresses, at: "wanted.address" })} owner
    join accounts a on a.id = owner.id and ${visibleTo(viewerId, "a")}
    cross join lateral (
      select * from posts
      where author_id = a.id and number = wanted.number
        and ${epochMs("posts.created_at")} = coalesce(wanted.time, ${epochMs("posts.created_at")})
      union all
      select * from posts where author_id = a.id and client_key = wanted.client_key
      limit 1
    ) p
    where ${inAudience(viewerId, "p", "a")}
  `);
}

export type AuthorPost = PostRef & { number: number; authorAddress: string };

/** A post and the address by which the viewer knows its author. Unique key posts_number. */
export const postAt = (
  db: Database,
  { viewerId, authorId, number }: { viewerId: string | null; authorId: string; number: number },
) =>
  db.first<AuthorPost>(sql.named("documents.post-at")`
    select p.author_id as "authorId", p.id as "postId", p.number,
      ${addressFor(db, viewerId)} as "authorAddress"
    from posts p
    join accounts a on a.id = p.author_id
    where p.author_id = ${authorId} and p.number = ${number}::bigint and ${visibleTo(viewerId, "a")}
      and ${inAudience(viewerId, "p", "a")}
  `);

/** The number of the newest post an account ever made. */
export async function lastNumberOf(db: Database, accountId: string): Promise<number> {
  const lastPostNumber = await db.value<number>(sql`
    select last_post_number from account_counters where account_id = ${accountId}
  `);
  return lastPostNumber ?? 0;
}

export type CommentRow = {
  id: string;
  body: string;
  address: string;
  name: string;
  image: DocumentImage | null;
};

/** The newest comments of a post, newest first. Primary key of comments, backwards. */
export const commentRows = (
  db: Database,
  { viewerId, authorId, postId, limit }: PostRef & { viewerId: string | null; limit: number },
) =>
  db.query<CommentRow>(sql.named("documents.comments")`
    select c.id, c.body, ${addressFor(db, viewerId)} as address,
      coalesce(nullif(a.full_name, ''), a.username) as name,
      (
        select ${largestVariant("i")} from images i
        where i.account_id = a.id and i.id = a.avatar_image_id
      ) as image
    from (
      select * from comments
      where author_id = ${authorId} and post_id = ${postId}
      order by id desc
    ) c
    cross join lateral ${accountSeen(viewerId, "c.account_id")} a
    where ${commentNotBlocked("c")}
    order by c.id desc
    limit ${limit}
  `);
