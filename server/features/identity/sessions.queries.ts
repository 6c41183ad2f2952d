import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { usualLag, type Lsn } from "#server/platform/db/replica.ts";
import { ownDetails, type OwnDetails } from "#server/features/identity/own-details.queries.ts";
import { sessionLifetime } from "#server/features/identity/session-tokens.ts";
import { accountSummary, visibleAccount } from "#server/features/people/index.ts";
import { unreadConversations, unreadNotifications } from "#server/features/talk/index.ts";
import type { AskingAccount } from "#server/features/types.ts";
import { linkLifetimes } from "#shared/verification.ts";
import type { AccountSummary, Viewer } from "#shared/views.ts";

export type SessionRow = {
  session_id: string;
  /** it has been in use for a day since it was last extended */
  ageing: boolean;
  /** its last use was recorded longer ago than `noteUseAfter` */
  use_unnoted: boolean;
  account: AccountSummary;
  own: OwnDetails;
  /** null where it was not asked for */
  unread: Pick<Viewer, "unreadNotifications" | "unreadMessages"> | null;
  /** the log position that a replica must have reached for this member; null where there is none */
  read_after: Lsn | null;
};

export type NewSession = {
  id: string;
  /** stored only while the previous version looks sessions up by it */
  token: string;
  token_hash: Buffer;
  account_id: string;
  ip_address: string;
  user_agent: string;
};

/** A session as its member sees it in the list. */
export type ListedSession = {
  id: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date;
  used_at: Date;
};

/**
 * What everybody must see at once is in the log up to here; installation has that of the previous
 * release.
 */
const everybodysFloor = sql`greatest(
  (select max(read_after) from read_floors), (select read_after from installation)
)`;

const day = 24 * 60 * 60;
/** seconds after its start, a session ends however much it is used */
const longest = 365 * day;
/** seconds of use after which its end is moved */
const prolongAfter = day;
/** seconds: the precision of the last use in the list of sessions */
const noteUseAfter = 5 * 60;

const last = sql`created_at + make_interval(secs => ${longest}::integer)`;
const fresh = sql`now() + make_interval(secs => ${sessionLifetime - prolongAfter}::integer)`;
const noted = sql`now() - make_interval(secs => ${noteUseAfter}::integer)`;
// A new account or sign-in method was written before its session existed to be recorded with it.
const readAfter = sql`
  case when s.created_at > now() - make_interval(secs => ${(2 * usualLag) / 1000}::integer)
    then 'FFFFFFFF/FFFFFFFF'
    else greatest(s.read_after, ${everybodysFloor})::text
  end`;
const roles = sql`'moderator', a.role <> 'member', 'operator', a.role = 'operator'`;
/** Rows `s` of sessions that hold, with their accounts `a`. */
const validSessions = sql`
  from sessions s
  join accounts a on a.id = s.account_id
  where s.expires_at > now() and s.${last} > now() and ${visibleAccount("a")}`;
const unread = sql`json_build_object(
  'unreadNotifications', ${unreadNotifications("a")}, 'unreadMessages', ${unreadConversations("a")}
)`;
// Built once: this is part of every request. sessions_token_hash, accounts by id.
const viewerReading = (readAfter: Sql, unread: Sql) => sql`
  select
    s.id as session_id,
    s.expires_at < least(${fresh}, s.${last}) as ageing,
    s.used_at < ${noted} as use_unnoted,
    ${accountSummary("a")} as account,
    ${ownDetails(roles)} as own,
    ${unread} as unread,
    ${readAfter} as read_after
  ${validSessions}`;
const viewerReadings = (unread: Sql) => ({
  alone: viewerReading(sql`null`, unread),
  replicated: viewerReading(readAfter, unread),
});
const ofCalls = viewerReadings(sql`null::json`);
const ofPages = viewerReadings(unread);

/**
 * The `id` of the account of a session that holds, by the hash of its token or by its own id: for a statement
 * that finds who asks by itself. sessions_token_hash, primary key.
 */
export const accountOfSession: AskingAccount = ({ tokenHash, holder }) => sql`
  select a.id ${validSessions} and s.token_hash = ${tokenHash}
  union all
  select a.id ${validSessions} and s.id = ${holder}
`;

/**
 * By the hash of its token, like everything here that takes a `hash`. `unread`: with what a page shows of it; to count
 * that is half of the work.
 */
export async function readSession(
  db: Database,
  hash: Buffer,
  { unread }: { unread: boolean },
): Promise<SessionRow | null> {
  const { alone, replicated } = unread ? ofPages : ofCalls;
  const statement = sql`${db.hasReplica ? replicated : alone} and s.token_hash = ${hash}`;
  const name = unread ? "sessions.viewer-of-page" : "sessions.viewer";
  return db.first<SessionRow>(sql.named(name)`${statement}`);
}

