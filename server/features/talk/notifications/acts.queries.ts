import { sql } from "#server/platform/db/sql.ts";
import { orderOf, type IdRange } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import { accountSummary, accountSeen } from "#server/features/people/index.ts";
import { isPostVisible } from "#server/features/posts/index.ts";
import type { NotificationKind } from "#shared/notification-kinds.ts";
import type { AccountSummary } from "#shared/views.ts";

/** Ids strictly between these, from the nearer end. */
export type ActRange = IdRange & {
  kinds: readonly NotificationKind[];
  /** of this account only */
  actorId?: string | null;
};

/** One thing that somebody did, as a notification shows it. */
export type NotificationAct = {
  id: string;
  /** the notification that groups it */
  notificationId: string;
  kind: NotificationKind;
  unread: boolean;
  by: AccountSummary;
  /** the post it is about, and the comment where it is one */
  authorId: string | null;
  postId: string | null;
  commentId: string | null;
};

/** Acts that one page reads at most, where those who did them are hidden. */
const lookedAt = 1000;

/** Acts of one millisecond, which share a decimal id. */
const notificationsNear = 20;

type IdSpan = { lowest: string; highest: string };

/** Of an act `act`, grouped in `n`, of an account `a`. */
const actColumns = sql`
  act.id, n.id as "notificationId", n.kind, n.unread, ${accountSummary("a")} as by,
  n.author_id as "authorId", n.post_id as "postId",
  case
    when n.kind = 'comment' then act.id
    when n.subject_id <> n.post_id then n.subject_id
  end as "commentId"
`;

/** Whether the viewer may see the post that `n` is about, if there is one. */
const postIsFor = (viewerId: string) =>
  sql`(n.post_id is null or ${isPostVisible(viewerId, sql`n.author_id`, sql`n.post_id`)})`;

/** Primary keys of notification_acts, notifications, posts and accounts. */
export async function actsOf(
  db: Database,
  viewerId: string,
  { below, above, upward, limit, kinds, actorId = null }: ActRange,
): Promise<NotificationAct[]> {
  const order = orderOf(upward);
  const name = upward ? "notifications.acts-above" : "notifications.acts";
  return db.query<NotificationAct>(sql.named(name)`
    select ${actColumns}
    from (
      select * from notification_acts
      where account_id = ${viewerId} and id < ${below} and id > ${above}
        and (${actorId}::uuid is null or actor_id = ${actorId}::uuid)
      order by id ${order}
      limit ${lookedAt}
    ) act
    cross join lateral (
      select * from notifications
      where account_id = ${viewerId} and ${probe("notifications.id", sql`act.notification_id`)}
    ) n
    cross join lateral ${accountSeen(viewerId, "act.actor_id")} a
    where n.kind = any(${[...kinds]}::text[]) and ${postIsFor(viewerId)}
    order by act.id ${order}
    limit ${limit}
  `);
}

/**
 * Acts that are grouped in one notification, found by an id close to it. notification_acts_newest.
 */
export const actsGathered = (
  db: Database,
  viewerId: string,
  { gathered, kinds, limit }: Pick<ActRange, "kinds" | "limit"> & { gathered: IdSpan },
) =>
  db.query<NotificationAct>(sql.named("notifications.gathered")`
    select ${actColumns}
    from (
      select * from notifications
      where account_id = ${viewerId} and id between ${gathered.lowest} and ${gathered.highest}
        and kind = any(${[...kinds]}::text[])
      order by id
      limit ${notificationsNear}
    ) n
    cross join lateral (
      select * from notification_acts
      where account_id = ${viewerId} and notification_id = n.id
      order by id desc
      limit ${lookedAt}
    ) act
    cross join lateral ${accountSeen(viewerId, "act.actor_id")} a
    where ${postIsFor(viewerId)}
    order by act.id desc
    limit ${limit}
  `);

export type UnreadRange = {
  kinds: readonly NotificationKind[];
  /** of these kinds a whole notification counts as one */
  together: readonly NotificationKind[];
  /** counted up to this */
  limit: number;
  actorId?: string | null;
};

/** How many acts are unread. notifications_open, notification_acts_newest. */
export const unreadActs = (
  db: Database,
  viewerId: string,
  { kinds, together, limit, actorId = null }: UnreadRange,
) =>
  db.scalar<number>(sql.named("notifications.unread-acts")`
    select count(*)::int as count from (
      select 1
      from notifications n
      cross join lateral (
        select 1 from (
          select * from notification_acts
          where account_id = ${viewerId} and notification_id = n.id
            and (${actorId}::uuid is null or actor_id = ${actorId}::uuid)
          order by id desc
          limit ${lookedAt}
        ) act
        cross join lateral ${accountSeen(viewerId, "act.actor_id")} a
        limit case when n.kind = any(${[...together]}::text[]) then 1 else ${limit}::integer end
      ) act
      where n.account_id = ${viewerId} and n.unread and n.kind = any(${[...kinds]}::text[])
        and ${postIsFor(viewerId)}
      limit ${limit}
    ) unread
  `);

/** Notifications of one account, with their acts, by cascade. Primary key. */
export const deleteThese = (db: Database, accountId: string, ids: readonly string[]) =>
  db.run(sql`
    delete from notifications where account_id = ${accountId} and id = any(${ids}::uuid[])
  `);

/** Their acts go by cascade. Primary key of notifications. */
export const deleteAll = (db: Database, accountId: string, kinds: readonly NotificationKind[]) =>
  db.run(sql`
    delete from notifications where account_id = ${accountId} and kind = any(${kinds}::text[])
  `);
