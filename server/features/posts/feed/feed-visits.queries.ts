import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";

type Opened = {
  viewerId: string;
  now: string;
  /** what was seen before this ended with an earlier visit */
  visitBegan: string;
  /** the last post of the page that is shown */
  oldest: string;
};

/** Notes that home was opened; answers where the last visit ended, null in a first one. Primary key. */
export async function openVisit(
  db: Database,
  { viewerId, now, visitBegan, oldest }: Opened,
): Promise<string | null> {
  const line = sql`case when v.reached and v.seen_id < ${visitBegan} then v.seen_id else v.line_id end`;
  const [row] = await db.prepared<{ line: string | null }>(
    "feed.open-visit",
    sql`
      insert into feed_visits as v (account_id, seen_id, line_id, reached)
      values (${viewerId}, ${now}, null, true)
      on conflict (account_id) do update set
        line_id = ${line},
        reached = (v.reached and v.seen_id >= ${visitBegan}) or coalesce(${line} >= ${oldest}, true),
        seen_id = excluded.seen_id
      returning v.line_id as line
    `.compile(db.kysely),
  );
  return row?.line ?? null;
}

/** Primary key. */
export async function reachLine(db: Database, viewerId: string): Promise<void> {
  await db.kysely
    .updateTable("feed_visits")
    .set({ reached: true })
    .where("account_id", "=", viewerId)
    .where("reached", "=", false)
    .execute();
}
