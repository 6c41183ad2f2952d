import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { emailCounts } from "#server/features/people/accounts/address.queries.ts";
import { mayLookUp } from "#server/features/people/accounts/email-lookups.ts";
import { isRetired } from "#server/features/people/accounts/retired-usernames.queries.ts";
import { visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import { refuse } from "#shared/errors.ts";
import { linkLifetimes } from "#shared/verification.ts";

export type FoundAccount = { id: string; username: string };

/** Whether any account is stored here. */
export const hasAccounts = (db: Database) => db.any(sql`select 1 from accounts limit 1`);

/** By a current or former username; `usernames` has every name an account ever had. */
export const findByUsername = (db: Database, viewerId: string | null, username: string) =>
  db.first<FoundAccount>(sql.named("accounts.by-username")`
    select a.id, a.username from usernames u join accounts a on a.id = u.account_id
    where u.username = ${username} and ${visibleTo(viewerId, "a")}
  `);

/**
 * By email in lower case that was counted, for accounts that may be found by it; and the viewer's
 * own.
 */
export const findByEmail = (db: Database, viewerId: string | null, email: string) =>
  db.first<FoundAccount>(sql.named("accounts.by-email")`
    select a.id, a.username from accounts a
    where a.email = ${email}
      and (
        ${mayLookUp(email)}::boolean and a.findable_by_email and ${emailCounts(db, "a")}
        or a.id = ${viewerId}::uuid
      )
      and ${visibleTo(viewerId, "a")}
  `);

export const findVisibleById = (db: Database, viewerId: string | null, id: string) =>
  db.first<FoundAccount>(sql.named("accounts.by-id")`
    select a.id, a.username from accounts a where a.id = ${id} and ${visibleTo(viewerId, "a")}
  `);

/** Whether an account but `except` had this email (lower case) and may still take it back. */
const isReserved = (email: string, except: string | null) => sql`exists (
  select from email_changes
  where lower(old_email) = ${email} and old_verified
    and confirmed_at > now() - make_interval(secs => ${linkLifetimes.keepEmail.seconds}::integer)
    and account_id is distinct from ${except}::uuid
)`;

/**
 * Whether this email (lower case) is reserved for an account that was moved away from it.
 * email_changes_former.
 */
export const isEmailReserved = (db: Database, email: string) =>
  db.scalar<boolean>(sql`select ${isReserved(email, null)} as reserved`);

/**
 * Whether any account but `except`, visible or not, has this email (lower case), or may still take
 * it back. accounts_email_key, email_changes_former.
 */
export const isEmailTaken = (
  db: Database,
  email: string,
  { except = null }: { except?: string | null } = {},
) =>
  db.scalar<boolean>(sql`
    select exists (
      select from accounts where email = ${email} and id is distinct from ${except}::uuid
    ) or ${isReserved(email, except)} as taken
  `);

/** Whether any account has or had this username, deleted ones included. */
export async function isUsernameTaken(db: Database, username: string): Promise<boolean> {
  const rows = await db.query(sql`select from usernames where username = ${username}`);
  return rows.length > 0 || isRetired(db, username);
}

type NewAccount = FoundAccount & {
  /** in lower case */
  email: string;
  email_as_typed: string;
  email_verified?: boolean;
  first_name: string;
  second_name: string;
  full_name: string;
  search_name: string;
  created_at?: Date;
  private_at: Date | null;
  /** its owner chose the username */
  username_kept_at: Date | null;
};

/** A row of `accounts` without its companions. */
export const insertAccount = (db: Database, account: NewAccount) =>
  db.run(sql`insert into accounts ${sql.row(account)}`);

/**
 * Writes the companions of a new row of `accounts`: its username for good, and its counters.
 * Refuses with username-taken when a deleted account had the name.
 */
export async function insertCompanions(db: Database, account: FoundAccount): Promise<void> {
  await db.run(sql`
    insert into usernames (username, account_id)
    values (${account.username}, ${account.id})
  `);
  if (await isRetired(db, account.username)) throw refuse("username-taken");
  await db.run(sql`insert into account_counters (account_id) values (${account.id})`);
}

export const setAvatar = (db: Database, accountId: string, imageId: string) =>
  db.run(sql`
    update accounts set avatar_image_id = ${imageId} where id = ${accountId}
  `);
