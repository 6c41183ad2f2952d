import { sql, type RawBuilder } from "kysely";
import type { KeyedRow } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { accountIdAt } from "#server/features/accounts/address.queries.ts";
import { accountSummary } from "#server/features/accounts/summary.queries.ts";
import {
  noBlock,
  visibleAccount,
  visibleTo,
} from "#server/features/accounts/visibility.queries.ts";
import type { ReceivedImage } from "#server/features/images/images.ts";
import type { AccountSummary, ChatSummary, MessageView } from "#shared/views.ts";

/** Milliseconds of a UUIDv7, in PostgreSQL: its first 48 bits. */
const createdAt = (id: RawBuilder<unknown>) =>
  sql`('x' || lpad(left(replace(${id}::text, '-', ''), 12), 16, '0'))::bit(64)::bigint`;

/** A row of messages as a MessageView. Primary key of message_pictures. */
export function messageView(messages = "m"): RawBuilder<MessageView> {
  const column = (name: string) => sql.ref(`${messages}.${name}`);
  return sql<MessageView>`json_build_object(
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
    'createdAt', ${createdAt(column("id"))},
    'clientKey', ${column("client_key")}
  )`;
}

/** Whether both follow each other. Primary key of follows, twice. */
function mutual(one: RawBuilder<unknown>, two: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from follows where follower_id = ${one} and followee_id = ${two})
    and exists (select from follows where follower_id = ${two} and followee_id = ${one})
  )`;
}

export type Party = { account: AccountSummary; open: boolean };

/**
 * The visible accounts, other than the viewer, at these addresses, with whom the viewer may write
 * (`open`) or wrote before.
 */
export async function partiesAt(
  db: Database,
  viewerId: string,
  addresses: readonly string[],
): Promise<Party[]> {
  if (addresses.length === 0) return [];
  const ids = sql.join(
    addresses.map((address) => accountIdAt(address, viewerId)),
    sql`, `,
  );
  const { rows } = await sql<Party & { talked: boolean }>`
    select ${accountSummary("a")} as account, ${mutual(sql`a.id`, sql`${viewerId}`)} as open,
      exists (
        select from conversations c
        where c.low_id = least(${viewerId}::uuid, a.id)
          and c.high_id = greatest(${viewerId}::uuid, a.id)
      ) as talked
    from accounts a
    where a.id in (${ids}) and a.id <> ${viewerId} and ${visibleTo(viewerId, "a")}
  `.execute(db.kysely);
  return rows.filter(({ open, talked }) => open || talked);
}

export type Conversation = {
  id: string;
  muted: boolean;
  readSeq: number;
  otherReadSeq: number;
};

/** A conversation of the viewer: with somebody (unique key conversations_pair), or by its id. */
export async function findConversation(
  db: Database,
  viewerId: string,
  by: { otherId: string } | { id: string },
): Promise<Conversation | null> {
  const wanted =
    "id" in by
      ? sql`c.id = ${by.id}`
      : sql`c.low_id = least(${viewerId}::uuid, ${by.otherId}::uuid)
          and c.high_id = greatest(${viewerId}::uuid, ${by.otherId}::uuid)`;
  const { rows } = await sql<Conversation>`
    select c.id, own.muted, own.read_seq as "readSeq", coalesce(other.read_seq, 0) as "otherReadSeq"
    from conversations c
    join conversation_members own on own.conversation_id = c.id and own.account_id = ${viewerId}
    left join conversation_members other on other.conversation_id = c.id
      and other.account_id = case when c.low_id = ${viewerId} then c.high_id else c.low_id end
    where ${wanted}
  `.execute(db.kysely);
  return rows[0] ?? null;
}

/** Whether the other one is to be seen, and the two follow each other. */
export async function mayWrite(db: Database, viewerId: string, otherId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select ${mutual(sql`${viewerId}::uuid`, sql`a.id`)} as open
    from accounts a where a.id = ${otherId} and ${visibleTo(viewerId, "a")}
  `.execute(db.kysely);
  return rows[0]?.open ?? false;
}

/**
 * Whether the account is one of the two, and the other one's id (null when that one is gone). With
 * somebody who is not to be seen there is no conversation meanwhile.
 */
