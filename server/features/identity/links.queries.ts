import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";

/**
 * Deletes the links of an account that can be withdrawn: their values begin with its id. The table is small, for what
 * has run out is swept: no index, and one reading of it for each password that is changed.
 */
export async function deleteLinks(db: Database, accountId: string): Promise<void> {
  await db.kysely
    .deleteFrom("verifications")
    .where(sql<string>`left(value, 36)`, "=", accountId)
    .execute();
}
