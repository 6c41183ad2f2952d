import { sql, type Sql } from "#server/db/sql.ts";
import { probe } from "#server/db/probes.ts";
import type { IdRange, KeyedRow } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { accountSummary, isFollowing, noBlock, visibleTo } from "#server/features/people/index.ts";
import { lockedPost, postAt, type PostAt } from "#server/features/posts/lock.queries.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import type { AccountSummary } from "#shared/views.ts";

/** The count as it is now, and the id of the like that came or went, if one did. */
type Changed = { likeCount: number; changed: string | null };
/** Which post that was, and whether its author was told; not `alone`: nothing changed. */
type ChangedAt = PostRef & { likeCount: number; told: boolean; alone: boolean };

/** What tells a post's author, as parts of the statement that likes it: what `changed` names, into `gathered`. */
export type Telling = Pick<Notifier["inStatement"], "liked" | "unliked" | "ringsNowhere">;

/** Null when the post is not there to be seen. */
export async function insertLike(
  db: Database,
  like: PostRef & { accountId: string; id: string },
): Promise<Changed | null> {
  const changed = sql`
    insert into likes (author_id, post_id, account_id, id)
    select author_id, id, ${like.accountId}::uuid, ${like.id}::uuid from locked
    on conflict do nothing
    returning author_id, post_id, id
  `;
  return countChange(db, like, { name: "likes.insert", changed, by: 1 });
}

/** Null when the post is not there to be seen. */
export async function deleteLike(
  db: Database,
  like: PostRef & { accountId: string },
): Promise<Changed | null> {
  return countChange(db, like, { name: "likes.delete", changed: removal(like.accountId), by: -1 });
}

/** Of the post that is `locked`: as scalar subqueries, which leave no choice of an index (probe). */
function removal(accountId: string): Sql {
  const ofPost = sql`
    author_id = (select author_id from locked) and post_id = (select id from locked)
  `;
  return sql`
    delete from likes
    where ${ofPost} and account_id = ${accountId}
      -- likes_newest has the id as the primary key has the account: one row by either
      and id = (select id from likes where ${ofPost} and ${probe("account_id", accountId)})
    returning author_id, post_id, id
  `;
}

/**
 * Locks the post, changes its likes and counts that, in one statement. The post may have changed
 * while this waited for it: what is updated from a join is looked at again, a subquery would not be.
 */
async function countChange(
  db: Database,
  { accountId, ...post }: PostRef & { accountId: string },
  { name, changed, by }: { name: string; changed: Sql; by: 1 | -1 },
): Promise<Changed | null> {
  const [row] = await db.prepared<Changed>(
    name,
    sql`
    with locked as materialized (
      ${lockedPost(accountId, post, sql`p.author_id, p.id, p.like_count`)}
    ),
    changed as (${changed}),
    counted as (
      update posts p set like_count = p.like_count + ${sql.lit(by)}
      from changed
      where p.author_id = ${post.authorId} and p.id = ${post.postId}
      returning p.like_count
    )
    select
      coalesce((select like_count from counted), locked.like_count) as "likeCount",
      (select id from changed) as changed
    from locked
  `,
  );
  return row ?? null;
}

/**
 * Finds the post, locks it, likes it, counts that and tells its author, in one statement, which is a
 * transaction of its own; null when the post is not there to be seen. Its parts see the tables as they were
 * when it began. So it waits for nobody: where another has the post, or has changed it since (its row has
 * another xmin then), somebody else's like may have been told meanwhile. Then, and where a browser or an app is
 * to be rung, nothing changes, and `alone` is false.
 */
export async function likeAlone(
  db: Database,
  like: { at: PostAt; accountId: string; id: string },
  { liked, ringsNowhere }: Telling,
): Promise<ChangedAt | null> {
  const changed = sql`
    insert into likes (author_id, post_id, account_id, id)
    select author_id, id, ${like.accountId}::uuid, ${like.id}::uuid from locked
    on conflict do nothing
    returning author_id, post_id, id
  `;
  const telling = liked(like.accountId);
  const quiet = ringsNowhere(sql.ref("found.author_id"));
  return changeAlone(db, like, { name: "likes.like", changed, telling, quiet, by: 1 });
}