export async function findMembership(
  db: Database,
  viewerId: string,
  conversationId: string,
): Promise<{ otherId: string | null } | null> {
  const { rows } = await sql<{ otherId: string | null }>`
    select other.id as "otherId"
    from conversations c
    left join accounts other
      on other.id = case when c.low_id = ${viewerId} then c.high_id else c.low_id end
    where c.id = ${conversationId} and ${viewerId} in (c.low_id, c.high_id)
      and (other.id is null or ${visibleTo(viewerId, "other")})
  `.execute(db.kysely);
  return rows[0] ?? null;
}

/** Makes the conversation of two, when there is none yet. Answers its id. */
export async function ensureConversation(
  db: Database,
  { id, viewerId, otherId }: { id: string; viewerId: string; otherId: string },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into conversations (id, low_id, high_id)
      values (${id}, least(${viewerId}::uuid, ${otherId}::uuid),
        greatest(${viewerId}::uuid, ${otherId}::uuid))
      on conflict (low_id, high_id) do nothing
      returning id
    ), joined as (
      insert into conversation_members (account_id, conversation_id)
      select account_id, made.id from made
      cross join unnest(array[${viewerId}, ${otherId}]::uuid[]) account_id
    )
    select id from made
  `.execute(db.kysely);
  const [made] = rows;
  if (made) return made.id;
  const existing = await findConversation(db, viewerId, { otherId });
  if (!existing) throw new Error("a conversation was neither new nor known");
  return existing.id;
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
 * answers the first one's number. Null when
 * the two do not follow each other (any more), or the other one is not to be seen.
 */
export async function insertMessage(
  db: Database,
  message: NewMessage,
): Promise<{ seq: number; added: boolean; quiet: boolean } | null> {
  const { conversationId, id, senderId, otherId, body, clientKey, picture } = message;
  const pictured = picture
    ? sql`, pictured as (
        insert into message_pictures
          (conversation_id, seq, key, width, height, widths, thumbhash, bytes, media_type)
        select ${conversationId}, seq, ${picture.key}, ${picture.width}, ${picture.height},
          ${picture.widths}, ${picture.thumbhash}, ${picture.bytes}, ${picture.mediaType}
        from added
      )`
    : sql``;
  const rows = await db.prepared<{ seq: number; added: boolean; quiet: boolean }>(
    picture ? "chat.send-picture" : "chat.send",
    sql`
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
      ), seen as (
        update conversation_members set read_seq = added.seq
        from added
        where account_id = ${senderId} and conversation_id = ${conversationId}
      )${pictured}
      select seq, true as added, (
        select muted from conversation_members
        where account_id = ${otherId} and conversation_id = ${conversationId}
      ) as quiet
      from added
      union all
      select seq, false, true from repeated
    `.compile(db.kysely),
  );
  return rows[0] ?? null;
}

/** Primary key of messages. */
export async function findMessage(
  db: Database,
  conversationId: string,
  seq: number,
): Promise<MessageView | null> {
  const { rows } = await sql<{ item: MessageView }>`
    select ${messageView("m")} as item from messages m
    where m.conversation_id = ${conversationId} and m.seq = ${seq}
  `.execute(db.kysely);
  return rows[0]?.item ?? null;
}

/** Newest first, below a number. Primary key of messages. */
export async function messagesBelow(
  db: Database,
  { conversationId, below, limit }: { conversationId: string; below: number; limit: number },
): Promise<KeyedRow<MessageView>[]> {
  const { rows } = await sql<KeyedRow<MessageView>>`
    select json_build_array(m.seq) as key, ${messageView("m")} as item
    from messages m
    where m.conversation_id = ${conversationId} and m.seq < ${below}
    order by m.seq desc
    limit ${limit}
  `.execute(db.kysely);
  return rows;
}

/** The newest `limit`, oldest first, without those taken back. Primary key of messages. */
export async function newestMessages(
  db: Database,
  conversationId: string,
  limit: number,
): Promise<MessageView[]> {
  const { rows } = await sql<{ item: MessageView }>`
    select item from (
      select m.seq, ${messageView("m")} as item from messages m
      where m.conversation_id = ${conversationId} and m.deleted_at is null
      order by m.seq desc
      limit ${limit}
    ) newest
    order by seq
  `.execute(db.kysely);
  return rows.map(({ item }) => item);
}

/** Oldest first, above a number: what a thread that was away has missed. Primary key of messages. */
export async function messagesAbove(
  db: Database,
  { conversationId, above, limit }: { conversationId: string; above: number; limit: number },
): Promise<MessageView[]> {
  const { rows } = await sql<{ item: MessageView }>`
    select ${messageView("m")} as item
    from messages m
    where m.conversation_id = ${conversationId} and m.seq > ${above}
    order by m.seq
    limit ${limit}
  `.execute(db.kysely);
  return rows.map(({ item }) => item);
}

/** Empties a message of its sender; the keys of its files, null when there is no such message. */
export async function withdrawMessage(
  db: Database,
  { conversationId, seq, senderId }: { conversationId: string; seq: number; senderId: string },
): Promise<string[] | null> {
  const { rows } = await sql<{ keys: string[] }>`
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
  `.execute(db.kysely);
  return rows[0]?.keys ?? null;
}

/** Moves the mark up to a number, never down and never past the newest. Whether it moved. */
export async function markRead(
  db: Database,
  { viewerId, conversationId, seq }: { viewerId: string; conversationId: string; seq: number },
): Promise<boolean> {
  const { rows } = await sql`
    update conversation_members own set read_seq = least(${seq}, c.last_seq)
    from conversations c
    where c.id = own.conversation_id and own.account_id = ${viewerId}
      and own.conversation_id = ${conversationId} and own.read_seq < least(${seq}, c.last_seq)
    returning own.read_seq
  `.execute(db.kysely);
  return rows.length > 0;
}

export async function setMuted(
  db: Database,
  { viewerId, conversationId, muted }: { viewerId: string; conversationId: string; muted: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db.kysely
    .updateTable("conversation_members")
    .set({ muted })
    .where("account_id", "=", viewerId)
    .where("conversation_id", "=", conversationId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The key under which a picture of a message is kept, for its two members. */
export async function pictureKey(
  db: Database,
  { viewerId, conversationId, seq }: { viewerId: string; conversationId: string; seq: number },
): Promise<string | null> {
  const { rows } = await sql<{ key: string }>`
    select p.key from message_pictures p
    join conversations c on c.id = p.conversation_id
    where p.conversation_id = ${conversationId} and p.seq = ${seq}
      and ${viewerId} in (c.low_id, c.high_id)
  `.execute(db.kysely);
  return rows[0]?.key ?? null;
}

/** Keys of pictures that the account sent, at most `limit`. Index messages_by_account. */
export async function pictureKeysOf(
  db: Database,
  accountId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select p.key from messages m
    join message_pictures p on p.conversation_id = m.conversation_id and p.seq = m.seq
    where m.sender_id = ${accountId} and m.has_picture
    limit ${limit}
  `.execute(db.kysely);
  return rows.map(({ key }) => key);
}

