import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { findElsewhere } from "#server/features/people/elsewhere/elsewhere.queries.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/* Counted work among 20,000 accounts, half of which name one elsewhere, 500 of them the same; the pages of a fifth lead back. */
let db: Database;
let asker: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const [first, ...people] = await insertAccounts(db, 20_000);
  if (first) asker = first;
  await query(
    db,
    `update accounts set website = 'https://instagram.com/' ||
      case when nth % 40 = 0 then 'famous' else 'name' || nth end
    from (select id, row_number() over (order by id) as nth from unnest($1::uuid[]) id) numbered
    where accounts.id = numbered.id and nth % 2 = 0`,
    [people.map(({ id }) => id)],
  );
  await query(
    db,
    `insert into verified_links (account_id, address)
    select id, website from accounts where website <> '' and right(website, 1) in ('3', '6', 's')`,
  );
}, 240_000);

describe.each(["right after loading", "with statistics"])("looking for people, %s", (moment) => {
  beforeAll(async () => {
    if (moment === "with statistics") await query(db, "vacuum analyze");
  });

  test.each([
    ["a list of which a tenth is here", (at: number) => `name${2 * at + (at % 10 === 0 ? 2 : 1)}`],
    ["a name that many write", () => "famous"],
  ])("%s reads what it finds, by index", async (_, nameOf) => {
    const { atOnce, perName } = limits.elsewhere;
    const accounts = Array.from(
      { length: atOnce },
      (__, at) => `https://instagram.com/${nameOf(at)}`,
    );
    const read = (on: Database) => findElsewhere(on, asker.id, accounts);
    const found = await read(db);
    expect(found.length).toBeGreaterThan(0);
    for (const plan of ["generic", "custom"] as const) {
      const [cost] = await costsOf(db, read, plan);
      expect(cost?.indexes, plan).toEqual(
        expect.arrayContaining(["accounts_elsewhere", "verified_elsewhere"]),
      );
      expect(cost?.scans, plan).not.toContain("accounts: Seq Scan");
      // each name is two look-ups, and each found a few probes
      const names = new Set(accounts).size;
      expect(cost?.rowsRead, plan).toBeLessThanOrEqual(2 * names + 8 * (found.length + perName));
      expect(cost?.collected, plan).toBeLessThanOrEqual(2 * (names + 600));
    }
  });
});
