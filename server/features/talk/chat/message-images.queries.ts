import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** The tables that name files of the private store. */
const tables = ["message_pictures", "imported_pictures"] as const;

/** The key under which an image of a message is stored, for its two members. */
export const messageImageKey = (
  db: Database,
  { viewerId, conversationId, seq }: { viewerId: string; conversationId: string; seq: number },
) =>
  db.value<string>(sql`
    select p.key from message_pictures p
    join conversations c on c.id = p.conversation_id
    where p.conversation_id = ${conversationId} and p.seq = ${seq}
      and ${viewerId} in (c.low_id, c.high_id)
  `);

/**
 * Keys of images that the account sent or imported, at most `limit`. Index messages_by_account,
 * primary key of imported_pictures.
 */
export const messageImageKeysOf = (db: Database, accountId: string, limit: number) =>
  db.column<string>(sql`
    select p.key from messages m
    join message_pictures p on p.conversation_id = m.conversation_id and p.seq = m.seq
    where m.sender_id = ${accountId} and m.has_picture
    union all
    select key from imported_pictures where account_id = ${accountId}
    limit ${limit}
  `);

/** Their rows, once the files are gone. */
export async function deleteImageRows(db: Database, keys: readonly string[]): Promise<void> {
  for (const table of tables) {
    await db.run(sql`delete from ${sql.table(table)} where key = any(${keys}::text[])`);
  }
}

/** Those of `keys` that a message has. Unique index on the key of each table. */
export async function messageImageKeysInUse(db: Database, keys: readonly string[]) {
  const used = new Set<string>();
  for (const table of tables) {
    const rows = await db.query<{ key: string }>(sql`
      select key from ${sql.table(table)} where key = any(${keys}::text[])
    `);
    for (const { key } of rows) used.add(key);
  }
  return used;
}