/** Their rows, once the files are gone. */
export async function removePictureRows(db: Database, keys: readonly string[]): Promise<void> {
  await db.kysely
    .deleteFrom("message_pictures")
    .where("key", "=", sql<string>`any(${keys})`)
    .execute();
}

/** Conversations that both members left for good. */
export async function removeEmptyConversations(db: Database): Promise<void> {
  await sql`delete from conversations where low_id is null and high_id is null`.execute(db.kysely);
}

/** Those of `keys` that a message has. Unique index on message_pictures.key. */
export async function pictureKeysInUse(
  db: Database,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await db.kysely
    .selectFrom("message_pictures")
    .select("key")
    .where("key", "=", sql<string>`any(${keys})`)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

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
  viewerId: string,
  limit: number,
): Promise<AccountSummary[]> {
  const { rows } = await sql<{ account: AccountSummary }>`
    select ${accountSummary("a")} as account
    from follows f
    join accounts a on a.id = f.followee_id
    where f.follower_id = ${viewerId} and ${visibleTo(viewerId, "a")}
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
  return rows.map(({ account }) => account);
}

/** In how many conversations something is new, of each account, counted to `most`. */
export async function unreadChats(
  db: Database,
  accountIds: readonly string[],
  most: number,
): Promise<{ accountId: string; chats: number }[]> {
  return db.prepared(
    "chat.unread",
    sql`
      select viewer.id as "accountId", (
        select count(*)::integer from (
          select from conversation_members own
          join conversations c on c.id = own.conversation_id
          left join accounts other
            on other.id = case when c.low_id = viewer.id then c.high_id else c.low_id end
          where own.account_id = viewer.id and not own.muted and c.last_seq > own.read_seq
            and (other.id is null
              or (${visibleAccount("other")} and ${noBlock(sql`viewer.id`, sql`other.id`)}))
          limit ${most}
        ) unread
      ) as chats
      from unnest(${accountIds}::uuid[]) viewer (id)
    `.compile(db.kysely),
  );
}
