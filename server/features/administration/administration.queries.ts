import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import { epochMs } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import { accountSummary, visibleAccount } from "#server/features/people/index.ts";
import type { OperatorAct, OperatorLogEntry, Role } from "#shared/operator.ts";

export type { Role };
export type AccountState = "active" | "suspended" | "leaving";

/** An account as its operator sees it. Times are Dates. */
export type AdministeredAccount = {
  id: string;
  username: string;
  name: string;
  email: string;
  emailVerified: boolean;
  role: Role;
  createdAt: Date;
  suspendedAt: Date | null;
  /** when a suspension ends by itself */
  suspendedUntil: Date | null;
  /** when the account is deleted for good, if that was requested */
  deletionDueAt: Date | null;
  posts: number;
};

export type AccountDetails = AdministeredAccount & {
  formerUsernames: string[];
  followers: number;
  following: number;
  comments: number;
  pictureBytes: number;
  sessions: number;
  /** when a session was last started or renewed, to the day */
  lastSeenAt: Date | null;
  /** "password", "passkey", or the issuer of an identity provider */
  waysIn: string[];
  /** whether a sign-in asks for a code of an authenticator app */
  secondStep: boolean;
};

const account = sql`
  select a.id, a.username, a.full_name as name, a.email_as_typed as email,
    a.email_verified as "emailVerified", a.role, a.created_at as "createdAt",
    a.suspended_at as "suspendedAt", a.suspended_until as "suspendedUntil",
    a.deletion_due_at as "deletionDueAt",
    coalesce(c.posts, 0) as posts
  from accounts a left join account_counters c on c.account_id = a.id
`;

const states = {
  active: sql`a.suspended_at is null and a.deleted_at is null`,
  suspended: sql`a.suspended_at is not null`,
  leaving: sql`a.deletion_due_at is not null`,
};

type AccountPage = {
  filter: string;
  state: AccountState | null;
  role: Role | null;
  below: string;
  limit: number;
};

