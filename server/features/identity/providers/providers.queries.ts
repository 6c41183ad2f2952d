import type { Database } from "#server/db/database.ts";

/** An identity's place in `credentials`: its issuer stands in provider_id. credentials_subject. */
export type IdentityKey = { issuer: string; subject: string };

export async function findAccountOf(
  db: Database,
  { issuer, subject }: IdentityKey,
): Promise<string | null> {
  const row = await db.kysely
    .selectFrom("credentials")
    .select("account_id")
    .where("provider_id", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.account_id ?? null;
}

export async function insertIdentity(
  db: Database,
  { id, accountId, issuer, subject }: IdentityKey & { id: string; accountId: string },
): Promise<void> {
  await db.kysely
    .insertInto("credentials")
    .values({ id, account_id: accountId, provider_id: issuer, subject })
    .execute();
}

/** The account of an email (lower case), kept as it is until the transaction ends. */
export async function holdByEmail(
  db: Database,
  email: string,
): Promise<{ id: string; verified: boolean } | null> {
  const row = await db.kysely
    .selectFrom("accounts")
    .select(["id", "email_verified"])
    .where("email", "=", email)
    .forShare()
    .executeTakeFirst();
  return row ? { id: row.id, verified: row.email_verified } : null;
}

/** The ways in of an account: its password and its identities. credentials_account. */
export async function credentialsOf(
  db: Database,
  accountId: string,
): Promise<{ id: string; provider_id: string; created_at: Date }[]> {
  return db.kysely
    .selectFrom("credentials")
    .select(["id", "provider_id", "created_at"])
    .where("account_id", "=", accountId)
    .execute();
}

export async function deleteIdentity(db: Database, id: string): Promise<void> {
  await db.kysely.deleteFrom("credentials").where("id", "=", id).execute();
}
