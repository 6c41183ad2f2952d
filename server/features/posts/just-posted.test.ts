import { beforeAll, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { limits } from "#shared/limits.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

test("a new post is shown to its author, with words or a photo", async () => {
  const ada = await on.member("Ada");
  for (const { postId, number } of [await on.textPost(ada), await on.photoPost(ada)]) {
    expect((await on.posts.justPublished(ada, number))?.id).toBe(postId);
  }
});

test("a number never names somebody else's post, or one that does not exist", async () => {
  const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
  const { number } = await on.textPost(ada);
  expect(await on.posts.justPublished(bob, number)).toBeNull();
  for (const forged of [0, -1, 0.5, 2 ** 40, number + 1]) {
    expect(await on.posts.justPublished(ada, forged), `${forged}`).toBeNull();
  }
});

test("it is new for a day, and until it is deleted", async () => {
  const ada = await on.member("Ada");
  const [first, second] = [await on.textPost(ada), await on.textPost(ada)];
  await on.posts.remove(ada, ada.username, first.number);
  expect(await on.posts.justPublished(ada, first.number)).toBeNull();
  const before = new Date(Date.now() - limits.justPostedHours * 3_600_000 - 1000);
  await db.query(sql`update posts set created_at = ${before} where id = ${second.postId}`);
  expect(await on.posts.justPublished(ada, second.number)).toBeNull();
});
