import type { Database } from "#server/platform/db/database.ts";
import { readUsage, type Usage } from "#server/features/operator/usage.queries.ts";

/** How long counts are cached, milliseconds. */
const freshMs = 3_600_000;

/**
 * How many members and posts there are, and how many members used a browser here within a month: a session
 * lives for 30 days after its last use. Counted at most once an hour, however often it is requested, or once
 * in `maxAge` milliseconds.
 */
export function createUsage({ db }: { db: Database }) {
  let known: Promise<Usage> | undefined;
  let readAt = 0;

  return async function usage(maxAge = freshMs): Promise<Usage> {
    if (known && performance.now() - readAt < maxAge) return known;
    readAt = performance.now();
    const reading = readUsage(db);
    known = reading;
    reading.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading;
  };
}
