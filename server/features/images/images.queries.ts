import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";

export type NewImage = {
  account_id: string;
  id: string;
  key: string;
  width: number;
  height: number;
  widths: number[];
  thumbhash: Buffer;
  bytes: number;
  media_type: string;
};

export async function insertImage(db: Database, image: NewImage): Promise<void> {
  await db.kysely.insertInto("images").values(image).execute();
}

/** False when there is no such image of this account, or it is in use already. Primary key. */
export async function claimImage(db: Database, accountId: string, id: string): Promise<boolean> {
  const claimed = await db.kysely
    .updateTable("images")
    .set({ claimed_at: sql<Date>`now()` })
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .where("claimed_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Deletes the rows that nothing used since `before`; their keys. Index images_unclaimed. */
export async function deleteUnclaimed(db: Database, before: Date): Promise<string[]> {
  const rows = await db.kysely
    .deleteFrom("images")
    .where("claimed_at", "is", null)
    .where("created_at", "<", before)
    .returning("key")
    .execute();
  return rows.map(({ key }) => key);
}

/** Those of `keys` that a row names. Unique index on images.key. */
export async function keysInUse(db: Database, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.kysely
    .selectFrom("images")
    .select("key")
    .where("key", "=", sql<string>`any(${keys})`)
    .execute();
  return new Set(rows.map(({ key }) => key));
}
