import { sql } from "#server/platform/db/sql.ts";
import { listOf } from "#server/platform/db/probes.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { accountSummary, visibleTo } from "#server/features/people/index.ts";
import { messageView } from "#server/features/talk/chat/messages.queries.ts";
import type { AccountSummary, ConversationSummary } from "#shared/views.ts";

type ConversationRow = Omit<ConversationSummary, "chatId">;

/**
 * The conversations of an account that have messages, newest first, without those with somebody who
 * may not be seen. conversations_low and conversations_high, each read to the limit.
 */
export async function conversationsOf(
  db: Database,
  search: { viewerId: string; below: string; limit: number; most: number },
): Promise<KeyedRow<ConversationRow>[]> {
  const { viewerId, below, limit, most } = search;
  const side = (own: string, other: string) => sql`(
    select id, last_message_id, last_seq, ${sql.ref(other)} as other_id
    from conversations
    where ${sql.ref(own)} = ${viewerId} and last_message_id < ${below}
      and (
        ${sql.ref(other)} is null
        or exists (select from accounts a where a.id = ${sql.ref(other)} and ${visibleTo(viewerId, "a")})
      )
    order by last_message_id desc
    limit ${limit}
  )`;
  return db.query<KeyedRow<ConversationRow>>(sql`
    select json_build_array(c.last_message_id) as key, json_build_object(
      'conversationId', c.id,
      'other', (
        select ${accountSummary("a")} from accounts a where a.id = c.other_id
      ),
      'last', (
        select ${messageView("m")} from messages m
        where m.conversation_id = c.id order by m.seq desc limit 1
      ),
      'unread', (
        select count(*) from (
          select from messages m
          where m.conversation_id = c.id and m.seq > own.read_seq and m.sender_id <> ${viewerId}
            and m.deleted_at is null
          limit ${most}
        ) unread
      ),
      'muted', own.muted
    ) as item
    from (${side("low_id", "high_id")} union all ${side("high_id", "low_id")}) c
    join conversation_members own on own.account_id = ${viewerId} and own.conversation_id = c.id
    order by c.last_message_id desc
    limit ${limit}
  `);
}

export type Connections = {
  found: { followId: string; account: AccountSummary }[];
  floor: string | null;
};

/**
 * Of the newest `among` that the account follows below an id, those who follow it, too, and have no message with
 * it yet, latest followed first; `turn.floor` is the oldest of these `among` where there may be more of them.
 * follows_newest, the primary key of followers once for all, then a probe each of accounts and conversations_pair
 * until `limit` are found.
 */
export async function connectionsWithoutConversation(
  db: Database,
  search: { viewerId: string; below: string; among: number; limit: number },
): Promise<Connections> {
  const { viewerId, below, among, limit } = search;
  return db.one<Connections>(sql.named("chat.connections")`
    with recent as materialized (
      select id, followee_id from follows
      where ${listOf("follower_id", viewerId)} and id < ${below}
      order by id desc
      limit ${among}
    ),
    mutual as materialized (
      select follower_id from followers
      where followee_id = ${viewerId}
        and follower_id = any(array(select followee_id from recent))
    ),
    connected as materialized (
      select recent.id, recent.followee_id
      from recent
      join mutual on mutual.follower_id = recent.followee_id
      order by recent.id desc
    ),
    found as materialized (
      select connected.id as "followId", ${accountSummary("a")} as account
      from connected
      cross join lateral (
        select * from accounts where id = connected.followee_id and ${visibleTo(viewerId)} limit 1
      ) a
      where (
        select c.last_message_id from conversations c
        where c.low_id = least(${viewerId}::uuid, connected.followee_id)
          and c.high_id = greatest(${viewerId}::uuid, connected.followee_id)
        limit 1
      ) is null
      limit ${limit}
    )
    select
      coalesce((select json_agg(found order by "followId" desc) from found), '[]') as found,
      case when (select count(*) from recent) = ${among}::bigint
        then (select id from recent order by id limit 1) end as floor
  `);
}