/**
 * All sessions of an account: what it writes on one device can be read on the others. Index on
 * account_id.
 */
export const noteWrite = (db: Database, accountId: string) =>
  db.run(sql.named("sessions.wrote")`
    update sessions set read_after = pg_current_wal_insert_lsn() where account_id = ${accountId}
  `);

/** The log position that a replica must have reached for visitors. */
export const visitorsReadAfter = (db: Database) =>
  db.value<Lsn>(
    sql.named("sessions.visitors-read-after")`select (${everybodysFloor})::text as lsn`,
  );

export const prolong = (db: Database, hash: Buffer) =>
  db.run(sql`
    update sessions
    set expires_at = least(now() + make_interval(secs => ${sessionLifetime}::integer), ${last}),
      updated_at = now(),
      used_at = now()
    where token_hash = ${hash} and expires_at < least(${fresh}, ${last})
  `);

/** Records its use, unless that was done a moment ago. */
export const noteUse = (db: Database, hash: Buffer) =>
  db.run(sql`
    update sessions set used_at = now() where token_hash = ${hash} and used_at < ${noted}
  `);

export const removeSession = (db: Database, hash: Buffer) =>
  db.run(sql`delete from sessions where token_hash = ${hash}`);

export async function insertSession(
  db: Database,
  { token, ...session }: NewSession,
): Promise<void> {
  const expires = sql`now() + make_interval(secs => ${sessionLifetime}::integer)`;
  const readable = sql`(
    select ${token}::text from installation where former_version_until > now()
  )`;
  const row = { ...session, token: readable, expires_at: expires };
  await db.run(sql`insert into sessions ${sql.row(row)}`);
}

/** All of an account, or all but one, and its sign-ins that still wait for the second factor. */
export async function removeAll(db: Database, accountId: string, except?: string): Promise<void> {
  await db.run(sql`delete from pending_sign_ins where account_id = ${accountId}`);
  await db.run(sql`
    delete from sessions
    where account_id = ${accountId} and id is distinct from ${except ?? null}::uuid
  `);
}

/** One of an account's own. */
export const removeOne = (db: Database, accountId: string, id: string) =>
  db.run(sql`delete from sessions where account_id = ${accountId} and id = ${id}`);

/** The newest `limit` valid ones of an account, last used first. */
export const listSessions = (db: Database, accountId: string, limit: number) =>
  db.query<ListedSession>(sql`
    select id, ip_address, user_agent, created_at, used_at
    from sessions
    where account_id = ${accountId} and expires_at > now()
    order by used_at desc, id desc
    limit ${limit}
  `);

/** Whether the session began at most `seconds` ago. */
export const beganWithin = (db: Database, id: string, seconds: number) =>
  db.any(sql`
    select from sessions
    where id = ${id} and created_at > now() - make_interval(secs => ${seconds}::integer)
  `);

/** Records that the member of a session has given the password again. */
export const noteConfirmed = (db: Database, id: string) =>
  db.run(sql`update sessions set confirmed_at = now() where id = ${id}`);

/** Whether that was at most `seconds` ago in this session. */
export const confirmedWithin = (db: Database, id: string, seconds: number) =>
  db.any(sql`
    select from sessions
    where id = ${id} and confirmed_at > now() - make_interval(secs => ${seconds}::integer)
  `);

/** No session of the account counts as confirmed any more. sessions by account. */
export const forgetConfirmed = (db: Database, accountId: string) =>
  db.run(sql`
    update sessions
    set confirmed_at = null
    where account_id = ${accountId} and confirmed_at is not null
  `);

/** Deletes expired rows. Safe to run at any time, in several processes. */
export async function sweepExpired(db: Database): Promise<void> {
  await db.run(sql`delete from sessions where expires_at < now()`);
  await db.run(sql`delete from pending_sign_ins where expires_at < now()`);
  await db.run(sql`delete from mailed_links where expires_at < now()`);
  await db.run(sql`delete from passkey_challenges where expires_at < now()`);
  await db.run(sql`
    delete from email_changes
    where greatest(created_at, confirmed_at)
      < now() - make_interval(secs => ${linkLifetimes.keepEmail.seconds}::integer)
  `);
  await db.run(sql`delete from rate_limits where expire < ${Date.now()}`);
}

/** Whether the previous version may still run beside this one (migration 0086). */
export const formerVersionMayRun = (db: Database) =>
  db.any(sql`
    select from installation where former_version_until > now()
  `);

/**
 * Empties the tokens of at most `limit` sessions that were stored for the previous version; answers
 * how many there were. sessions_readable_token.
 */
export const forgetReadableTokens = (db: Database, limit: number) =>
  db.count(sql`
    update sessions set token = null
    where id in (
      select id from sessions where token is not null limit ${limit} for update skip locked
    )
    returning id
  `);
