import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";
import { probe } from "#server/db/probes.ts";
import { accountSummary, visibleTo } from "#server/features/people/index.ts";
import type { NotificationKind } from "#shared/notification-kinds.ts";
import type { AccountSummary } from "#shared/views.ts";

/** Ids strictly between these, from the nearer end. */
export type ActRange = {
  below: string;
  above: string;
  upward: boolean;
  limit: number;
  kinds: readonly NotificationKind[];
  /** of this account alone */
  actorId?: string | null;
};

/** One thing that somebody did, as it was told. */
export type ToldAct = {
  id: string;
  /** what it is gathered in */
  notificationId: string;
  kind: NotificationKind;
  unread: boolean;
  by: AccountSummary;
  /** the post it is about, and the comment where it is one */
  authorId: string | null;
  postId: string | null;
  commentId: string | null;
};

/** Acts that one page looks at, where those who did them are hidden. */
const lookedAt = 1000;

/** Primary keys of notification_acts, notifications and accounts. */
export async function actsOf(
  db: Database,
  viewerId: string,
  { below, above, upward, limit, kinds, actorId = null }: ActRange,
): Promise<ToldAct[]> {
  const order = sql.raw(upward ? "asc" : "desc");
  return db.prepared<ToldAct>(
    upward ? "notifications.acts-above" : "notifications.acts",
    sql`
      select act.id, n.id as "notificationId", n.kind, n.unread, ${accountSummary("a")} as by,
        n.author_id as "authorId", n.post_id as "postId",
        case
          when n.kind = 'comment' then act.id
          when n.subject_id <> n.post_id then n.subject_id
        end as "commentId"
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
      cross join lateral (
        select * from accounts a where a.id = act.actor_id and ${visibleTo(viewerId, "a")} limit 1
      ) a
      where n.kind = any(${[...kinds]}::text[])
      order by act.id ${order}
      limit ${limit}
    `.compile(db.kysely),
  );
}

/** Their acts go by cascade. Primary key of notifications. */
export async function deleteAll(
  db: Database,
  accountId: string,
  kinds: readonly NotificationKind[],
): Promise<void> {
  await db.kysely
    .deleteFrom("notifications")
    .where("account_id", "=", accountId)
    .where("kind", "in", kinds)
    .execute();
}
