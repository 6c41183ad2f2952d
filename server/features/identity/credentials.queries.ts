import type { Database } from "#server/db/database.ts";

/** The hash of the account's password; null where it has none. */
export async function findPasswordHash(db: Database, accountId: string): Promise<string | null> {
  const row = await db.kysely
    .selectFrom("credentials")
    .select("password")
    .where("account_id", "=", accountId)
    .where("provider_id", "=", "credential")
    .executeTakeFirst();
  return row?.password ?? null;
}

/** Deletes what identity providers vouch for: every way in of this table but the password. */
export async function deleteOtherCredentials(db: Database, accountId: string): Promise<void> {
  await db.kysely
    .deleteFrom("credentials")
    .where("account_id", "=", accountId)
    .where("provider_id", "!=", "credential")
    .execute();
}

export async function markEmailVerified(db: Database, accountId: string): Promise<void> {
  await db.kysely
    .updateTable("accounts")
    .set({ email_verified: true, updated_at: new Date() })
    .where("id", "=", accountId)
    .execute();
}
