import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { createProfiles } from "#server/features/people/index.ts";
import { createBookmarks } from "#server/features/posts/bookmarks/bookmarks.ts";
import {
  insertAccounts,
  insert,
  insertPhotoPosts,
  insertTextPosts,
} from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/* Counted work, never time: one who posted and bookmarked 3,000 times, and one who did so three times. */
let db: Database;
let busy: Viewer;
let quiet: Viewer;

/** Reading one needs no images. */
const profilesOn = (on: Database) =>
  createProfiles({ db: on } as Parameters<typeof createProfiles>[0]);

async function save(account: Viewer, most: number): Promise<void> {
  const posts = await query<{ author_id: string; id: string }>(
    db,
    "select author_id, id from posts order by id limit $1",
    [most],
  );
  await insert(db, "bookmarks", {
    account_id: posts.map(() => account.id),
    author_id: posts.map(({ author_id }) => author_id),
    post_id: posts.map(({ id }) => id),
    id: posts.map(() => newId()),
    has_picture: posts.map((_, index) => String(index % 2 === 0)),
  });
}

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const people = await insertAccounts(db, 3);
  [busy, quiet] = people as [Viewer, Viewer];
  await insertPhotoPosts(db, [quiet], 2);
  await insertPhotoPosts(db, [busy], 1500);
  await query(db, "update account_counters set posts = photos, last_post_number = photos");
  await insertTextPosts(db, [busy], 1500, 1501);
  await insertTextPosts(db, [quiet], 1, 3);
  await save(busy, 3000);
  await save(quiet, 3);
});

test("the tabs' counts match the rows", async () => {
  expect(await reconcileCounters(db)).toEqual([]);
  const counts = async ({ id }: Viewer) => (await profilesOn(db).get(null, id))?.counts;
  expect(await counts(busy)).toMatchObject({ posts: 3000, photos: 1500 });
  expect(await counts(quiet)).toMatchObject({ posts: 3, photos: 2 });
});

test.each(["right after loading", "with statistics"])(
  "a profile counts nothing: it costs the same for 3 posts and 3,000, %s",
  async (moment) => {
    if (moment === "with statistics") await query(db, "vacuum analyze");
    for (const plan of ["generic", "custom"] as const) {
      const rows = async (account: Viewer) => {
        const costs = await costsOf(db, (on) => profilesOn(on).get(quiet, account.id), plan);
        for (const { scans } of costs) {
          expect(scans.filter((scan) => scan.startsWith("posts: "))).toEqual([]);
        }
        return costs.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
      };
      expect(await rows(busy)).toBeLessThanOrEqual((await rows(quiet)) + 2);
    }
  },
);

test("bookmarks are counted to 100 in each tab, and no further", async () => {
  const { counts } = createBookmarks({ db });
  expect(await counts(busy)).toEqual({
    photos: limits.countedBookmarks,
    texts: limits.countedBookmarks,
  });
  expect(await counts(quiet)).toEqual({ photos: 2, texts: 1 });
  for (const plan of ["generic", "custom"] as const) {
    const [cost] = await costsOf(db, (on) => createBookmarks({ db: on }).counts(busy), plan);
    // an entry, its author, two probes that find no block
    expect(cost?.rowsRead, plan).toBeLessThanOrEqual(2 * 4 * limits.countedBookmarks + 10);
    expect(cost?.indexes, plan).toContain("bookmarks_newest");
  }
});
