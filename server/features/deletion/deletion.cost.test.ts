import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { rowsScanned } from "#server/test/rows-scanned.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

test("the end of an account reads nobody else's follows, and leaves none of its own", async () => {
  const people = await insertAccounts(db, 160);
  const [leaving] = people;
  await insertFollows(db, people.slice(1, 80), people.slice(80));
  // few of its own, so that looking them up one by one costs no more than reading all
  await insertFollows(db, people.slice(0, 1), people.slice(80, 82));
  await insertFollows(db, people.slice(80, 82), people.slice(0, 1));
  await query(db, "vacuum analyze");
  const id = leaving?.id ?? "";
  await query(db, "update accounts set deleted_at = now(), deletion_due_at = now() where id = $1", [
    id,
  ]);
  const read = await rowsScanned(db, ["follows", "followers"], () => on.deletion.deleteAccount(id));
  expect(read).toEqual({ follows: 0, followers: 0 });
  const left = await query(
    db,
    `select 1 from accounts where id = $1
    union all select 1 from follows where $1 in (follower_id, followee_id)
    union all select 1 from followers where $1 in (follower_id, followee_id)`,
    [id],
  );
  expect(left).toEqual([]);
});
