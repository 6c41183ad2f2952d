import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";
import { visibleTo } from "#server/features/accounts/visibility.queries.ts";

export type ArchivedMessage = {
  id: string;
  conversation: string;
  seq: number;
  /** the other one; null when gone, or not to be seen by this account */
  with: { username: string; name: string } | null;
  /** by this account */
  sent: boolean;
  text: string;
  deleted: boolean;
  picture: { key: string; mediaType: string; width: number; height: number } | null;
};

const FIRST = { conversation: "00000000-0000-0000-0000-000000000000", seq: 0 };

/**
 * One conversation after the other, each in its order. The account's own words are always there,
 * the other one's while the product shows the conversation: no block, nobody suspended (decision
 * 0081). Primary keys of conversation_members and messages.
 */
export async function readMessages(
  db: Database,
  accountId: string,
  after: Pick<ArchivedMessage, "conversation" | "seq"> | null,
  limit: number,
): Promise<ArchivedMessage[]> {
  const { conversation, seq } = after ?? FIRST;
  const { rows } = await sql<ArchivedMessage>`
    select m.id, m.conversation_id as conversation, m.seq,
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
      and (m.conversation_id, m.seq) > (${conversation}::uuid, ${seq}::integer)
      and (m.sender_id = ${accountId} or a.id is not null)
    order by own.conversation_id, m.seq
    limit ${limit}
  `.execute(db.kysely);
  return rows;
}

/** Bytes of the pictures that the account sent in messages. Index messages_by_account. */
export async function sentPictureBytes(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(p.bytes), 0)::float8 as bytes
    from messages m
    join message_pictures p on p.conversation_id = m.conversation_id and p.seq = m.seq
    where m.sender_id = ${accountId} and m.has_picture
  `.execute(db.kysely);
  return rows[0]?.bytes ?? 0;
}
