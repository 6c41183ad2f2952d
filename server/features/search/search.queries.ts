import { sql } from "kysely";
import type { KeyedRow } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { accountSummary } from "#server/features/accounts/summary.queries.ts";
import { visibleAccount } from "#server/features/accounts/visibility.queries.ts";
import type { AccountSummary } from "#shared/views.ts";

/** Rank 0: the name begins with the query; 1: the username does; 2: it is inside. Then shorter. */
export type SearchKey = [rank: number, length: number, name: string, id: string];

/** Before every real key. */
export const firstKey: SearchKey = [-1, 0, "", "00000000-0000-0000-0000-000000000000"];

/**
 * Accounts whose folded name or username matches. Candidates are bounded, so that a query that
 * half of everybody matches costs as much as any other: the first `bound` names that begin with it
 * (index accounts_search_prefix) and `bound` others that contain it, or, where that could not use
 * accounts_search_trgm, whose username begins with it (a word's start is a trigram by itself).
 *
 * The patterns come through subqueries to be unknown to the planner: its guess for an unknown
 * pattern leads to the index, its guess for a known one can lead to a scan that stops early only
 * if there are many matches.
 */
export async function searchAccounts(
  db: Database,
  search: { query: string; inside: boolean; after: SearchKey; bound: number; limit: number },
): Promise<KeyedRow<AccountSummary>[]> {
  const { query, inside, after, bound, limit } = search;
  const literal = query.replace(/[\\%_]/g, "\\$&");
  return db.prepared<KeyedRow<AccountSummary>>(
    "search.accounts",
    sql`
      with named as materialized (
        select a.id, a.search_name from accounts a
        where a.search_name ~>=~ ${query} and a.search_name ~<~ ${`${query}\u{10ffff}`}
          and ${visibleAccount("a")}
        order by a.search_name using ~<~
        limit ${bound}
      ),
      matching as materialized (
        select a.id, a.search_name from accounts a
        where a.search_name like (select ${inside ? `%${literal}%` : `% ${literal}%`}::text)
          and ${visibleAccount("a")}
        limit ${bound}
      ),
      ranked as materialized (
        select id, char_length(search_name) as length, left(search_name, 40) collate "C" as name,
          case
            when starts_with(search_name, ${query}) then 0
            when strpos(search_name, ${` ${query}`}) > 0 then 1
            else 2
          end as rank
        from (select * from named union select * from matching) found
      ),
      best as materialized (
        select * from ranked
        where (rank, length, name, id)
          > (${after[0]}::int, ${after[1]}::int, ${after[2]}::text, ${after[3]}::uuid)
        order by rank, length, name, id
        limit ${limit}
      )
      select json_build_array(best.rank, best.length, best.name, best.id) as key,
        ${accountSummary("a")} as item
      from best
      cross join lateral (select * from accounts where id = best.id limit 1) a
      order by best.rank, best.length, best.name, best.id
    `.compile(db.kysely),
  );
}
