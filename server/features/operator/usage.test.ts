import { expect, test } from "vitest";
import { createUsage } from "#server/features/operator/usage.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import { testApp } from "#server/test/app.ts";

const { db } = await freshDatabase();
const { features } = await testApp(db);

test("members, posts and members active within a month are counted, once an hour", async () => {
  const usage = createUsage({ db });
  const [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob Birch")];
  await features.textPost(ada, "Words");
  await query(db, "delete from sessions");
  for (const [at, days] of [20, 10, -1].entries()) {
    await query(
      db,
      `insert into sessions (id, token, account_id, expires_at)
        values (gen_random_uuid(), $1, $2, now() + make_interval(days => $3::int))`,
      [`token ${at}`, days < 0 ? bob.id : ada.id, days],
    );
  }
  const counts = { members: 2, posts: 1, activeMonth: 1 };
  expect(await usage()).toEqual(counts);
  await features.textPost(ada, "More words");
  expect(await usage()).toEqual(counts);
  expect(await createUsage({ db })()).toEqual({ ...counts, posts: 2 });
});
