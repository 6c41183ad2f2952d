import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** An identity's row in `credentials`: its issuer is in provider_id. credentials_subject. */
export type IdentityKey = { issuer: string; subject: string };

export const findAccountOf = (db: Database, { issuer, subject }: IdentityKey) =>
  db.value<string>(sql`
    select account_id from credentials where provider_id = ${issuer} and subject = ${subject}
  `);

export const insertIdentity = (
  db: Database,
  { id, accountId, issuer, subject }: IdentityKey & { id: string; accountId: string },
) =>
  db.run(sql`
    insert into credentials (id, account_id, provider_id, subject)
    values (${id}, ${accountId}, ${issuer}, ${subject})
  `);

/** The account of an email (lower case), locked until the transaction ends. */
export const holdByEmail = (db: Database, email: string) =>
  db.first<{ id: string; verified: boolean }>(sql`
    select id, email_verified as verified
    from accounts
    where email = ${email}
    for share
  `);

/** The password and identities of an account. credentials_account. */
export const credentialsOf = (db: Database, accountId: string) =>
  db.query<{ id: string; provider_id: string; created_at: Date }>(sql`
    select id, provider_id, created_at from credentials where account_id = ${accountId}
  `);

export const deleteIdentity = (db: Database, id: string) =>
  db.run(sql`delete from credentials where id = ${id}`);
