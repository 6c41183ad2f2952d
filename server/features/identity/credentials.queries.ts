import { sql } from "#server/platform/db/sql.ts";
import { ms } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import { isSuspended } from "#server/features/identity/suspension.queries.ts";
import { mayComeBack } from "#server/features/identity/recovery.queries.ts";

/** The hash of the account's password; null where it has none. */
export const findPasswordHash = (db: Database, accountId: string) =>
  db.value<string>(sql`
    select password
    from credentials
    where account_id = ${accountId} and provider_id = 'credential'
  `);

/** When the account's password was set, and whether it replaced another one; null where it has none. */
export const findPasswordTime = (db: Database, accountId: string) =>
  db.first<{ at: number; changed: boolean }>(sql`
    select ${ms("updated_at")} as at,
      updated_at > created_at as changed
    from credentials
    where account_id = ${accountId} and provider_id = 'credential' and password is not null
  `);

/**
 * The account that an email (lower case) may sign in to, and the hash of its password if it has
 * one: an active account, one that is to be deleted and may still be kept, or one that is
 * suspended, whose owner reads why. The same statement for every email. accounts_email_key,
 * credentials_account.
 */
export const findByEmail = (db: Database, email: string) =>
  db.first<{ accountId: string; hash: string | null }>(sql`
    select a.id as "accountId", c.password as hash
    from accounts a
    left join credentials c on c.account_id = a.id and c.provider_id = 'credential'
    where a.email = ${email}
      and (${visibleAccount("a")} or ${mayComeBack("a")} or ${isSuspended("a")})
  `);

/** Sets the account's password, also its first one. `id` is for a new row. */
export async function writePasswordHash(
  db: Database,
  { id, accountId, hash }: { id: string; accountId: string; hash: string },
): Promise<void> {
  // the subject of a password is the account itself
  await db.run(sql`
    insert into credentials (id, account_id, provider_id, subject, password)
    values (${id}, ${accountId}, 'credential', ${accountId}, ${hash})
    on conflict (provider_id, subject) do update
      set password = excluded.password, updated_at = now()
  `);
}

/**
 * When the credentials of the account with an email (lower case) last changed, to the microsecond;
 * null where no account has it. The same statement for every email. accounts_email_key.
 */
export const readCredentialsEpoch = (db: Database, email: string) =>
  db.value<string>(sql`
    select floor(extract(epoch from credentials_changed_at) * 1000000)::text as epoch
    from accounts where email = ${email}
  `);

/** Invalidates everything that was issued for the credentials before. */
export const renewCredentialsEpoch = (db: Database, accountId: string) =>
  db.run(sql`
    update accounts
    set credentials_changed_at =
      greatest(clock_timestamp(), credentials_changed_at + interval '1 microsecond')
    where id = ${accountId}
  `);

/** Every way into an account but its password. */
export async function removeSignInMethods(db: Database, accountId: string): Promise<void> {
  for (const table of ["passkeys", "two_factors", "pending_sign_ins"] as const) {
    await db.run(sql`delete from ${sql.table(table)} where account_id = ${accountId}`);
  }
  await db.run(sql`
    delete from credentials
    where account_id = ${accountId} and provider_id <> 'credential'
  `);
}

/**
 * The password of an account, and the passkeys and providers added since. The second step stays: it
 * lets nobody in by itself.
 */
export async function removeSignInMethodsSince(db: Database, accountId: string, since: Date) {
  await db.run(sql`
    delete from passkeys where account_id = ${accountId} and created_at >= ${since}
  `);
  await db.run(sql`
    delete from credentials
    where account_id = ${accountId} and (provider_id = 'credential' or created_at >= ${since})
  `);
}

export const markEmailVerified = (db: Database, accountId: string) =>
  db.run(sql`
    update accounts set email_verified = true, updated_at = now() where id = ${accountId}
  `);
