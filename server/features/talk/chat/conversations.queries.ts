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

type Conversation = {
  id: string;
  muted: boolean;
  readSeq: number;
  otherReadSeq: number;
};

/** The other member of a chat, whether the two may write to each other, and their conversation, if any. */
type Party = {
  /** null where that account is gone */
  other: AccountSummary | null;
  open: boolean;
  conversation: Conversation | null;
};

const otherOf = (viewerId: string) =>
  sql`case when c.low_id = ${viewerId} then c.high_id else c.low_id end`;

/** Of a row `c` of conversations and the other member's `a`, either of which may be missing. Primary keys. */
const partyOf = (viewerId: string, from: Sql) => sql`
  select
    case when a.id is not null then ${accountSummary("a")} end as other,
    ${mutual(sql`a.id`, sql`${viewerId}`)} as open,
    case when c.id is not null then json_build_object(
      'id', c.id, 'muted', own.muted, 'readSeq', own.read_seq,
      'otherReadSeq', coalesce(others.read_seq, 0)
    ) end as conversation
  ${from}
  left join conversation_members own on own.conversation_id = c.id and own.account_id = ${viewerId}
  left join conversation_members others on others.conversation_id = c.id
    and others.account_id = ${otherOf(viewerId)}`;

/**
 * The visible accounts, other than the viewer, at these addresses, with whom the viewer may write
 * (`open`) or wrote before. Unique key conversations_pair.
 */
export async function partiesAt(
  db: Database,
  viewerId: string,
  addresses: readonly string[],
): Promise<(Party & { other: AccountSummary })[]> {
  if (addresses.length === 0) return [];
  const ids = sql.join(addresses.map((address) => accountIdAt(db, address, viewerId)));
  const accounts = sql`
    from accounts a
    left join conversations c
      on c.low_id = least(${viewerId}::uuid, a.id) and c.high_id = greatest(${viewerId}::uuid, a.id)`;
  const found = await db.query<Party & { other: AccountSummary }>(sql`
    ${partyOf(viewerId, accounts)}
    where a.id in (${ids}) and a.id <> ${viewerId} and ${visibleTo(viewerId, "a")}
  `);
  return found.filter(({ open, conversation }) => open || conversation !== null);
}

/** That of a conversation of the viewer's; null where there is none, or its other member may not be seen. */
export async function partyIn(
  db: Database,
  viewerId: string,
  conversationId: string,
): Promise<Party | null> {
  const conversation = sql`
    from conversations c
    left join accounts a on a.id = ${otherOf(viewerId)}`;
  return db.first<Party>(sql.named("chat.party")`
    ${partyOf(viewerId, conversation)}
    where c.id = ${conversationId} and ${viewerId} in (c.low_id, c.high_id)
      and (a.id is null or ${visibleTo(viewerId, "a")})
  `);
}

/**
 * Whether the account is one of the two, and the other one's id (null when that one is gone). While
 * the other one may not be seen there is no conversation.
 */
export const findMembership = (db: Database, viewerId: string, conversationId: string) =>
  db.first<{ otherId: string | null }>(sql`
    select other.id as "otherId"
    from conversations c
    left join accounts other
      on other.id = case when c.low_id = ${viewerId} then c.high_id else c.low_id end
    where c.id = ${conversationId} and ${viewerId} in (c.low_id, c.high_id)
      and (other.id is null or ${visibleTo(viewerId, "other")})
  `);

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
  const existing = await db.first<{ id: string }>(sql`
    select id from conversations
    where low_id = least(${viewerId}::uuid, ${otherId}::uuid)
      and high_id = greatest(${viewerId}::uuid, ${otherId}::uuid)
  `);
  if (!existing) throw new Error("the conversation was neither created nor found");
  return existing.id;
}

/**
 * Moves the mark up to a number, never down and never past the newest. Answers where it is now, null
 * when it did not move. Waits for a message that is being sent, so that `unread` says what is true
 * after both.
 */
export const markRead = (
  db: Database,
  { viewerId, conversationId, seq }: { viewerId: string; conversationId: string; seq: number },
) =>
  db.value<number>(sql`
    with c as materialized (
      select id, last_seq, least(${seq}, last_seq) as seen
      from conversations where id = ${conversationId} for share
    )
    update conversation_members own set read_seq = c.seen, unread = c.seen < c.last_seq
    from c
    where own.account_id = ${viewerId} and own.conversation_id = c.id and own.read_seq < c.seen
    returning own.read_seq as seq
  `);

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
