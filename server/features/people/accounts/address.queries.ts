import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { mayLookUp } from "#server/features/people/accounts/email-lookups.ts";

/** Longest address that can be one: an email of 254 characters. */
const maxLength = 254;

/**
 * Whether an email counts as its account's for others: somebody who does not own the mailbox must
 * not be found and shown under its address. Where no mail is sent, nobody can confirm one, and
 * every email counts.
 */
export function emailCounts(db: Database, accounts = "accounts"): Sql {
  const verified = sql.ref(`${accounts}.email_verified`);
  return sql`(${verified} or not ${db.confirmsEmails}::boolean)`;
}

/**
 * The id of the account at an address, as a scalar subquery: by a current or former username, or by
 * an email that was counted (email-lookups.ts), is confirmed and may be found by its owner's choice
 * (the viewer's own always). Neither can be mistaken for the other: no username contains an @. The
 * query checks whether the account may be seen. Primary key of usernames, accounts_email_key.
 */
export function accountIdAt(db: Database, address: string, viewerId: string | null): Sql {
  const wanted = address
    .toLowerCase()
    // PostgreSQL's text cannot store it; no address has its replacement.
    .replaceAll("\0", "\u{fffd}")
    .slice(0, maxLength + 1)
    .toWellFormed();
  return sql`(
    select account_id from usernames where username = ${wanted}
    union all
    select id from accounts
    where email = ${wanted}
      and (
        ${mayLookUp(wanted)}::boolean and findable_by_email and ${emailCounts(db)}
        or id = ${viewerId}::uuid
      )
    limit 1
  )`;
}

/** Every address of an account, in lower case: its email, its usernames, former ones too. Index usernames_account. */
export async function ownAddresses(db: Database, accountId: string): Promise<Set<string>> {
  const found = await db.column<string>(sql.named("accounts.own-addresses")`
    select username as address from usernames where account_id = ${accountId}
    union all
    select email from accounts where id = ${accountId}
  `);
  return new Set(found);
}
