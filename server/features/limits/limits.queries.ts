import { sql } from "kysely";
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
    `.compile(db.kysely),
  );
}
