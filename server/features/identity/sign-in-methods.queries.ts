import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/**
 * Locks the account's sign-in methods: none is added or removed elsewhere until the transaction
 * ends.
 */
export async function lockSignInMethods(db: Database, accountId: string): Promise<void> {
  await db.query(sql`select from accounts where id = ${accountId} for update`);
}

/**
 * The sign-in methods of an account: "credential" for a password, "passkey", and the issuers of
 * identity providers, each as often as there is one. credentials_account, passkeys_account.
 */
export async function readSignInMethods(db: Database, accountId: string): Promise<string[]> {
  const rows = await db.query<{ way: string }>(sql`
    select provider_id as way from credentials where account_id = ${accountId}
    union all
    select 'passkey' from passkeys where account_id = ${accountId}
  `);
  return rows.map(({ way }) => way);
}
