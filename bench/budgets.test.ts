import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadBuiltScreens } from "#server/screens.ts";
import { freshDatabase } from "#server/test/database.ts";
import { growGraph } from "./graph.ts";
import { openProduct, signInAs, type Member, type Product } from "./product.ts";
import { cursorOfPage, feedReads, mostRows } from "./rows/feed-reads.ts";
import { countRoundTrips, mostRoundTrips, type RoundTrips } from "./rows/round-trips.ts";
import { screenPairs } from "./rows/screen-pairs.ts";

/*
 * The counted figures of docs/performance.md, on a small town: rows, buffers and round trips are
 * the same on a busy machine. What is timed is measured by npm run bench and never tested.
 */
const viewers = [
  { follows: 10, of: "anybody" },
  { follows: 200, of: "anybody" },
  { follows: 2000, of: "anybody" },
  { follows: 200, of: "quiet" },
  { follows: 0, of: "anybody" },
] as const;

const folder = mkdtempSync(join(tmpdir(), "postcard-budgets-"));
let product: Product;
let members: Member[];
let newcomer: string;

beforeAll(async () => {
  const { connection } = await freshDatabase();
  const graph = await growGraph(connection, {
    accounts: 2100,
    followsPerAccount: 6,
    postsPerAccount: 8,
    likesPerPost: 1,
    commentsPerPost: 1,
    viewers,
  });
  product = openProduct({ connection, dataDir: folder });
  const ids = graph.viewers.map(({ id }) => id);
  members = await signInAs(product, ids.slice(0, 4));
  newcomer = ids[4] ?? "";
});
afterAll(async () => {
  await product.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a page of the home feed", () => {
  test.each(viewers.slice(0, 4).map((viewer, index) => ({ ...viewer, index })))(
    "of $follows followed accounts ($of) reads two rows for each and 520 more at most",
    async ({ follows, index }) => {
      const { viewer } = members[index] as Member;
      const { rows } = await feedReads(product.db, viewer, null);
      // every followed account is asked for: less would mean that nothing was counted
      expect(rows).toBeGreaterThanOrEqual(2 * follows);
      expect(rows).toBeLessThanOrEqual(mostRows(follows));
    },
  );

  test("touches no more buffers as page 50 than 1.1 times those of page 1", async () => {
    const { viewer } = members[1] as Member;
    const first = await feedReads(product.db, viewer, null);
    const cursor = await cursorOfPage(product.db, viewer, 50);
    const deep = await feedReads(product.db, viewer, cursor);
    expect(deep.buffers).toBeGreaterThan(200);
    expect(deep.buffers).toBeLessThanOrEqual(1.1 * first.buffers);
  });
});

describe("SQL round trips over HTTP", () => {
  let counted: RoundTrips[];
  beforeAll(async () => {
    const root = fileURLToPath(new URL("..", import.meta.url));
    const screens = await loadBuiltScreens(root, (error) => {
      throw error;
    });
    const reader = members[1]?.viewer.id ?? "";
    counted = await countRoundTrips(
      product,
      screens,
      await screenPairs(product, { reader, newcomer }),
    );
  });

  test("every screen that reads lists was counted", () => {
    const names = counted.map(({ screen }) => screen);
    expect(names).toEqual([
      "home feed",
      "GET /api/feed",
      "profile",
      "own profile",
      "post",
      "saved",
      "followers",
      "following",
      "search",
    ]);
  });

  test("the session takes one, a screen at least one and two at most", () => {
    for (const { screen, session, forMany } of counted) {
      expect(session, screen).toBe(1);
      expect(forMany, screen).toBeGreaterThanOrEqual(1);
      expect(forMany, screen).toBeLessThanOrEqual(mostRoundTrips);
    }
  });

  test("a full page takes as many as a single thing", () => {
    for (const { screen, forOne, forMany } of counted) expect(forOne, screen).toBe(forMany);
  });
});
