import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

export type Usage = { members: number; posts: number; activeMonth: number };

/** The most rows that are counted exactly; larger tables use the planner's estimate. */
const mostCounted = 100_000;

const rowsOf = (table: "accounts" | "posts"): Sql => sql`(
  select case when n < ${sql.lit(mostCounted)} then n else greatest(n, (
    select reltuples from pg_class where oid = ${sql.lit(table)}::regclass
  )) end
  from (select count(*) as n from (
    select from ${sql.table(table)} limit ${sql.lit(mostCounted)}
  ) bounded) counted
)::float8`;

/** The same members, but as many at most: no more rows are looked at. */
export const countMembers = (db: Database, most: number) =>
  db.scalar<number>(sql.named("operator.count-members")`
    select count(*)::integer as members
    from (select from accounts limit ${most}::integer) bounded
  `);

/** sessions_expires, and at most 100,000 rows of each table. */
export const readUsage = (db: Database) =>
  db.one<Usage>(sql.named("operator.usage")`
    select ${rowsOf("accounts")} as members, ${rowsOf("posts")} as posts, (
      select count(distinct account_id) from (
        select account_id from sessions where expires_at > now()
        order by expires_at desc limit ${sql.lit(mostCounted)}
      ) live
    )::float8 as "activeMonth"
  `);
