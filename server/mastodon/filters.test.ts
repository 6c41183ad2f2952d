import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let headers: { authorization: string };

beforeEach(async () => {
  ada = await features.member("Ada");
  headers = (await connectedApp(features, ada)).headers;
});

type Method = "GET" | "POST" | "PUT" | "DELETE";
const send = (method: Method, url: string, payload?: object) =>
  app.inject({ method, url: `/api/${url}`, headers, ...(payload && { payload }) });
async function ok(method: Method, url: string, payload?: object) {
  const answer = await send(method, url, payload);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const muted = () => features.mutedWords.list(ada);
const context = ["home", "notifications", "public", "thread", "account"];
const asked = { title: "Sport", context, filter_action: "hide" };
const places = ["home", "notifications", "public", "thread"];

const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ keyword: `word ${from + at}` }));

describe("a filter", () => {
  test("mutes its words, keeps its title, and unmutes them when it goes", async () => {
    const made = await ok("POST", "v2/filters", {
      ...asked,
      keywords_attributes: [{ keyword: "Football", whole_word: true }, { keyword: "golf" }],
    });
    expect(made).toMatchObject({
      title: "Sport",
      context: places,
      expires_at: null,
      filter_action: "hide",
      keywords: [
        { keyword: "Football", whole_word: true },
        { keyword: "golf", whole_word: true },
      ],
      statuses: [],
    });
    expect(await muted()).toEqual(["Football", "golf"]);
    const bob = await features.member("Bob");
    await features.follows.follow(ada, bob.id);
    await features.textPost(bob, "FOOTBALL again");
    await features.textPost(bob, "A quiet evening");
    const home = await ok("GET", "v1/timelines/home");
    expect(home.map(({ text, content }: Record<string, string>) => text ?? content)).toEqual([
      "<p>A quiet evening</p>",
    ]);
    expect(await ok("GET", "v2/filters")).toEqual([made]);
    expect(await ok("GET", `v2/filters/${made.id}`)).toEqual(made);
    const [football, golf] = made.keywords;
    const changed = await ok("PUT", `v2/filters/${made.id}`, {
      title: "Games",
      context,
      keywords_attributes: [
        { id: football.id, keyword: "soccer" },
        { id: golf.id, _destroy: true },
        { keyword: "chess" },
      ],
    });
    expect(changed).toMatchObject({
      id: made.id,
      title: "Games",
      keywords: [{ keyword: "soccer" }, { keyword: "chess" }],
    });
    expect(await muted()).toEqual(["soccer", "chess"]);
    expect(await ok("DELETE", `v2/filters/${made.id}`)).toEqual({});
    expect([await muted(), await ok("GET", "v2/filters")]).toEqual([[], []]);
    expect((await send("GET", `v2/filters/${made.id}`)).statusCode).toBe(404);
  });

  // Phanpy, Tusky, Pachli, Ice Cubes and Mastodon for Android begin with "warn", Ice Cubes with home alone.
  test.each(["warn", "blur"])(
    "that is to %s at home is made, and says that it hides, everywhere",
    async (action) => {
      const keywords_attributes = [{ keyword: "golf" }];
      const warning = { title: "Sport", context: ["home"], filter_action: action, expires_in: "" };
      const made = await ok("POST", "v2/filters", { ...warning, keywords_attributes });
      const hiding = { filter_action: "hide", context: places };
      expect(made).toMatchObject({ ...hiding, keywords: [{ keyword: "golf" }] });
      const kept = { title: "Greens", filter_action: action };
      const edited = await ok("PUT", `v2/filters/${made.id}`, kept);
      expect(edited).toMatchObject({ ...hiding, title: "Greens" });
      expect(await muted()).toEqual(["golf"]);
    },
  );

  test("may begin empty and get its words one by one", async () => {
    const { id } = await ok("POST", "v2/filters", asked);
    const keywords = `v2/filters/${id}/keywords`;
    expect(await ok("GET", keywords)).toEqual([]);
    const word = await ok("POST", keywords, { keyword: "golf", whole_word: true });
    expect(await ok("POST", keywords, { keyword: "GOLF" })).toEqual(word);
    await ok("POST", keywords, { keyword: "chess" });
    expect(await ok("GET", `v2/filters/keywords/${word.id}`)).toEqual(word);
    const renamed = await ok("PUT", `v2/filters/keywords/${word.id}`, { keyword: "tennis" });
    expect(await ok("GET", keywords)).toMatchObject([renamed, { keyword: "chess" }]);
    expect(await ok("DELETE", `v2/filters/keywords/${renamed.id}`)).toEqual({});
    expect(await muted()).toEqual(["chess"]);
    expect((await send("DELETE", `v2/filters/keywords/${renamed.id}`)).statusCode).toBe(404);
    expect(await ok("GET", `v2/filters/${id}/statuses`)).toEqual([]);
  });

  test("is a word that was muted on our pages, and follows what is done there", async () => {
    await features.mutedWords.mute(ada, "drums");
    const [alone] = await ok("GET", "v2/filters");
    expect(alone).toMatchObject({ title: "drums", keywords: [{ keyword: "drums" }] });
    expect(await ok("PUT", `v2/filters/${alone.id}`, { title: "Noise" })).toMatchObject({
      id: alone.id,
      title: "Noise",
      keywords: alone.keywords,
    });
    const other = await ok("POST", "v2/filters", {
      ...asked,
      keywords_attributes: [{ keyword: "drums" }, { keyword: "golf" }],
    });
    await ok("DELETE", `v2/filters/${other.id}`);
    expect(await muted(), "the other filter still has it").toEqual(["drums"]);
    await features.mutedWords.unmute(ada, "Drums");
    expect(await ok("GET", "v2/filters")).toMatchObject([{ title: "Noise", keywords: [] }]);
  });

  test("is one word in the first version", async () => {
    const form = { phrase: "golf", context, irreversible: true, whole_word: true };
    const made = await ok("POST", "v1/filters", form);
    const entity = { phrase: "golf", context: places, whole_word: true, irreversible: true };
    expect(made).toMatchObject({ ...entity, expires_at: null });
    expect(await ok("GET", "v1/filters")).toEqual([made]);
    expect(await ok("GET", `v1/filters/${made.id}`)).toEqual(made);
    const changed = await ok("PUT", `v1/filters/${made.id}`, { phrase: "tennis", context });
    expect(changed).toMatchObject({ phrase: "tennis" });
    expect(await ok("DELETE", `v1/filters/${changed.id}`)).toEqual({});
    expect(await muted()).toEqual([]);
  });

  test.each([
    ["POST", "v2/filters", { ...asked, filter_action: "shout" }, /./],
    ["POST", "v2/filters", { ...asked, context: ["notifications"] }, /everywhere here/],
    ["POST", "v2/filters", { ...asked, context: [] }, /everywhere here/],
    ["POST", "v2/filters", { ...asked, expires_in: 3600 }, /until you unmute/],
    [
      "POST",
      "v2/filters",
      { ...asked, keywords_attributes: [{ keyword: "a", whole_word: false }] },
      /whole words/,
    ],
    ["POST", "v2/filters", { ...asked, title: " " }, /Validation failed/],
    ["POST", "v2/filters", { ...asked, title: "t".repeat(256) }, /255 characters/],
    [
      "POST",
      "v2/filters",
      { ...asked, keywords_attributes: [{ keyword: "w".repeat(61) }] },
      /60 characters/,
    ],
    ["POST", "v2/filters/1/statuses", { status_id: "1" }, /Single posts/],
    ["POST", "v1/filters", { phrase: "x", context, expires_in: 60 }, /until you unmute/],
    ["POST", "v1/filters", { phrase: "x", context: ["thread"] }, /everywhere here/],
    ["POST", "v1/filters", { phrase: "x", context, whole_word: false }, /whole words/],
  ] as const)(
    "that maps badly is refused with a sentence: %s %s %j",
    async (method, url, body, why) => {
      const answer = await send(method, url, body);
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
        422,
        expect.stringMatching(why),
      ]);
      expect([await muted(), await ok("GET", "v2/filters")]).toEqual([[], []]);
    },
  );

  test("has no more words than may be muted, stored all or not at all, and is its member's alone", async () => {
    const made = await ok("POST", "v2/filters", { ...asked, keywords_attributes: words(0, 90) });
    const more = { ...asked, title: "More", keywords_attributes: words(90, 11) };
    expect((await send("POST", "v2/filters", more)).statusCode).toBe(409);
    expect(await muted()).toHaveLength(90);
    const bob = (await connectedApp(features, await features.member("Bob"))).headers;
    for (const url of [`v2/filters/${made.id}`, `v2/filters/keywords/${made.keywords[0].id}`]) {
      for (const method of ["GET", "PUT", "DELETE"] as const) {
        const payload = method === "PUT" ? { title: "Mine", keyword: "mine" } : undefined;
        const answer = await app.inject({
          method,
          url: `/api/${url}`,
          headers: bob,
          ...(payload && { payload }),
        });
        expect(answer.statusCode, `${method} ${url}`).toBe(404);
      }
    }
    expect(await muted()).toHaveLength(90);
  });

  test("of many at once none is lost", async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        ok("POST", "v1/filters", { phrase: `word ${at}`, context }),
      ),
    );
    expect((await muted()).toSorted()).toEqual(Array.from({ length: 8 }, (_, at) => `word ${at}`));
    expect(await ok("GET", "v2/filters")).toHaveLength(8);
  });
});
