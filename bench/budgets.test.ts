import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadBuiltScreens } from "#server/screens.ts";
import { freshDatabase } from "#server/test/database.ts";
import { growGraph } from "./graph.ts";
import { openProduct, type Product } from "./product.ts";
import { countRoundTrips, mostRoundTrips, type RoundTrips } from "./measurements/round-trips.ts";
import { screenPairs } from "./measurements/screen-pairs.ts";

/*
 * The round trips of docs/performance.md, on a small data set: they are the same on a busy machine. The
 * feed's rows and buffers are tested in feed.cost.test.ts; times are measured by npm run bench and never
 * tested.
 */
const viewers = [
  { follows: 200, of: "anybody" },
  { follows: 0, of: "anybody" },
] as const;

const folder = mkdtempSync(join(tmpdir(), "postcard-budgets-"));
let product: Product;
let reader: string;
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
  [reader = "", newcomer = ""] = graph.viewers.map(({ id }) => id);
});
afterAll(async () => {
  await product.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("SQL round trips over HTTP", () => {
  let counted: RoundTrips[];
  beforeAll(async () => {
    const root = fileURLToPath(new URL("..", import.meta.url));
    const screens = await loadBuiltScreens(root, (error) => {
      throw error;
    });
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

  test("a full page takes as many as a single item", () => {
    for (const { screen, forOne, forMany } of counted) expect(forOne, screen).toBe(forMany);
  });
});
