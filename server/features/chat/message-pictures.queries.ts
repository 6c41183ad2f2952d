import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";

/** The key under which a picture of a message is kept, for its two members. */
export async function pictureKey(
  db: Database,
  { viewerId, conversationId, seq }: { viewerId: string; conversationId: string; seq: number },
): Promise<string | null> {
  const { rows } = await sql<{ key: string }>`
    select p.key from message_pictures p
    join conversations c on c.id = p.conversation_id
    where p.conversation_id = ${conversationId} and p.seq = ${seq}
      and ${viewerId} in (c.low_id, c.high_id)
  `.execute(db.kysely);
  return rows[0]?.key ?? null;
}

/** Keys of pictures that the account sent, at most `limit`. Index messages_by_account. */
export async function pictureKeysOf(
  db: Database,
  accountId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select p.key from messages m
    join message_pictures p on p.conversation_id = m.conversation_id and p.seq = m.seq
    where m.sender_id = ${accountId} and m.has_picture
    limit ${limit}
  `.execute(db.kysely);
  return rows.map(({ key }) => key);
}

/** Their rows, once the files are gone. */
export async function removePictureRows(db: Database, keys: readonly string[]): Promise<void> {
  await db.kysely
    .deleteFrom("message_pictures")
    .where("key", "=", sql<string>`any(${keys})`)
    .execute();
}

/** Those of `keys` that a message has. Unique index on message_pictures.key. */
export async function pictureKeysInUse(
  db: Database,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await db.kysely
    .selectFrom("message_pictures")
    .select("key")
    .where("key", "=", sql<string>`any(${keys})`)
    .execute();
  return new Set(rows.map(({ key }) => key));
}
