import { sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";

/** `lifetime` in seconds. */
export async function insertPending(
  db: Database,
  { tokenHash, accountId, lifetime }: { tokenHash: string; accountId: string; lifetime: number },
): Promise<void> {
  await db.kysely
    .insertInto("pending_sign_ins")
    .values({
      token_hash: tokenHash,
      account_id: accountId,
      expires_at: sql<Date>`now() + make_interval(secs => ${lifetime}::integer)`,
    })
    .execute();
}

/** Whose sign-in it is, while it lasts; `email` in lower case. */
export async function findPending(
  db: Database,
  tokenHash: string,
): Promise<{ accountId: string; email: string } | null> {
  const row = await db.kysely
    .selectFrom("pending_sign_ins as p")
    .innerJoin("accounts as a", "a.id", "p.account_id")
    .select(["p.account_id as accountId", "a.email"])
    .where("p.token_hash", "=", tokenHash)
    .where("p.expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends it; false when somebody else did, or its time was over. */
export async function takePending(db: Database, tokenHash: string): Promise<boolean> {
  const rows = await db.kysely
    .deleteFrom("pending_sign_ins")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .returning("token_hash")
    .execute();
  return rows.length > 0;
}
