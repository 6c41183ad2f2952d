import { sql, type Sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";

/** Takes one try back from the window that ends at `end` (epoch ms, within `tolerance` ms), if it still runs. */
export async function takeBackTry(
  db: Database,
  { key, end, tolerance }: { key: string; end: number; tolerance: number },
): Promise<void> {
  await db.prepared(
    "rate-limits.take-back",
    sql`
      update rate_limits set points = points - 1
      where key = ${key} and points > 0
        and expire between ${end - tolerance}::bigint and ${end + tolerance}::bigint
    `,
  );
}

/** So much of something, counted by a key until the window of `seconds` that its first began has ended. */
export type Counting = { key: string; number: number; most: number; now: number; seconds: number };

/** Whether there is room for that much; it is not held for whoever asks. Primary key of rate_limits. */
export function hasRoom({ key, number, most, now }: Counting): Sql {
  return sql`coalesce((
    select points from rate_limits where key = ${key} and expire > ${now}::bigint
  ), 0) + ${number}::integer <= ${most}::integer`;
}

/** Counts it, for each row of `per`, in a statement or a part of one. Answers what is counted until when. */
function counted(
  { key, number, now, seconds }: Counting,
  per: Sql = sql`(values (0)) once`,
): Sql {
  return sql`
    insert into rate_limits as known (key, points, expire)
    select ${key}, ${number}::integer, ${now + seconds * 1000}::bigint from ${per}
    on conflict (key) do update set
      points = excluded.points
        + case when known.expire > ${now}::bigint then known.points else 0 end,
      expire = case when known.expire > ${now}::bigint then known.expire else excluded.expire end
    returning points, expire::float8
  `;
}

/** The same where something is `changed`, as `rated`, a part of the statement that changes it. */
export const rated = (counting: Counting): Sql =>
  sql`rated as (${counted(counting, sql`changed`)}),`;

export async function count(
  db: Database,
  counting: Counting,
): Promise<{ points: number; expire: number }> {
  const [row] = await db.prepared<{ points: number; expire: number }>(
    "rate-limits.count",
    counted(counting),
  );
  if (!row) throw new Error("what is counted is one row");
  return row;
}
