import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { createOperatorSettings } from "#server/features/operator/index.ts";
import { createExplore } from "#server/features/posts/explore/explore.ts";
import { insertAccounts, insertPhotoPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/* Counted work, never time: 3,000 accounts with six photos each, most of which nobody asks for. */
let db: Database;
let reader: Viewer;

const twoDaysAgo = Date.now() - 2 * 86_400_000;
const explore = (on: Database) =>
  createExplore({ db: on, settings: createOperatorSettings({ db: on }) });

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const people = await insertAccounts(db, 3000, undefined, twoDaysAgo);
  await insertPhotoPosts(db, people, limits.explore.perAccount);
  reader = people[0] as Viewer;
});

/** The rows read by everything that a page reads. */
async function rowsOf(cursor: string | null, plan: "generic" | "custom"): Promise<number> {
  const costs = await costsOf(db, (on) => explore(on).recent(reader, cursor), plan);
  for (const scan of costs.flatMap(({ scans }) => scans)) {
    expect(scan).not.toMatch(/^(posts|recent_photos|accounts|post_pictures|images): Seq Scan/);
  }
  return costs.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
}

/** An entry, its account, two probes that find nothing, post, photo and image. */
const mostRows = 8 * (limits.gridPage + 1) + 10;

test.each(["right after loading", "with statistics"])(
  "a page costs the page, %s",
  async (moment) => {
    if (moment === "with statistics") await query(db, "vacuum analyze");
    for (const plan of ["generic", "custom"] as const) {
      let cursor: string | null = null;
      for (let page = 1; page <= 5; page += 1) {
        expect(await rowsOf(cursor, plan), `page ${page}`).toBeLessThanOrEqual(mostRows);
        const { items, nextCursor } = await explore(db).recent(reader, cursor);
        expect(items).toHaveLength(limits.gridPage);
        cursor = nextCursor;
      }
    }
  },
);

test("where nobody wants to be shown it ends after a bounded number", async () => {
  await query(db, "update accounts set show_in_explore = false");
  expect((await explore(db).recent(reader, null)).items).toEqual([]);
  for (const plan of ["generic", "custom"] as const) {
    const rows = await rowsOf(null, plan);
    expect(rows).toBeGreaterThanOrEqual(limits.explore.lookedAt);
    expect(rows).toBeLessThanOrEqual(3 * limits.explore.lookedAt + 10);
  }
});
