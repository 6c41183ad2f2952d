import type { Database } from "#server/db/database.ts";

/** The upload of an account that lies under a key. Unique key of images. */
export async function ownImage(
  db: Database,
  accountId: string,
  key: string,
): Promise<string | null> {
  const row = await db.kysely
    .selectFrom("images")
    .select("id")
    .where("key", "=", key)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row?.id ?? null;
}
