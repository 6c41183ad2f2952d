import { beforeAll, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { MadePost } from "#server/test/factories.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let bob: Viewer;
let post: MadePost;
let headers: { authorization: string };

beforeAll(async () => {
  [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob Birch")];
  post = await features.textPost(bob, "Buy coins");
  headers = (await connectedApp(features, ada)).headers;
});

const report = (payload: object) =>
  app.inject({
    method: "POST",
    url: "/api/v1/reports",
    payload: { account_id: decimalOf(bob.id), ...payload },
    headers,
  });
const latest = async () => (await features.reports.list(ada, null)).items[0];

// Tusky and Pachli send no category, Mastodon for Android null for "Skip", all three no words.
test.each([
  [{}, "other", "other"],
  [{ category: null, comment: "" }, "other", "other"],
  [{ category: "other", comment: " " }, "other", "other"],
  [{ category: "violation" }, "violation", "other"],
  [{ category: "violation", rule_ids: ["0", "7000", "nonsense"] }, "violation", "other"],
  [{ category: "legal", rule_ids: ["1"] }, "legal", "other"],
  [{ category: "legal" }, "legal", "other"],
  [{ category: "nonsense" }, "other", "other"],
  [{ category: "spam" }, "spam", "spam"],
])("an app reports with %j, without words", async (payload, category, reason) => {
  const answer = await report({ ...payload, status_ids: [decimalOf(post.postId)] });
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toMatchObject({ category, target_account: { username: bob.username } });
  expect(await latest()).toMatchObject({ reason, words: "" });
});

test("words of a report have their limit, and nobody reports themselves", async () => {
  expect((await report({ comment: "x".repeat(1001) })).statusCode).toBe(422);
  expect((await report({ account_id: decimalOf(ada.id) })).statusCode).toBe(422);
  const said = await report({ comment: "The third today" });
  expect(said.json()).toMatchObject({ comment: "The third today", status_ids: [] });
  expect(await latest()).toMatchObject({ words: "The third today" });
});

test("moderators read which house rules an app's report names, below its words", async () => {
  const rules = (await app.inject({ method: "GET", url: "/api/v1/instance/rules" })).json();
  expect(rules[0]).toEqual({ id: "1", text: expect.stringContaining("Be kind"), hint: "" });
  const about = { category: "violation", rule_ids: ["6", "1", "1", "70"] };
  const answer = await report({ ...about, comment: "The third today" });
  expect(answer.json()).toMatchObject({ comment: "The third today", rule_ids: ["1", "6"] });
  expect(await latest()).toMatchObject({ words: "The third today\nHouse rules 1, 6" });
  await report({ ...about, comment: "x".repeat(1000) });
  expect(await latest()).toMatchObject({ words: "x".repeat(1000) });
});
