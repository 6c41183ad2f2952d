import { beforeAll, describe, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let headers: { authorization: string };

beforeAll(async () => {
  ada = await features.member("Ada Lovelace");
  headers = (await connectedApp(features, ada)).headers;
});

type Status = { id: string; content: string; spoiler_text: string; sensitive: boolean };
const send = (method: "POST" | "PUT", url: string, payload: object) =>
  app.inject({ method, url, payload, headers });
const get = async <Answer>(path: string) =>
  (await app.inject({ url: `/api/v1/${path}`, headers })).json<Answer>();
async function publish(payload: object): Promise<Status> {
  const answer = await send("POST", "/api/v1/statuses", payload);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Status>();
}
const veilOf = ({ spoiler_text, sensitive }: Status) => [spoiler_text, sensitive];

describe("a post with a content warning", () => {
  test("is published by apps and answered to them, with its source", async () => {
    const made = await publish({ status: "It bites", spoiler_text: " Spiders " });
    expect(veilOf(made)).toEqual(["Spiders", true]);
    expect(veilOf(await get(`statuses/${made.id}`))).toEqual(["Spiders", true]);
    expect(await get(`statuses/${made.id}/source`)).toEqual({
      id: made.id,
      text: "It bites",
      spoiler_text: "Spiders",
    });
    expect(veilOf(await publish({ status: "x", sensitive: true }))).toEqual(["", true]);
    expect(veilOf(await publish({ status: "x", spoiler_text: "" }))).toEqual(["", false]);
    const both = { status: "x", spoiler_text: "Spiders", sensitive: false };
    expect(veilOf(await publish(both))).toEqual(["Spiders", true]);
  });

  test("loses warning and veil by an edit, and keeps both where the edit says nothing of them", async () => {
    const { id } = await publish({ status: "It bites", spoiler_text: "Spiders" });
    const edit = async (payload: object) =>
      (await send("PUT", `/api/v1/statuses/${id}`, payload)).json<Status>();
    expect(veilOf(await edit({ status: "It bit me" }))).toEqual(["Spiders", true]);
    expect(veilOf(await edit({ status: "It bit me", spoiler_text: "" }))).toEqual(["", false]);
    expect(veilOf(await edit({ sensitive: true }))).toEqual(["", true]);
    const history = await get<Status[]>(`statuses/${id}/history`);
    expect(history.map((one) => [...veilOf(one), one.content])).toEqual([
      ["Spiders", true, "<p>It bites</p>"],
      ["Spiders", true, "<p>It bit me</p>"],
      ["", true, "<p>It bit me</p>"],
    ]);
  });

  test("of more than 200 characters is refused with a sentence, and nothing is published", async () => {
    const answer = await send("POST", "/api/v1/statuses", {
      status: "x",
      spoiler_text: "x".repeat(201),
    });
    const error = "A content warning can have 200 characters; this is 1 too many.";
    expect([answer.statusCode, answer.json()]).toEqual([422, { error }]);
  });
});

describe("a reply", () => {
  let under: string;

  beforeAll(async () => {
    const made = await publish({ status: "It bites", spoiler_text: "re: Spiders" });
    under = made.id;
  });

  // What apps send beside it: their readers did not write it.
  test.each(["re: Spiders", "re: re: Spiders", " re: Spiders\n", "", " "])(
    "that brings the warning %j of what it answers along is a comment without one",
    async (spoiler_text) => {
      const reply = { in_reply_to_id: under, status: "Ouch", spoiler_text, sensitive: true };
      const made = await publish(reply);
      expect(veilOf(made)).toEqual(["", false]);
      const edited = await send("PUT", `/api/v1/statuses/${made.id}`, { status: "Ouch!" });
      expect(veilOf(edited.json())).toEqual(["", false]);
    },
  );

  test("with a warning of its own is refused with a sentence: it would be lost", async () => {
    const error = "Comments here have no content warning of their own, so nothing was published.";
    const { id } = await publish({ in_reply_to_id: under, status: "Ouch" });
    for (const [method, url, more] of [
      ["POST", "/api/v1/statuses", { in_reply_to_id: under }],
      ["POST", "/api/v1/statuses", { in_reply_to_id: id }],
      ["PUT", `/api/v1/statuses/${id}`, {}],
    ] as const) {
      const answer = await send(method, url, { ...more, status: "x", spoiler_text: "Snakes" });
      expect([answer.statusCode, answer.json()]).toEqual([422, { error }]);
    }
  });
});

async function reading() {
  const all = await get<Record<string, unknown>>("preferences");
  return [all["reading:expand:media"], all["reading:expand:spoilers"]];
}

test("preferences say whether the member always sees what has a warning", async () => {
  expect(await reading()).toEqual(["default", false]);
  await features.settings.change(ada, { showVeiled: true });
  expect(await reading()).toEqual(["show_all", true]);
});

test("a reply's parent is its post", async () => {
  const post = await features.publish(ada, { caption: "It bites", warning: "Spiders" });
  const context = await get<{ ancestors: Status[] }>(
    `statuses/${(await publish({ in_reply_to_id: decimalOf(post.postId), status: "Ouch" })).id}/context`,
  );
  expect(context.ancestors.map(veilOf)).toEqual([["Spiders", true]]);
});
