import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/**
 * Gives one try back to the window that ends at `end` (epoch ms, within `tolerance` ms), if it is still
 * running.
 */
export const refundAttempt = (
  db: Database,
  { key, end, tolerance }: { key: string; end: number; tolerance: number },
) =>
  db.run(sql.named("rate-limits.take-back")`
    update rate_limits set points = points - 1
    where key = ${key} and points > 0
      and expire between ${end - tolerance}::bigint and ${end + tolerance}::bigint
  `);

/** An amount, counted by key until the window of `seconds` that began with the first count ends. */
export type CountRequest = { key: string; number: number; now: number; seconds: number };

/** Counts it. Returns the total, and until when it is counted. */
export const count = (db: Database, { key, number, now, seconds }: CountRequest) =>
  db.one<{ points: number; expire: number }>(sql.named("rate-limits.count")`
    insert into rate_limits as known (key, points, expire)
    values (${key}, ${number}::integer, ${now + seconds * 1000}::bigint)
    on conflict (key) do update set
      points = excluded.points
        + case when known.expire > ${now}::bigint then known.points else 0 end,
      expire = case when known.expire > ${now}::bigint then known.expire else excluded.expire end
    returning points, expire::float8
  `);
