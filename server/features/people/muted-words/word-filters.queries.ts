import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** `words` are in the form in which texts are compared. */
export type StoredFilter = { id: string; title: string; words: string[] };

/** As JSON, of the account of an expression, in the order in which they were made. Primary key. */
export const filtersBy = (accountId: Sql): Sql => sql`coalesce((
  select json_agg(json_build_object('id', f.id::text, 'title', f.title, 'words', f.words) order by f.id)
  from word_filters f where f.account_id = ${accountId}
), '[]'::json)`;

export async function readFilters(db: Database, accountId: string): Promise<StoredFilter[]> {
  const filters = await db.value<StoredFilter[]>(sql`
    select ${filtersBy(sql`${accountId}::uuid`)} as filters
  `);
  return filters ?? [];
}

/** Instead of those that were there. */
export async function writeFilters(
  db: Database,
  accountId: string,
  filters: readonly StoredFilter[],
): Promise<void> {
  await db.run(sql`delete from word_filters where account_id = ${accountId}`);
  await db.run(sql`
    insert into word_filters (account_id, id, title, words)
    select ${accountId}::uuid, f.id, f.title, f.words
    from jsonb_to_recordset(${JSON.stringify(filters)}::jsonb) as f (id bigint, title text, words text[])
  `);
}