/** A row `a` whose username, name or email contains `filter` (letter case ignored). */
function isWanted({ filter, state, role }: AccountPage): Sql {
  const part = `%${filter.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`
    (a.username ilike ${part} or a.full_name ilike ${part} or a.email ilike ${part})
      and ${state === null ? sql`true` : states[state]}
      and ${role === null ? sql`true` : sql`a.role = ${role}`}`;
}

/** Newest first. For operators, and rare: it may read the whole table. */
export const listAccounts = (db: Database, page: AccountPage) =>
  db.query<AdministeredAccount>(sql`
    ${account}
    where a.id < ${page.below}
      and ${isWanted(page)}
    order by a.id desc
    limit ${page.limit}
  `);

/** How many accounts one search looks through: a quick answer, however many there are. */
export const lookedThrough = 20_000;

type Searched = { found: AdministeredAccount[]; looked: number; last: string | null };

/**
 * The newest `lookedThrough` accounts below an id, and those among them that listAccounts would
 * list. `last`: how far it looked. Primary key, backwards.
 */
export async function searchAccounts(db: Database, page: AccountPage): Promise<Searched> {
  const rows = await db.query<{ looked: number; last: string | null; ids: string[] }>(sql`
    with looked as materialized (
      select id, username, full_name, email, role, suspended_at, deleted_at, deletion_due_at
      from accounts
      where id < ${page.below}
      order by id desc
      limit ${lookedThrough}
    ), hits as (
      select a.id from looked a
      where ${isWanted(page)}
      order by a.id desc
      limit ${page.limit}
    )
    select (select count(*) from looked)::int as looked,
      (select id from looked order by id limit 1) as last,
      array(select id from hits) as ids
  `);
  const { looked = 0, last = null, ids = [] } = rows[0] ?? {};
  if (ids.length === 0) return { found: [], looked, last };
  const found = await db.query<AdministeredAccount>(sql`
    ${account}
    where a.id = any(${ids}::uuid[])
    order by a.id desc
  `);
  return { found, looked, last };
}

/** By id, email, present or former username; hidden accounts too. Unique keys. */
export const findAccount = (db: Database, wanted: { id: string | null; address: string }) =>
  db.first<AdministeredAccount>(sql`
    ${account}
    where a.id = coalesce(
      ${wanted.id}::uuid,
      (select id from accounts where email = ${wanted.address}),
      (select account_id from usernames where username = ${wanted.address})
    )
  `);

export const readDetails = (db: Database, id: string) =>
  db.first<Omit<AccountDetails, keyof AdministeredAccount>>(sql`
    select
      coalesce((
        select json_agg(u.username order by u.taken_at) from usernames u
        where u.account_id = a.id and u.username <> a.username
      ), '[]'::json) as "formerUsernames",
      coalesce(c.followers, 0) as followers,
      coalesce(c.following, 0) as following,
      (select count(*)::int from comments where account_id = a.id) as comments,
      (select coalesce(sum(bytes), 0)::float8 from images where account_id = a.id) as "pictureBytes",
      (select count(*)::int from sessions where account_id = a.id and expires_at > now()) as sessions,
      (select max(updated_at) from sessions where account_id = a.id) as "lastSeenAt",
      coalesce((
        select json_agg(way order by way) from (
          select case provider_id when 'credential' then 'password' else provider_id end as way
          from credentials where account_id = a.id
          union
          select 'passkey' from passkeys where account_id = a.id
        ) ways
      ), '[]'::json) as "waysIn",
      exists (
        select from two_factors where account_id = a.id and confirmed_at is not null
      ) as "secondStep"
    from accounts a left join account_counters c on c.account_id = a.id
    where a.id = ${id}
  `);

/**
 * The operators who can act, locked: two operators who take the role from each other go one after
 * the other. Index accounts_moderators.
 */
export const lockOperators = (db: Database) =>
  db.column<string>(sql`
    select id from accounts
    where role = 'operator' and suspended_at is null and deleted_at is null
    order by id
    for update
  `);

export const writeRole = (db: Database, id: string, role: Role) =>
  db.run(sql`update accounts set role = ${role}, updated_at = now() where id = ${id}`);

type NewOperatorEntry = {
  id: string;
  actorId: string | null;
  act: OperatorAct;
  accountId?: string;
  detail?: string;
};

export async function insertOperatorEntry(db: Database, entry: NewOperatorEntry): Promise<void> {
  const { id, actorId, act, accountId = null, detail = "" } = entry;
  await db.run(sql`
    insert into operator_log (id, actor_id, account_id, act, detail)
    values (${id}, ${actorId}, ${accountId}, ${act}, left(${detail}, 200))
  `);
}

/** Newest first, with those accounts that still exist. Primary key. */
export const operatorEntries = (db: Database, { below, limit }: { below: string; limit: number }) =>
  db.query<KeyedRow<OperatorLogEntry>>(sql`
    select json_build_array(l.id) as key, json_build_object(
      'id', l.id, 'at', ${epochMs("l.at")},
      'actorId', l.actor_id, 'accountId', l.account_id,
      'actor', (select ${accountSummary("a")} from accounts a where a.id = l.actor_id),
      'account', (select ${accountSummary("a")} from accounts a where a.id = l.account_id),
      'act', l.act, 'detail', l.detail
    ) as item
    from operator_log l
    where l.id < ${below}
    order by l.id desc
    limit ${limit}
  `);

type Addressed = {
  id: string;
  name: string;
  email: string;
  verified: boolean;
  language: string | null;
};

/** Everybody who can act as an operator. Index accounts_moderators. */
export const operators = (db: Database) =>
  db.query<Addressed>(sql`
    select a.id, a.full_name as name, a.email_as_typed as email, a.email_verified as verified,
      a.language
    from accounts a
    where a.role = 'operator' and ${visibleAccount("a")}
    order by a.id
  `);

export type Stored = { pictures: number; accounts: number };

/** What the accounts' pictures take, by their own counts: a row an account. */
export const sumStorage = (db: Database) =>
  db.one<Stored>(sql`
    select coalesce(sum(bytes), 0)::float8 as pictures,
      (select greatest(reltuples, 0)::float8 from pg_class where oid = 'accounts'::regclass) as accounts
    from account_storage
  `);

/** How many accounts were made later than now: the clock was ahead once. Primary key of accounts. */
export const accountsAhead = (db: Database) =>
  db.scalar<number>(sql`
    select count(*)::float8 as ahead
    from accounts where created_at > clock_timestamp() + interval '5 minutes'
  `);
