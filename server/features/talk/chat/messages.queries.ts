import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import { idTime } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import { visibleTo } from "#server/features/people/index.ts";
import { mutual } from "#server/features/talk/chat/conversations.queries.ts";
import type { ReceivedImage } from "#server/features/posts/index.ts";
import type { MessageView } from "#shared/views.ts";

/** A row of messages as a MessageView. Primary key of message_pictures. */
export function messageView(messages = "m"): Sql {
  const column = (name: string) => sql.ref(`${messages}.${name}`);
  return sql`json_build_object(
    'conversationId', ${column("conversation_id")},
    'seq', ${column("seq")},
    'id', ${column("id")},
    'senderId', ${column("sender_id")},
    'body', ${column("body")},
    'picture', case when ${column("has_picture")} then (
      select json_build_object(
        'width', width, 'height', height, 'widths', widths,
        'thumbhash', replace(encode(thumbhash, 'base64'), chr(10), '')
      )
      from message_pictures p
      where p.conversation_id = ${column("conversation_id")} and p.seq = ${column("seq")}
    ) end,
    'deleted', ${column("deleted_at")} is not null,
    'createdAt', ${idTime(column("id"))},
    'clientKey', ${column("client_key")}
  )`;
}

export type NewMessage = {
  conversationId: string;
  id: string;
  senderId: string;
  otherId: string;
  body: string;
  clientKey: string | null;
  picture: ReceivedImage | null;
};

/**
 * Numbers and writes a message, in one statement that waits for the conversation's row: one order
 * for both sides; `quiet` when the other one muted it. Sent again with the same client key it
 * answers the first one's number. Null when the two do not follow each other (any more), or the
 * other one may not be seen.
 */
export async function insertMessage(db: Database, message: NewMessage) {
  const { conversationId, id, senderId, otherId, body, clientKey, picture } = message;
  const pictured = picture
    ? sql`, pictured as (
        insert into message_pictures
          (conversation_id, seq, key, width, height, widths, thumbhash, bytes, media_type, account_id)
        select ${conversationId}, seq, ${picture.key}, ${picture.width}, ${picture.height},
          ${picture.widths}, ${picture.thumbhash}, ${picture.bytes}, ${picture.mediaType}, ${senderId}
        from added
      )`
    : sql``;
  return db.first<{ seq: number; added: boolean; quiet: boolean }>(sql.named(
    picture ? "chat.send-picture" : "chat.send",
  )`
    with repeated as (
      select seq from messages
      where conversation_id = ${conversationId} and sender_id = ${senderId}
        and client_key = ${clientKey}
    ), numbered as (
      update conversations set
        last_seq = last_seq + 1,
        last_message_id = greatest(last_message_id, ${id}::uuid),
        last_xid = pg_current_xact_id()
      where id = ${conversationId} and not exists (select from repeated)
        and ${mutual(sql`${senderId}::uuid`, sql`${otherId}::uuid`)}
        and exists (select from accounts a where a.id = ${otherId} and ${visibleTo(senderId, "a")})
      returning last_seq as seq
    ), added as (
      insert into messages (conversation_id, seq, id, sender_id, body, has_picture, client_key)
      select ${conversationId}, seq, ${id}, ${senderId}, ${body}, ${picture !== null}, ${clientKey}
      from numbered
      returning seq
    ), marked as (
      -- whatever is there now: the other side may be reading at this moment
      update conversation_members set
        read_seq = case when account_id = ${senderId} then added.seq else read_seq end,
        unread = account_id <> ${senderId}
      from added
      where conversation_id = ${conversationId} and account_id in (${senderId}, ${otherId})
    )${pictured}
    select seq, true as added, (
      select muted from conversation_members
      where account_id = ${otherId} and conversation_id = ${conversationId}
    ) as quiet
    from added
    union all
    select seq, false, true from repeated
  `);
}

/**
 * Messages `m` of a conversation that a condition selects, in the given order. Primary key of
 * messages.
 */
const messagesWhere = (
  db: Database,
  conversationId: string,
  { where, order = sql`m.seq`, limit = 1 }: { where: Sql; order?: Sql; limit?: number },
) =>
  db.query<KeyedRow<MessageView>>(sql`
    select json_build_array(m.seq) as key, ${messageView("m")} as item
    from messages m
    where m.conversation_id = ${conversationId} and ${where}
    order by ${order}
    limit ${limit}
  `);

const latestFirst = sql`m.seq desc`;

export async function findMessage(db: Database, conversationId: string, seq: number) {
  const [row] = await messagesWhere(db, conversationId, { where: sql`m.seq = ${seq}` });
  return row?.item ?? null;
}

type Part = { conversationId: string; limit: number };

/** Newest first, below a number. */
export function messagesBelow(
  db: Database,
  { conversationId, below, limit }: Part & { below: number },
) {
  const where = sql`m.seq < ${below}`;
  return messagesWhere(db, conversationId, { where, order: latestFirst, limit });
}

/** The newest `limit`, oldest first, without those taken back. */
export async function newestMessages(db: Database, conversationId: string, limit: number) {
  const where = sql`m.deleted_at is null`;
  const rows = await messagesWhere(db, conversationId, { where, order: latestFirst, limit });
  return rows.map(({ item }) => item).toReversed();
}

/** Oldest first, above a number: what a client that was offline has missed. */
export async function messagesAbove(
  db: Database,
  { conversationId, above, limit }: Part & { above: number },
) {
  const rows = await messagesWhere(db, conversationId, { where: sql`m.seq > ${above}`, limit });
  return rows.map(({ item }) => item);
}

/**
 * Empties a message of its sender. Answers the keys of its files, null when there is no such
 * message.
 */
export const withdrawMessage = (
  db: Database,
  { conversationId, seq, senderId }: { conversationId: string; seq: number; senderId: string },
) =>
  db.value<string[]>(sql`
    with emptied as (
      update messages set
        body = '', has_picture = false, deleted_at = now(), xid = pg_current_xact_id()
      where conversation_id = ${conversationId} and seq = ${seq} and sender_id = ${senderId}
        and deleted_at is null
      returning seq
    ), unpictured as (
      delete from message_pictures
      where conversation_id = ${conversationId} and seq = (select seq from emptied)
      returning key
    ), noted as (
      update conversations set last_xid = pg_current_xact_id()
      where id = ${conversationId} and exists (select from emptied)
    )
    select coalesce((select array_agg(key) from unpictured), '{}') as keys from emptied
  `);

/**
 * The receiver of what a member of a conversation writes; null where that account is gone. Primary
 * key.
 */
export const findReceiver = (db: Database, conversationId: string, senderId: string) =>
  db.value<string>(sql`
    select case when low_id = ${senderId} then high_id else low_id end as id
    from conversations where id = ${conversationId}
  `);
