import { sql, type RawBuilder } from "kysely";
import { probe } from "#server/db/probes.ts";
import type { Database } from "#server/db/database.ts";
import type { PostRef } from "#server/features/types.ts";

/** The count as it is now, and the id of the like that came or went, if one did. */
type Changed = { likeCount: number; changed: string | null };

/** The post's row is locked already (lockPost), so the count that it answers is the latest. */
export async function insertLike(
  db: Database,
  like: PostRef & { accountId: string; id: string },
): Promise<Changed> {
  const changed = sql`
    insert into likes (author_id, post_id, account_id, id)
    values (${like.authorId}, ${like.postId}, ${like.accountId}, ${like.id})
    on conflict do nothing
    returning id
  `;
  return countChange(db, like, changed, 1);
}

export async function deleteLike(
  db: Database,
  like: PostRef & { accountId: string },
): Promise<Changed> {
  const changed = sql`
    delete from likes
    where author_id = ${like.authorId} and post_id = ${like.postId}
      and account_id = ${like.accountId}
      -- likes_newest has the id as the primary key has the account: one row by either
      and id = (
        select id from likes
        where author_id = ${like.authorId} and post_id = ${like.postId}
          and ${probe("account_id", like.accountId)}
      )
    returning id
  `;
  return countChange(db, like, changed, -1);
}

async function countChange(
  db: Database,
  { authorId, postId }: PostRef,
  changed: RawBuilder<unknown>,
  by: 1 | -1,
): Promise<Changed> {
  const { rows } = await sql<Changed>`
    with changed as (${changed}),
    counted as (
      update posts set like_count = like_count + ${sql.lit(by)}
      where author_id = ${authorId} and id = ${postId} and exists (select from changed)
      returning like_count
    )
    select like_count as "likeCount", (select id from changed) as changed from counted
    union all
    select like_count, null from posts
    where author_id = ${authorId} and id = ${postId} and not exists (select from changed)
  `.execute(db.kysely);
  const [row] = rows;
  if (!row) throw new Error("a locked post went away");
  return row;
}
