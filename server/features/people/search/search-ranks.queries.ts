import { sql, type Sql } from "#server/platform/db/sql.ts";
import { lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import {
  isFollowing,
  visibleAccount,
  visibleTo,
} from "#server/features/people/accounts/visibility.queries.ts";
import { bioLine } from "#server/features/people/follows/followed-by.queries.ts";
import { hasRequested } from "#server/features/people/follows/lists.queries.ts";

/**
 * Rank 0: the name begins with the query; 1: the username does, or for one and two characters another
 * word of the name; 2: it is inside; 3: only the email has it. Then shorter.
 */
export type SearchKey = [rank: number, length: number, name: string, id: string];

/** Before every real key. */
export const firstKey: SearchKey = [-1, 0, "", lowestId];

export type AccountSearch = {
  viewerId: string | null;
  query: string;
  /** pieces of names, of which one is enough; null: none is searched for */
  begins: string[] | null;
  /** pieces that must all be there; null: none is searched for */
  inside: string[] | null;
  /** a part of an email, case-sensitive; null compares no email */
  emailPart: string | null;
  after: SearchKey;
  bound: number;
  /** so many found in a sample are enough; at most `bound` */
  sampled: number;
  limit: number;
};

/** A search with its limits as they are in the statement. */
export type Asked = Omit<AccountSearch, "bound" | "sampled" | "limit"> & {
  db: Database;
  bound: Sql;
  sampled: Sql;
  limit: Sql;
};

export function askedOf(db: Database, search: AccountSearch): Asked {
  const { bound, sampled, limit, ...asked } = search;
  return {
    ...asked,
    db,
    bound: sql.lit(bound),
    sampled: sql.lit(sampled),
    limit: sql.lit(limit),
  };
}

/** How many of those found may have to be checked to fill a page: some are hidden by blocks. */
export function page({ viewerId, bound, limit }: Asked): Sql {
  return sql`
        select ${
          viewerId === null
            ? limit
            : sql`case when hidden < ${limit} then hidden + ${limit} else ${bound} end
        from (
          select count(*) as hidden from (
            select from blocks where account_id between ${viewerId}::uuid and ${viewerId}::uuid
            order by account_id, other_id
            limit ${limit}
          ) b
        ) b`
        }`;
}

/** What these steps found, each account once, with its rank. */
function placed({ query, begins }: Asked, ...steps: string[]): Sql {
  const isBegun = steps.includes("begun") && begins !== null;
  return sql`
    select id, char_length(search_name) as length, left(search_name, 40) collate "C" as name,
      case
        when starts_with(search_name, ${query}) then 0
        when strpos(search_name, ${` ${query}`}) > 0
          ${isBegun ? sql`or id in (select id from begun)` : sql``} then 1
        when strpos(search_name, ${query}) > 0 then 2
        else 3
      end as rank
    from (${sql.join(
      steps.map((step) => sql`select id, search_name from ${sql.ref(step)}`),
      sql` union `,
    )}) found`;
}

function isAfter({ after }: Asked): Sql {
  return sql`(rank, length, name, id)
    > (${after[0]}::int, ${after[1]}::int, ${after[2]}::text, ${after[3]}::uuid)`;
}

/**
 * Whether a step that finds nothing better than `rank` is needed: the steps so far found fewer than
 * `bound`, they do not fill the page with better ones, and there is no whole email.
 */
export function room(asked: Asked, rank: number, ...steps: string[]): Sql {
  return sql`
    select ${count("exact")} = 0 and count(*) < ${asked.bound}
      and count(*) filter (where rank < ${sql.lit(rank)} and ${isAfter(asked)}) < (select wanted from page) as "left"
    from (${placed(asked, ...steps)}) placed`;
}

/** All that were found, in their order. */
export function best(asked: Asked): Sql {
  return sql`
    select * from (${placed(asked, "named", "usernamed", "begun", "matching", "mailed")}) placed
    where ${isAfter(asked)}
    order by rank, length, name, id`;
}

/** Those of them that the viewer may see. */
export function shown({ viewerId, limit }: Asked): Sql {
  const visible = viewerId === null ? visibleAccount("a") : visibleTo(viewerId, "a");
  return sql`
    select best.*, ${accountSummary("a")}::jsonb || jsonb_build_object(
      'bio', ${bioLine("a")},
      'following', ${viewerId === null ? sql`false` : isFollowing(viewerId, sql`a.id`)},
      'requested', ${viewerId === null ? sql`false` : hasRequested(viewerId, "a")}
    ) as item
    from best
    cross join lateral (
      select * from accounts a where a.id = best.id and ${visible} limit 1
    ) a
    limit ${limit}`;
}

/** A step that is not needed. */
export const noAccounts = sql`select null::uuid as id, null::text as search_name where false`;

/** How many candidates a step of the search found. */
export const count = (step: string) => sql`(select count(*) from ${sql.ref(step)})`;
