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
