import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";

export async function listPasskeys(db: Database, accountId: string) {
  return db.kysely
    .selectFrom("passkeys")
    .select(["id", "name", "created_at", "used_at", "backed_up"])
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .execute();
}

export async function countPasskeys(db: Database, accountId: string): Promise<number> {
  const { n } = await db.kysely
    .selectFrom("passkeys")
    .select((eb) => eb.fn.countAll<string>().as("n"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** One of an account's own; false where it is gone already. */
export async function deletePasskey(db: Database, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom("passkeys")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function noteUse(db: Database, credentialId: string): Promise<void> {
  await db.kysely
    .updateTable("passkeys")
    .set({ used_at: sql<Date>`now()` })
    .where("credential_id", "=", credentialId)
    .execute();
}

export async function renamePasskey(db: Database, id: string, name: string): Promise<void> {
  await db.kysely.updateTable("passkeys").set({ name }).where("id", "=", id).execute();
}
