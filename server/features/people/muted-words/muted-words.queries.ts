import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** The words that the account of an expression muted, null for none: one probe of a primary key. */
export function mutedWordsBy(accountId: Sql): Sql {
  return sql`(
    select m.words from muted_words m where m.account_id = ${accountId} limit 1
  )`;
}

export async function readWords(db: Database, accountId: string): Promise<string[]> {
  const words = await db.value<string[]>(sql`
    select words from muted_words where account_id = ${accountId}
  `);
  return words ?? [];
}

/** The same before a change of them: other changes of the account wait until that is done. */
export async function lockWords(db: Database, accountId: string): Promise<string[]> {
  // Locks a row that always exists; an account without muted words has no row of its own.
  await db.run(sql`
    select from account_counters
    where account_id = ${accountId}
    for no key update
  `);
  return readWords(db, accountId);
}

export async function writeWords(db: Database, accountId: string, words: readonly string[]) {
  if (words.length === 0) {
    await db.run(sql`delete from muted_words where account_id = ${accountId}`);
    return;
  }
  await db.run(sql`
    insert into muted_words (account_id, words) values (${accountId}, ${words}::text[])
    on conflict (account_id) do update set words = excluded.words
  `);
}
