import { sql } from "#server/db/sql.ts";
import type { KeyedRow } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { accountSummary, visibleTo } from "#server/features/people/index.ts";
import { messageView } from "#server/features/talk/chat/messages.queries.ts";
import type { AccountSummary, ChatSummary } from "#shared/views.ts";

type ChatRow = Omit<ChatSummary, "chatId">;

/**
 * The conversations of an account that have messages, newest first, but those with somebody who is
 * not to be seen. conversations_low and conversations_high, each read to the limit.
 */
export async function chatsOf(
  db: Database,
  {
    viewerId,
    below,
    limit,
    most,
  }: { viewerId: string; below: string; limit: number; most: number },
): Promise<KeyedRow<ChatRow>[]> {
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
  const { rows } = await sql<KeyedRow<ChatRow>>`
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
  `.execute(db.kysely);
  return rows;
}

/**
 * Mutual connections without a message yet, latest followed first. follows_newest, and the primary
 * key of follows for the way back.
 */
export async function connectionsWithoutChat(
  db: Database,
  { viewerId, below, limit }: { viewerId: string; below: string; limit: number },
): Promise<{ followId: string; account: AccountSummary }[]> {
  const { rows } = await sql<{ followId: string; account: AccountSummary }>`
    select f.id as "followId", ${accountSummary("a")} as account
    from follows f
    join accounts a on a.id = f.followee_id
    where f.follower_id = ${viewerId} and f.id < ${below} and ${visibleTo(viewerId, "a")}
      and exists (
        select from follows back
        where back.follower_id = f.followee_id and back.followee_id = ${viewerId}
      )
      and not exists (
        select from conversations c
        where c.low_id = least(${viewerId}::uuid, f.followee_id)
          and c.high_id = greatest(${viewerId}::uuid, f.followee_id)
          and c.last_message_id is not null
      )
    order by f.id desc
    limit ${limit}
  `.execute(db.kysely);
  return rows;
}
