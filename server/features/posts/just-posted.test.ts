import { beforeAll, expect, test } from "vitest";
import { justPosted } from "#app/features/feed/just-posted.server.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";

let on: TestFeatures;

beforeAll(async () => {
  const { db } = await freshDatabase();
  on = testFeatures(db);
});

test("the home page shows the post it names to its author, with words or a photo", async () => {
  const ada = await on.member("Ada");
  for (const post of [await on.textPost(ada), await on.photoPost(ada)]) {
    const page = await justPosted(on, ada, `${post.number}`);
    expect(page?.items.map(({ id }) => id)).toEqual([post.postId]);
  }
});

test("no number names somebody else's post, and nothing else is read for one", async () => {
  const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
  const { postId, number } = await on.textPost(ada);
  expect((await justPosted(on, ada, `${number}`))?.items[0]?.id).toBe(postId);
  expect(await justPosted(on, bob, `${number}`)).toBeNull();
  for (const forged of [null, "", "0", "01", "-1", "1e0", postId, "9999999999", `${ada.username}/1`]) {
    expect(await justPosted(on, ada, forged), `${forged}`).toBeNull();
  }
});

test("a deleted post is not shown any more", async () => {
  const ada = await on.member("Ada");
  const { number } = await on.textPost(ada);
  await on.posts.remove(ada, ada.username, number);
  expect(await justPosted(on, ada, `${number}`)).toBeNull();
});
