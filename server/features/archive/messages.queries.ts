import { sql } from "#server/platform/db/sql.ts";
import { lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { ms } from "#server/platform/db/times.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import { visibleTo } from "#server/features/people/index.ts";

export type ArchivedMessage = {
  id: string;
  conversation: string;
  /** its position in the conversation, from 1 */
  number: number;
  /** epoch ms */
  time: number;
  /** the other person; null when gone, or not visible to this account */
  with: { username: string; name: string } | null;
  /** by this account */
  sent: boolean;
  text: string;
  deleted: boolean;
  /** it was imported from an archive */
  imported: boolean;
  /** without a key it was never here */
  picture: { key: string | null; mediaType: string | null; width: number; height: number } | null;
};

export type MessagePosition = Pick<ArchivedMessage, "conversation" | "number">;

const firstPosition: MessagePosition = { conversation: lowestId, number: 0 };

/**
 * One conversation after the other, each in its order. The account's own messages are always included, the
 * other person's while the product shows the conversation: no block, nobody suspended (decision 0081).
 * Primary keys of conversation_members and messages.
 */
export async function readMessages(
  db: Database,
  accountId: string,
  after: MessagePosition | null,
  limit: number,
): Promise<ArchivedMessage[]> {
  const { conversation, number } = after ?? firstPosition;
  const rows = await db.query<Omit<ArchivedMessage, "time" | "imported">>(sql`
    select m.id, m.conversation_id as conversation, m.seq as number,
      case when a.id is not null then json_build_object(
        'username', a.username, 'name', coalesce(nullif(a.full_name, ''), a.username)
      ) end as "with",
      m.sender_id = ${accountId} as sent, m.body as text, m.deleted_at is not null as deleted,
      (
        select json_build_object(
          'key', p.key, 'mediaType', p.media_type, 'width', p.width, 'height', p.height
        )
        from message_pictures p
        where p.conversation_id = m.conversation_id and p.seq = m.seq
      ) as picture
    from conversation_members own
    join conversations c on c.id = own.conversation_id
    join messages m on m.conversation_id = own.conversation_id
    left join accounts a
      on a.id = case when c.low_id = ${accountId} then c.high_id else c.low_id end
      and ${visibleTo(accountId, "a")}
    where own.account_id = ${accountId} and own.conversation_id >= ${conversation}
      and (m.conversation_id, m.seq) > (${conversation}::uuid, ${number}::integer)
      and (m.sender_id = ${accountId} or a.id is not null)
    order by own.conversation_id, m.seq
    limit ${limit}
  `);
  return rows.map((row) => ({ ...row, time: timeOf(row.id), imported: false }));
}

/** Imported messages, in the same order. Primary key of imported_messages. */
export async function readImportedMessages(
  db: Database,
  accountId: string,
  after: MessagePosition | null,
  limit: number,
): Promise<ArchivedMessage[]> {
  const { conversation, number } = after ?? firstPosition;
  return db.query<ArchivedMessage>(sql`
    select m.id, m.thread_id as conversation, m.number,
      ${ms("m.sent_at")} as time,
      case when t.other_username is not null then json_build_object(
        'username', t.other_username, 'name', t.other_name
      ) end as "with",
      m.sent, m.body as text, m.deleted, true as imported,
      case when m.picture_width is not null then json_build_object(
        'key', p.key, 'mediaType', p.media_type,
        'width', m.picture_width, 'height', m.picture_height
      ) end as picture
    from imported_messages m
    join imported_threads t on t.account_id = m.account_id and t.id = m.thread_id
    left join imported_pictures p
      on p.account_id = m.account_id and p.thread_id = m.thread_id and p.number = m.number
    where m.account_id = ${accountId}
      and (m.thread_id, m.number) > (${conversation}::uuid, ${number}::integer)
    order by m.thread_id, m.number
    limit ${limit}
  `);
}

/**
 * Bytes of the images that the account sent in messages or imported with them. Index messages_by_account,
 * primary key of imported_pictures.
 */
export const sentImageBytes = (db: Database, accountId: string) =>
  db.scalar<number>(sql`
    select coalesce(sum(bytes), 0)::float8 as bytes from (
      select p.bytes from messages m
      join message_pictures p on p.conversation_id = m.conversation_id and p.seq = m.seq
      where m.sender_id = ${accountId} and m.has_picture
      union all
      select bytes from imported_pictures where account_id = ${accountId}
    ) sent
  `);
