import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { loadBuiltScreens, type Screens } from "#server/screens.ts";
import { freshDatabase } from "#server/test/database.ts";
import { seedDatabase, mostGrowth, pageCosts, type PageCost } from "./measurements/growth.ts";

/*
 * Counted work, never time: what the row of docs/performance.md measures among a million accounts, here from
 * 300 to 3,000. What grows with the number of accounts, or with an account's popularity, grows tenfold here.
 */
const sizes = [300, 3000] as const;

async function costsAmong(accounts: number, screens: Screens): Promise<PageCost[]> {
  const { db, connection } = await freshDatabase();
  const graph = await seedDatabase(connection, { accounts, regulars: sizes[0] });
  return pageCosts(db, connection, screens, graph);
}

describe("what members read, among ten times as many accounts", () => {
  let few: PageCost[];
  let many: PageCost[];
  beforeAll(async () => {
    const root = fileURLToPath(new URL("..", import.meta.url));
    const screens = await loadBuiltScreens(root, (error) => {
      throw error;
    });
    few = await costsAmong(sizes[0], screens);
    many = await costsAmong(sizes[1], screens);
  });

  test("reads at most half as many buffers more", () => {
    expect(few.length).toBeGreaterThanOrEqual(14);
    for (const [index, { what, buffers }] of few.entries()) {
      expect(buffers, what).toBeGreaterThan(20);
      expect((many[index]?.buffers ?? Infinity) / buffers, what).toBeLessThanOrEqual(mostGrowth);
    }
  });
});
