import type { Database } from "#server/platform/db/database.ts";
import { sql } from "#server/platform/db/sql.ts";
import type { PostRef } from "#server/features/types.ts";

/** Of a notification `n`: it has no act besides these, which are deleted. */
const isEmptied = (ids: readonly string[]) => sql`(
  select true from notification_acts other
  where other.account_id = n.account_id and other.notification_id = n.id
    and other.id <> all(${[...ids]}::uuid[])
  limit 1
) is null`;

/** The accounts whose notifications were deleted. */
type Gone = { accountId: string };

const ownersOf = (gone: readonly Gone[]) => [...new Set(gone.map(({ accountId }) => accountId))];

/**
 * Retracts one recipient's notifications of some acts; a notification without another act is deleted with
 * them. Answers their accounts. Primary key of notification_acts, notification_acts_newest.
 */
export async function deleteActs(db: Database, accountId: string, ids: readonly string[]) {
  const gone = await db.query<Gone>(sql.named("notifications.take-back")`
    with gone as (
      delete from notification_acts
      where account_id = ${accountId} and id = any(${[...ids]}::uuid[])
      returning notification_id
    )
    delete from notifications n
    where n.account_id = ${accountId} and n.id in (select notification_id from gone)
      and ${isEmptied(ids)}
    returning n.account_id as "accountId"
  `);
  return ownersOf(gone);
}

/**
 * The same for comments of a post: all notifications of them, and those that their authors got for
 * them. notifications_by_post.
 */
export async function deleteCommentActs(
  db: Database,
  { authorId, postId, ids }: PostRef & { ids: readonly string[] },
): Promise<string[]> {
  const gone = await db.query<Gone>(sql.named("notifications.take-back-comments")`
    with about as materialized (
      select account_id, id, subject_id from notifications
      where author_id = ${authorId} and post_id = ${postId}
    ), gone as (
      delete from notification_acts acts using about n
      where acts.account_id = n.account_id and acts.notification_id = n.id
        and acts.id = any(${ids}::uuid[])
      returning acts.account_id, acts.id, acts.notification_id
    )
    delete from notifications n using about
    where n.account_id = about.account_id and n.id = about.id
      and (
        about.subject_id = any(${ids}::uuid[])
        or (n.account_id, n.id) in (select account_id, notification_id from gone)
          and ${isEmptied(ids)}
      )
    returning n.account_id as "accountId"
  `);
  return ownersOf(gone);
}

/** All notifications about the comments of a post: notifications_by_post. */
export async function deleteCommentsOfPost(db: Database, { authorId, postId }: PostRef) {
  // Likes of the post, and a mention in its caption, have the post as their subject.
  const gone = await db.query<Gone>(sql`
    delete from notifications
    where author_id = ${authorId} and post_id = ${postId}
      and (kind = 'comment' or (kind in ('like', 'mention') and subject_id <> ${postId}))
    returning account_id as "accountId"
  `);
  return ownersOf(gone);
}

/** All notifications about a post: notifications_by_post, their acts by cascade. */
export async function deleteOfPost(db: Database, { authorId, postId }: PostRef): Promise<string[]> {
  const gone = await db.query<Gone>(sql`
    delete from notifications
    where author_id = ${authorId} and post_id = ${postId}
    returning account_id as "accountId"
  `);
  return ownersOf(gone);
}

/** Notifications between two accounts, both ways: notification_acts_by_actor. */
export async function deleteBetween(db: Database, one: string, other: string): Promise<string[]> {
  const rows = await db.query<Gone>(sql`
    with gone as (
      delete from notification_acts
      where (actor_id = ${one} and account_id = ${other})
        or (actor_id = ${other} and account_id = ${one})
      returning account_id, id, notification_id
    )
    delete from notifications n
    where (n.account_id, n.id) in (select account_id, notification_id from gone)
      and (
        select true from notification_acts left_over
        where left_over.account_id = n.account_id and left_over.notification_id = n.id
          and (left_over.account_id, left_over.id) not in (select account_id, id from gone)
        limit 1
      ) is null
    returning n.account_id as "accountId"
  `);
  return ownersOf(rows);
}
