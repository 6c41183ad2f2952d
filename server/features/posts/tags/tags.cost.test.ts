import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { createTags } from "#server/features/posts/tags/tags.ts";
import { insertAccounts, insert, insertTextPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/* Counted work among 6,000 posts that all have one tag, the newest 1,000 of them by one author. */
let db: Database;
let reader: Viewer;
/** Of the large tables; one that is nearly empty may be read whole. */
const scanned = /(?:accounts|posts|post_tags): Seq Scan/;
const tags = (on: Database) => createTags({ db: on });

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const people = await insertAccounts(db, 2_001);
  const [me, loudest, ...others] = people;
  if (!me || !loudest) throw new Error("a crowd");
  reader = me;
  await insertTextPosts(db, others.slice(0, 1_000), 5);
  await insertTextPosts(db, [loudest], 1_000);
  await query(
    db,
    `insert into post_tags (author_id, post_id, tag) select author_id, id, 'common' from posts
    union all select author_id, id, 'common' || number from posts where number <= 3`,
  );
  await insert(db, "blocks", {
    account_id: [reader.id, loudest.id],
    other_id: [loudest.id, reader.id],
    own: ["true", "false"],
    id: [me.id, loudest.id],
  });
});

describe.each(["right after loading", "with statistics"])("%s", (moment) => {
  beforeAll(async () => {
    if (moment === "with statistics") await query(db, "vacuum analyze");
  });

  test.each(["generic", "custom"] as const)(
    "a page of a very common tag reads what it shows (%s plan)",
    async (plan) => {
      const [cost] = await costsOf(db, (on) => tags(on).posts(null, "common", null), plan);
      // for each post its tag, author and itself, and probes for photos
      expect(cost?.rowsRead).toBeLessThanOrEqual(8 * (limits.gridPage + 1));
      expect(cost?.scans.join()).not.toMatch(scanned);
    },
  );

  test("a reader who blocked its most active author reads a bounded number of rows, page by page", async () => {
    let cursor: string | null = null;
    const found: string[] = [];
    let pages = 0;
    do {
      const from: string | null = cursor;
      const [cost] = await costsOf(db, (on) => tags(on).posts(reader, "common", from));
      expect(cost?.rowsRead).toBeLessThanOrEqual(5 * limits.tags.lookedThrough);
      expect(cost?.scans.join()).not.toMatch(scanned);
      const page = await tags(db).posts(reader, "common", from);
      found.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      pages += 1;
    } while (found.length === 0 && cursor !== null);
    expect(found).toHaveLength(limits.gridPage);
    expect(pages).toBe(3);
  });

  test("counting a very common tag reads a bounded number of rows", async () => {
    const [cost] = await costsOf(db, (on) => tags(on).count(reader, "common"));
    expect(cost?.rowsRead).toBeLessThanOrEqual(4 * (limits.tagPostsCounted + 1));
    expect(cost?.scans.join()).not.toMatch(scanned);
    // The newest are by somebody whom the reader blocked.
    expect(await tags(db).count(reader, "common")).toEqual({ posts: 0, more: true });
    expect(await tags(db).count(null, "common")).toEqual({
      posts: limits.tagPostsCounted,
      more: true,
    });
  });

  test("suggesting tags reads a bounded number of rows", async () => {
    const [cost] = await costsOf(db, (on) => tags(on).beginning(reader, "com"));
    const { candidates } = limits.tags;
    const counted = limits.tagPostsCounted;
    expect(cost?.rowsRead).toBeLessThanOrEqual(4 * candidates * (counted + 1));
    expect(cost?.scans.join()).not.toMatch(scanned);
    const offered = await tags(db).beginning(reader, "com");
    expect(offered.map(({ tag }) => tag)).toEqual(["common1", "common2", "common3"]);
  });
});