/** The same for taking a like back. */
export async function unlikeAlone(
  db: Database,
  like: { at: PostAt; accountId: string },
  { unliked }: Telling,
): Promise<ChangedAt | null> {
  const changed = removal(like.accountId);
  const change = { name: "likes.unlike", changed, telling: unliked(), quiet: sql`true`, by: -1 };
  return changeAlone(db, like, change);
}

async function changeAlone(
  db: Database,
  { at, accountId }: { at: PostAt; accountId: string },
  change: {
    name: string;
    changed: Sql;
    telling: Sql;
    quiet: Sql;
    by: number;
  },
): Promise<ChangedAt | null> {
  const { changed, telling, quiet, by } = change;
  const name = "postId" in at ? `${change.name}-by-key` : change.name;
  const [row] = await db.prepared<ChangedAt>(
    name,
    sql`
    with found as materialized (
      select p.author_id, p.id, p.xmin
      from posts p
      join accounts author on author.id = p.author_id
      where ${visibleTo(accountId, "author")} and ${postAt(db, accountId, at)}
    ),
    held as materialized (
      select p.author_id, p.id, p.like_count, p.xmin = found.xmin and ${quiet} as alone
      from found
      join posts p on p.author_id = found.author_id and p.id = found.id
      for no key update of p skip locked
    ),
    locked as materialized (select * from held where alone),
    changed as (${changed}),
    counted as (
      update posts p set like_count = p.like_count + ${sql.lit(by)}
      from changed
      where p.author_id = changed.author_id and p.id = changed.post_id
      returning p.like_count
    ),
    ${telling}
    select
      found.author_id as "authorId", found.id as "postId", coalesce(held.alone, false) as alone,
      coalesce((select like_count from counted), held.like_count) as "likeCount",
      coalesce((select true from gathered), false) as told
    from found left join held on true
  `,
  );
  return row ?? null;
}

type Liker = AccountSummary & { following: boolean };

/**
 * Who likes a post, of those whom the viewer may see, from one end; null when the post is not there
 * to be seen. Whoever stands in a block with its author is left out, as under its comments. Index
 * likes_newest.
 */
export async function likersOf(
  db: Database,
  {
    authorId,
    postId,
    viewerId,
    below,
    above,
    upward,
    limit,
  }: PostRef & IdRange & { viewerId: string | null },
): Promise<KeyedRow<Liker>[] | null> {
  type Row = KeyedRow<AccountSummary> & { following: boolean };
  const order = sql.raw(upward ? "asc" : "desc");
  const rows = await db.prepared<Row | { key: null }>(
    upward ? "likes.list-above" : "likes.list",
    sql`
      select
        case when listed.id is not null then json_build_array(listed.id) end as key,
        listed.item,
        listed.following
      from (
        select p.author_id, p.id
        from posts p
        join accounts author on author.id = p.author_id
        where p.author_id = ${authorId} and ${visibleTo(viewerId, "author")}
          and ${probe("p.id", postId)}
      ) p
      left join lateral (
        select
          l.id,
          ${accountSummary("account")} as item,
          ${isFollowing(viewerId, sql`account.id`)} as following
        from (
          select * from likes
          where author_id = p.author_id and post_id = p.id and id < ${below} and id > ${above}
          order by id ${order}
        ) l
        cross join lateral (
          select * from accounts a where a.id = l.account_id and ${visibleTo(viewerId, "a")} limit 1
        ) account
        where ${noBlock(sql.ref("l.author_id"), sql.ref("l.account_id"))}
        order by l.id ${order}
        limit ${limit}
      ) listed on true
      order by listed.id ${order}
    `,
  );
  if (rows.length === 0) return null;
  return rows.flatMap((row) =>
    row.key === null ? [] : [{ key: row.key, item: { ...row.item, following: row.following } }],
  );
}
