import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Edge } from "#server/features/counted-edges.queries.ts";
import type { Batch, Side } from "#server/features/in-batches.ts";

/** Rows of some kind under posts, which their posts, or comments there, count. */
type Kind = Pick<Edge, "table" | "key" | "counters">;

/** Those that the account made (account_id) or that its posts got (author_id). */
export async function removeReactions(
  db: Database,
  kind: Kind,
  side: Side,
  { accountId, limit }: Batch,
  along?: Sql,
): Promise<number> {
  const own = sql`select * from ${sql.table(kind.table)} where ${sql.ref(side)} = ${accountId}`;
  return removeCounted(db, kind, { rows: own, limit, along });
}

/**
 * Removes `limit` rows of a kind and subtracts them, with their posts locked. `along` is a further part of
 * the statement, which may refer to what is `removed`.
 */
export async function removeCounted(
  db: Database,
  { table, key, counters }: Kind,
  { rows: wanted, limit, along }: { rows: Sql; limit: number; along?: Sql | undefined },
): Promise<number> {
  const { authors, posts } = await lockPostsOf(db, sql`${wanted} limit ${limit}`);
  if (posts.length === 0) return 0;
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const same = key.map((column) => sql`r.${sql.ref(column)} = chosen.${sql.ref(column)}`);
  const parts = [
    sql`removed as (
      delete from ${sql.table(table)} r using chosen where ${sql.join(same, sql` and `)}
      returning r.*
    )`,
    ...counters.map(countedOff),
    ...(along ? [along] : []),
  ];
  return db.scalar<number>(sql`
    with chosen as (
      select ${columns} from (${wanted}) r
      where (author_id, post_id) in (select * from unnest(${authors}::uuid[], ${posts}::uuid[]))
      limit ${limit}
    ),
    ${sql.join(parts)}
    select count(*)::integer as removed from removed
  `);
}

function countedOff({ table, column, at }: Edge["counters"][number]): Sql {
  const counter = sql.ref(column);
  const counted = sql.join(Object.values(at).map((own) => sql.ref(own)));
  const same = Object.entries(at).map(([its, own]) => sql`c.${sql.ref(its)} = r.${sql.ref(own)}`);
  return sql`
    ${sql.ref(`${column}_counted`)} as (
      update ${sql.table(table)} c set ${counter} = c.${counter} - r.n
      from (select ${counted}, count(*)::integer as n from removed group by ${counted}) r
      where ${sql.join(same, sql` and `)}
    )
  `;
}

/** The posts of a batch of rows (likes, comments, likes of comments), given as a query; locked. */
async function lockPostsOf(db: Database, batch: Sql) {
  const rows = await db.query<{ author_id: string; id: string }>(sql`
    with batch as materialized (${batch})
    select p.author_id, p.id from posts p
    where (p.author_id, p.id) in (select author_id, post_id from batch)
    order by p.author_id, p.id
    for no key update
  `);
  return { authors: rows.map(({ author_id }) => author_id), posts: rows.map(({ id }) => id) };
}
