import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/**
 * Locks the account's sign-in methods: none is added or removed elsewhere until the transaction
 * ends.
 */
export const lockSignInMethods = (db: Database, accountId: string) =>
  db.run(sql`select from accounts where id = ${accountId} for update`);

/**
 * The sign-in methods of an account: "credential" for a password, "passkey", and the issuers of
 * identity providers, each as often as there is one. credentials_account, passkeys_account.
 */
export const readSignInMethods = (db: Database, accountId: string) =>
  db.column<string>(sql`
    select provider_id as way from credentials where account_id = ${accountId}
    union all
    select 'passkey' from passkeys where account_id = ${accountId}
  `);
