import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";

export type Role = "member" | "moderator";
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
  /** when the account is deleted for good, if that was asked for */
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
  /** when a session was last begun or prolonged, to the day */
  lastSeenAt: Date | null;
  /** "password", "passkey", or the issuer of an identity provider */
  waysIn: string[];
  /** whether a sign-in asks for a code of an authenticator app */
  secondStep: boolean;
};

const columns = sql`
  a.id, a.username, a.full_name as name, a.email_as_typed as email,
  a.email_verified as "emailVerified", a.role, a.created_at as "createdAt",
  a.suspended_at as "suspendedAt", a.suspended_until as "suspendedUntil", a.deletion_due_at as "deletionDueAt",
  coalesce(c.posts, 0) as posts
`;

const states = {
  active: sql`a.suspended_at is null and a.deleted_at is null`,
  suspended: sql`a.suspended_at is not null`,
  leaving: sql`a.deletion_due_at is not null`,
};

/**
 * Newest first, those whose username, name or email contains `filter` (letter case ignored).
 * An operator's question, asked seldom: it may read the whole table.
 */
export async function listAccounts(
  db: Database,
  page: {
    filter: string;
    state: AccountState | null;
    role: Role | null;
    below: string;
    limit: number;
  },
): Promise<AdministeredAccount[]> {
  const part = `%${page.filter.replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await sql<AdministeredAccount>`
    select ${columns}
    from accounts a left join account_counters c on c.account_id = a.id
    where a.id < ${page.below}
      and (a.username ilike ${part} or a.full_name ilike ${part} or a.email ilike ${part})
      and ${page.state === null ? sql`true` : states[page.state]}
      and ${page.role === null ? sql`true` : sql`a.role = ${page.role}`}
    order by a.id desc
    limit ${page.limit}
  `.execute(db.kysely);
  return rows;
}

/** By id, email, present or former username; hidden accounts too. Unique keys. */
export async function findAccount(
  db: Database,
  wanted: { id: string | null; address: string },
): Promise<AdministeredAccount | null> {
  const { rows } = await sql<AdministeredAccount>`
    select ${columns}
    from accounts a left join account_counters c on c.account_id = a.id
    where a.id = coalesce(
      ${wanted.id}::uuid,
      (select id from accounts where email = ${wanted.address}),
      (select account_id from usernames where username = ${wanted.address})
    )
  `.execute(db.kysely);
  return rows[0] ?? null;
}

export async function readDetails(
  db: Database,
  id: string,
): Promise<Omit<AccountDetails, keyof AdministeredAccount> | null> {
  const { rows } = await sql<Omit<AccountDetails, keyof AdministeredAccount>>`
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
  `.execute(db.kysely);
  return rows[0] ?? null;
}

export async function writeRole(db: Database, id: string, role: Role): Promise<void> {
  await sql`update accounts set role = ${role}, updated_at = now() where id = ${id}`.execute(
    db.kysely,
  );
}
