import { expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { createFirstDay } from "#server/features/operator/first-day.ts";
import { countMembers } from "#server/features/operator/usage.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf } from "#server/test/explain.ts";
import { testApp } from "#server/test/app.ts";

const { db } = await freshDatabase();
const { features } = await testApp(db);

test("a place has its first days until a third member joins, and operators see what is left to do", async () => {
  const ada = await features.member("Ada Lovelace");
  const opal = { ...ada, operator: true };
  expect(await features.firstDay(ada)).toEqual({ alone: true, place: null });
  const place = { name: "Postcard", named: false, invited: false, signUp: "open" };
  expect(await features.firstDay(opal)).toEqual({ alone: true, place });

  await features.operatorSettings.set("site-name", "Harbour");
  await features.operatorSettings.set("sign-up", "invitation");
  await features.invitations.issue(1);
  const done = { name: "Harbour", named: true, invited: true, signUp: "invitation" };
  expect(await features.firstDay(opal)).toEqual({ alone: true, place: done });

  await features.member("Bob Birch");
  expect(await features.firstDay(ada)).toEqual({ alone: false, place: null });
  await features.member("Cleo Clay");
  expect(await features.firstDay(ada)).toBeNull();
  expect(await features.firstDay(opal)).toBeNull();
});

test("whether they are over is known from three rows, however many members there are, and then asked no more", async () => {
  const reader = await features.member("One More");
  for (let n = 0; n < 10; n += 1) await features.member("One More");
  expect(await countMembers(db, 100)).toBeGreaterThan(10);
  for (const plan of ["generic", "custom"] as const) {
    const twice = async (on: Database) => {
      const firstDay = createFirstDay({ db: on, settings: features.operatorSettings });
      await firstDay(reader);
      await firstDay(reader);
    };
    const costs = await costsOf(db, twice, plan);
    expect(costs).toHaveLength(1);
    expect(costs.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBe(3);
  }
});
