import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** An identity's row in `credentials`: its issuer is in provider_id. credentials_subject. */
export type IdentityKey = { issuer: string; subject: string };

export async function findAccountOf(
  db: Database,
  { issuer, subject }: IdentityKey,
): Promise<string | null> {
  const [row] = await db.query<{ account_id: string }>(sql`
    select account_id from credentials where provider_id = ${issuer} and subject = ${subject}
  `);
  return row?.account_id ?? null;
}

export async function insertIdentity(
  db: Database,
  { id, accountId, issuer, subject }: IdentityKey & { id: string; accountId: string },
): Promise<void> {
  await db.query(sql`
    insert into credentials (id, account_id, provider_id, subject)
    values (${id}, ${accountId}, ${issuer}, ${subject})
  `);
}

/** The account of an email (lower case), locked until the transaction ends. */
export async function holdByEmail(
  db: Database,
  email: string,
): Promise<{ id: string; verified: boolean } | null> {
  return db.first<{ id: string; verified: boolean }>(sql`
    select id, email_verified as verified
    from accounts
    where email = ${email}
    for share
  `);
}

/** The password and identities of an account. credentials_account. */
export async function credentialsOf(
  db: Database,
  accountId: string,
): Promise<{ id: string; provider_id: string; created_at: Date }[]> {
  return db.query<{ id: string; provider_id: string; created_at: Date }>(sql`
    select id, provider_id, created_at from credentials where account_id = ${accountId}
  `);
}

export async function deleteIdentity(db: Database, id: string): Promise<void> {
  await db.query(sql`delete from credentials where id = ${id}`);
}
