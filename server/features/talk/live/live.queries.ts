import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import {
  inAudience,
  noBlock,
  noMute,
  visibleAccount,
  visibleTo,
} from "#server/features/people/index.ts";
import { messageView } from "#server/features/talk/chat/messages.queries.ts";
import { unreadConversations } from "#server/features/talk/chat/unread.queries.ts";
import { unreadNotifications } from "#server/features/talk/notifications/unread.queries.ts";
import type { LiveCounts, Unread } from "#shared/live.ts";

/**
 * The position of a reader of the newest rows: the oldest transaction that was still open when it
 * read. Everything older has been read; of what is younger, some. Decimal text of an xid8.
 */
export type Position = string;

export type NewMessage = {
  conversationId: string;
  seq: number;
  /** of the transaction that wrote it: a message changes when it is taken back */
  xid: string;
  recipients: string[];
  senderId: string;
  /** MessageView as JSON text, ready to be sent */
  json: string;
};

export const positionNow = (db: Database) =>
  db.scalar<string>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as position
  `);

/**
 * Every message that a transaction at or after `position` wrote, and where the next read continues:
 * a transaction that commits late is found by the read after it, because its number is not below
 * any position given out while it was open. Index messages_newest.
 */
export async function messagesSince(db: Database, position: Position) {
  const rows = await db.query<{ position: string } & (NewMessage | { seq: null })>(sql.named(
    "live.messages",
  )`
    select now.position, fresh.*
    from (select pg_snapshot_xmin(pg_current_snapshot())::text as position) now
    left join (
      select m.conversation_id as "conversationId", m.seq, m.xid::text as xid,
        m.sender_id as "senderId",
        case
          -- the sender's own other tabs get it in any case
          when ${noBlock(sql`c.low_id`, sql`c.high_id`)}
            then array_remove(array[c.low_id, c.high_id], null)
          else array[m.sender_id]
        end::text[] as recipients,
        ${messageView("m")}::text as json
      from messages m
      join conversations c on c.id = m.conversation_id
      join accounts sender on sender.id = m.sender_id and ${visibleAccount("sender")}
      where m.xid >= ${position}::xid8
    ) fresh on true
    order by fresh."conversationId", fresh.seq
  `);
  return {
    position: rows[0]?.position ?? position,
    messages: rows.filter((row): row is { position: string } & NewMessage => row.seq !== null),
  };
}

/**
 * The same for the conversations of one account: what its stream missed. At most `limit`; the open
 * conversation finds the rest by its numbers. conversations_low and conversations_high.
 */
export async function missedMessages(
  db: Database,
  { accountId, position, limit }: { accountId: string; position: Position; limit: number },
): Promise<NewMessage[]> {
  const side = (own: string, other: string) => sql`
    select c.id, c.last_seq from conversations c
    join accounts a on a.id = ${sql.ref(other)} and ${visibleTo(accountId, "a")}
    where ${sql.ref(own)} = ${accountId} and c.last_xid >= ${position}::xid8
  `;
  return db.query<NewMessage>(sql`
    select m.conversation_id as "conversationId", m.seq, m.xid::text as xid,
      m.sender_id as "senderId", array[${accountId}]::text[] as recipients,
      ${messageView("m")}::text as json
    from (${side("low_id", "high_id")} union all ${side("high_id", "low_id")}) c
    join messages m on m.conversation_id = c.id and m.xid >= ${position}::xid8
    order by m.conversation_id, m.seq
    limit ${limit}
  `);
}

/**
 * After a restore into another cluster, whose transactions are numbered anew, old rows would look
 * new for ever: their numbers are reset. Changes nothing otherwise. Index messages_newest, then the
 * keys of their conversations: one whose messages are gone meanwhile is looked into for nothing,
 * and no more.
 */
export const setBackForeignPositions = (db: Database) =>
  db.run(sql`
    with set_back as (
      update messages set xid = '3' where xid >= pg_snapshot_xmax(pg_current_snapshot())
      returning conversation_id
    )
    update conversations set last_xid = '3'
    where id = any(array(select conversation_id from set_back))
  `);

/**
 * Those of the sessions that are still valid: neither ended nor of an account that may not be seen.
 */
export async function livingSessions(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const found = await db.column<string>(sql.named("live.sessions")`
    select s.id from sessions s
    join accounts a on a.id = s.account_id
    where s.id = any(${ids}::uuid[]) and s.expires_at > now() and ${visibleAccount("a")}
  `);
  return new Set(found);
}

/** An account, and an author that it may follow. */
export type Pair = { authorId: string; accountId: string };

/**
 * The followers of each author that has at most `most`; one row with null for one that has more:
 * looking up each connected account costs less then. account_counters, then followers by the
 * beginning of its primary key.
 */
export const followersUpTo = (db: Database, authors: readonly string[], most: number) =>
  db.query<{ authorId: string; accountId: string | null }>(sql.named("live.followers-up-to")`
    select c.account_id as "authorId", f.follower_id as "accountId"
    from account_counters c
    left join lateral (
      select follower_id from followers
      where followee_id = c.account_id and c.followers <= ${most}::integer
      -- only the key gives this order: without it PostgreSQL may read the whole table
      order by follower_id
      limit ${most}::integer
    ) f on true
    where c.account_id = any(${authors}::uuid[])
      and (f.follower_id is not null or c.followers > ${most}::integer)
  `);

/**
 * Those of the pairs where the account follows the author and gets the post. Primary key of
 * followers, one probe a pair.
 */
export const followersAmong = (db: Database, pairs: readonly Pair[]) =>
  db.query<Pair>(sql.named("live.followers")`
    select pair.author_id as "authorId", pair.account_id as "accountId"
    from unnest(
      ${pairs.map(({ authorId }) => authorId)}::uuid[],
      ${pairs.map(({ accountId }) => accountId)}::uuid[]
    ) pair (author_id, account_id)
    cross join lateral (
      select follower_id from followers f
      where f.followee_id = pair.author_id
        and ${probe("f.follower_id", sql.ref("pair.account_id"))}
    ) f
    join accounts author on author.id = pair.author_id
    where ${visibleAccount("author")}
      and ${noBlock(sql`pair.account_id`, sql`pair.author_id`)}
      and ${noMute(sql`pair.account_id`, sql`pair.author_id`)}
  `);

export type Watching = { post: string; accountId: string };
export type PostCounts = LiveCounts & { accountId: string };

/** The counts of posts, for those watching accounts that may see them. Primary key of posts. */
export async function countsFor(db: Database, watching: readonly Watching[]) {
  const [authors, posts] = [0, 1].map((part) => watching.map(({ post }) => post.split(".")[part]));
  return db.query<PostCounts>(sql.named("live.counts")`
    select w.author_id || '.' || w.post_id as post, w.account_id as "accountId",
      p.like_count as "likeCount", p.comment_count as "commentCount", p.version
    from unnest(${authors}::uuid[], ${posts}::uuid[],
      ${watching.map(({ accountId }) => accountId)}::uuid[]
    ) w (author_id, post_id, account_id)
    join posts p on p.author_id = w.author_id and p.id = w.post_id
    join accounts author on author.id = p.author_id and ${visibleAccount("author")}
    where ${noBlock(sql`w.account_id`, sql`w.author_id`)}
      and ${inAudience(sql`w.account_id`)}
  `);
}

/** What is unread for each of the accounts. */
export const unreadOf = (db: Database, accountIds: readonly string[]) =>
  db.query<Unread & { accountId: string }>(sql.named("live.unread")`
    select viewer.id as "accountId", ${unreadNotifications("viewer")} as notifications,
      ${unreadConversations("viewer")} as messages
    from unnest(${accountIds}::uuid[]) viewer (id)
  `);
