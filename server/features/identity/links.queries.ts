import { sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";

export type LinkRow = { accountId: string; detail: string };

type NewLink = LinkRow & { tokenHash: Buffer; revocable: boolean };

/** `seconds` is how long it can be used. */
export async function insertLink(db: Database, link: NewLink, seconds: number): Promise<void> {
  await db.kysely
    .insertInto("mailed_links")
    .values({
      token_hash: link.tokenHash,
      account_id: link.accountId,
      detail: link.detail,
      revocable: link.revocable,
      expires_at: sql<Date>`now() + make_interval(secs => ${seconds}::integer)`,
    })
    .execute();
}

/** A link that can still be used. Primary key. */
export async function findLink(db: Database, tokenHash: Buffer): Promise<LinkRow | null> {
  const row = await db.kysely
    .selectFrom("mailed_links")
    .select(["account_id as accountId", "detail"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row ?? null;
}

/** Uses a link up; of several at once one gets it, the others null. */
export async function takeLink(db: Database, tokenHash: Buffer): Promise<LinkRow | null> {
  const row = await db.kysely
    .deleteFrom("mailed_links")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .returning(["account_id as accountId", "detail"])
    .executeTakeFirst();
  return row ?? null;
}

/** Deletes the links of an account that signing out everywhere ends. mailed_links_account. */
export async function deleteRevocableLinks(db: Database, accountId: string): Promise<void> {
  await db.kysely
    .deleteFrom("mailed_links")
    .where("account_id", "=", accountId)
    .where("revocable", "=", true)
    .execute();
}
