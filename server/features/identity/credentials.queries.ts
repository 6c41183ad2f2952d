import { sql } from "kysely";
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

/** Sets the account's password, its first one too. `id` is for a row that was not there. */
export async function writePasswordHash(
  db: Database,
  { id, accountId, hash }: { id: string; accountId: string; hash: string },
): Promise<void> {
  await db.kysely
    .insertInto("credentials")
    // better-auth's form: of a password the account itself is the subject
    .values({
      id,
      account_id: accountId,
      provider_id: "credential",
      subject: accountId,
      password: hash,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["provider_id", "subject"])
        .doUpdateSet({ password: hash, updated_at: sql<Date>`now()` }),
    )
    .execute();
}

/** Every way into an account but its password. */
export async function removeWaysIn(db: Database, accountId: string): Promise<void> {
  for (const table of ["passkeys", "two_factors", "pending_sign_ins"] as const) {
    await db.kysely.deleteFrom(table).where("account_id", "=", accountId).execute();
  }
  await db.kysely
    .deleteFrom("credentials")
    .where("account_id", "=", accountId)
    .where("provider_id", "<>", "credential")
    .execute();
}

export async function markEmailVerified(db: Database, accountId: string): Promise<void> {
  await db.kysely
    .updateTable("accounts")
    .set({ email_verified: true, updated_at: new Date() })
    .where("id", "=", accountId)
    .execute();
}
