import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { accountIdAt, accountSummary, visibleTo } from "#server/features/people/index.ts";
import type { AccountSummary } from "#shared/views.ts";

/** Whether both follow each other. Primary key of follows, twice. */
export function mutual(one: Sql, two: Sql): Sql {
  return sql`(
    exists (select from follows where follower_id = ${one} and followee_id = ${two})
    and exists (select from follows where follower_id = ${two} and followee_id = ${one})
  )`;
}

type Party = { account: AccountSummary; open: boolean };

/**
 * The visible accounts, other than the viewer, at these addresses, with whom the viewer may write
 * (`open`) or wrote before.
 */
export async function partiesAt(db: Database, viewerId: string, addresses: readonly string[]) {
  if (addresses.length === 0) return [];
  const ids = sql.join(addresses.map((address) => accountIdAt(db, address, viewerId)));
  const found = await parties(db, viewerId, ids);
  return found.filter(({ open, talked }) => open || talked);
}

/** The other member of a conversation. Primary key of accounts. */
export async function partyWithId(db: Database, viewerId: string, otherId: string) {
  const [found] = await parties(db, viewerId, sql`${otherId}`);
  return found ?? null;
}

/** Visible accounts, with whether the viewer may write to them, or wrote before. */
const parties = (db: Database, viewerId: string, ids: Sql) =>
  db.query<Party & { talked: boolean }>(sql`
    select ${accountSummary("a")} as account, ${mutual(sql`a.id`, sql`${viewerId}`)} as open,
      exists (
        select from conversations c
        where c.low_id = least(${viewerId}::uuid, a.id)
          and c.high_id = greatest(${viewerId}::uuid, a.id)
      ) as talked
    from accounts a
    where a.id in (${ids}) and a.id <> ${viewerId} and ${visibleTo(viewerId, "a")}
  `);

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
  const rows = await db.query<Conversation>(sql`
    select c.id, own.muted, own.read_seq as "readSeq", coalesce(other.read_seq, 0) as "otherReadSeq"
    from conversations c
    join conversation_members own on own.conversation_id = c.id and own.account_id = ${viewerId}
    left join conversation_members other on other.conversation_id = c.id
      and other.account_id = case when c.low_id = ${viewerId} then c.high_id else c.low_id end
    where ${wanted}
  `);
  return rows[0] ?? null;
}

/**
 * Whether the account is one of the two, and the other one's id (null when that one is gone). While
 * the other one may not be seen there is no conversation.
 */
export async function findMembership(db: Database, viewerId: string, conversationId: string) {
  const rows = await db.query<{ otherId: string | null }>(sql`
    select other.id as "otherId"
    from conversations c
    left join accounts other
      on other.id = case when c.low_id = ${viewerId} then c.high_id else c.low_id end
    where c.id = ${conversationId} and ${viewerId} in (c.low_id, c.high_id)
      and (other.id is null or ${visibleTo(viewerId, "other")})
  `);
  return rows[0] ?? null;
}

/** Makes the conversation of two, when there is none yet. Answers its id. */
export async function ensureConversation(
  db: Database,
  { id, viewerId, otherId }: { id: string; viewerId: string; otherId: string },
): Promise<string> {
  const rows = await db.query<{ id: string }>(sql`
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
  `);
  const [made] = rows;
  if (made) return made.id;
  const existing = await findConversation(db, viewerId, { otherId });
  if (!existing) throw new Error("the conversation was neither created nor found");
  return existing.id;
}

/**
 * Moves the mark up to a number, never down and never past the newest. Answers where it is now, null
 * when it did not move. Waits for a message that is being sent, so that `unread` says what is true
 * after both.
 */
export async function markRead(
  db: Database,
  { viewerId, conversationId, seq }: { viewerId: string; conversationId: string; seq: number },
): Promise<number | null> {
  const rows = await db.query<{ seq: number }>(sql`
    with c as materialized (
      select id, last_seq, least(${seq}, last_seq) as seen
      from conversations where id = ${conversationId} for share
    )
    update conversation_members own set read_seq = c.seen, unread = c.seen < c.last_seq
    from c
    where own.account_id = ${viewerId} and own.conversation_id = c.id and own.read_seq < c.seen
    returning own.read_seq as seq
  `);
  return rows[0]?.seq ?? null;
}

export const setMuted = (
  db: Database,
  { viewerId, conversationId, muted }: { viewerId: string; conversationId: string; muted: boolean },
) =>
  db.run(sql`
    update conversation_members
    set muted = ${muted}
    where account_id = ${viewerId} and conversation_id = ${conversationId}
  `);

/** Conversations that both members left for good. */
export const removeEmptyConversations = (db: Database) =>
  db.run(sql`delete from conversations where low_id is null and high_id is null`);
