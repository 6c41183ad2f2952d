import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "#server/test/database.ts";
import type { Database } from "#server/platform/db/database.ts";
import { bytesOfRow, capacityTables, holds, needsOf, steps } from "./capacity.ts";
import { growGraph } from "./graph.ts";
import { tableSizes } from "./measurements/capacity.ts";

const page = readFileSync(new URL("../docs/capacity.md", import.meta.url), "utf8");

test("docs/capacity.md has the tables that the model makes (npm run bench -- --only capacity --write)", () => {
  const [, tables] = /<!-- tables -->\n\n([^]*?)\n\n<!-- end of tables -->/.exec(page) ?? [];
  expect(tables).toBe(capacityTables());
});

test("twice the people need twice as much, and each step holds more than the one before", () => {
  const [one, two] = [needsOf(1_000_000), needsOf(2_000_000)];
  expect(two.databaseBytes / one.databaseBytes).toBeCloseTo(2);
  expect(two.serverCores / one.serverCores).toBeCloseTo(2);
  const held = steps.map((step) => holds(step)[0]?.people ?? 0);
  expect(held.every((people) => people > 0)).toBe(true);
  expect(held).toEqual(held.toSorted((a, b) => a - b));
});

describe("a small town", () => {
  let db: Database;
  beforeAll(async () => {
    const fresh = await freshDatabase();
    ({ db } = fresh);
    await growGraph(fresh.connection, { accounts: 800, postsPerAccount: 8 });
  });

  // Pages and maps of small tables add up to a quarter. One more index on a large table is found.
  test("takes the bytes predicted from its rows, table by table", async () => {
    const known: Record<string, number> = bytesOfRow;
    const large = (await tableSizes(db)).filter(
      ({ table, bytes }) => table in known && bytes > 2_000_000,
    );
    expect(large.length).toBeGreaterThanOrEqual(6);
    for (const { table, rows, bytes } of large) {
      const predicted = rows * (known[table] ?? 0);
      expect(bytes / predicted, table).toBeGreaterThan(0.75);
      expect(bytes / predicted, table).toBeLessThan(1.25);
    }
  });
});
