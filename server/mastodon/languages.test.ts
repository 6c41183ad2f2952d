import { beforeAll, describe, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import { languageTag } from "#shared/languages.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let headers: { authorization: string };

beforeAll(async () => {
  ada = await features.member("Ada Lovelace");
  headers = (await connectedApp(features, ada)).headers;
});

type Status = { id: string; language: string | null; edited_at: string | null };
const send = (method: "POST" | "PUT", url: string, payload: object) =>
  app.inject({ method, url, payload, headers });
const read = async (id: string) =>
  (await app.inject({ url: `/api/v1/statuses/${id}`, headers })).json<Status>();
const publish = async (payload: object) => {
  const answer = await send("POST", "/api/v1/statuses", payload);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Status>();
};

describe.each([["a post"], ["a comment"]])("the language of %s", (which) => {
  let under: object;

  beforeAll(async () => {
    const post = await features.textPost(ada, "Low tide");
    under = which === "a post" ? {} : { in_reply_to_id: decimalOf(post.postId) };
  });

  test("is kept and answered, and null where nobody says", async () => {
    const made = await publish({ ...under, status: "Maré baixa", language: "pt-br" });
    expect([made.language, (await read(made.id)).language]).toEqual(["pt-BR", "pt-BR"]);
    for (const language of [undefined, null, ""]) {
      expect((await publish({ ...under, status: "Low tide", language })).language).toBeNull();
    }
  });

  test("is changed by an edit that says so, which is none to others, and stays with one that does not", async () => {
    const { id } = await publish({ ...under, status: "Ebbe", language: "en" });
    const path = `/api/v1/statuses/${id}`;
    const edit = async (payload: object) => (await send("PUT", path, payload)).json<Status>();
    expect(await edit({ status: "Ebbe", language: "de" })).toMatchObject({
      language: "de",
      edited_at: null,
    });
    const after = await edit({ status: "Ebbe und Flut" });
    expect(after).toMatchObject({ language: "de", edited_at: expect.any(String) });
    expect(await edit({ status: "Ebbe und Flut", language: "" })).toMatchObject({ language: null });
  });

  test("that is none is refused with a sentence, and nothing is published", async () => {
    for (const language of ["English (UK)", "en_US", "x".repeat(200), "\u{1f30a}", "e"]) {
      const answer = await send("POST", "/api/v1/statuses", { ...under, status: "x", language });
      expect(answer.statusCode, language).toBe(422);
      expect(answer.json()).toEqual({ error: "A language is a tag such as en or pt-BR." });
    }
  });
});

test("a tag is written as BCP 47 writes it, and a long one is none", () => {
  expect(["EN", "zh-hant-tw", "iw"].map(languageTag)).toEqual(["en", "zh-Hant-TW", "he"]);
  expect(languageTag(`en${"-abcdefgh".repeat(4)}`)).toBeNull();
  expect(languageTag("en".padEnd(1_000_000, "-a"))).toBeNull();
});

test("a member who says what they write in has it on what they post, and on nothing before", async () => {
  const bob = await features.member("Bob Brecht");
  const { headers: bobs } = await connectedApp(features, bob);
  const call = async (method: "GET" | "POST" | "PATCH", url: string, payload?: object) =>
    (await app.inject({ method, url, headers: bobs, ...(payload ? { payload } : {}) })).json();
  const status = (payload: object) => call("POST", "/api/v1/statuses", payload);
  const before = await status({ status: "Low tide" });
  const defaults = async () => [
    (await call("GET", "/api/v1/preferences"))["posting:default:language"],
    (await call("GET", "/api/v1/accounts/verify_credentials")).source.language,
  ];
  expect(await defaults()).toEqual([null, null]);

  await query(db, "update accounts set language = 'de' where id = $1", [bob.id]);
  expect((await status({ status: "Ebbe" })).language).toBe("de");
  const changed = await call("PATCH", "/api/v1/accounts/update_credentials", {
    source: { language: "pt-br" },
  });
  expect(changed.source.language).toBe("pt-BR");
  expect(await defaults()).toEqual(["pt-BR", "pt-BR"]);
  const post = await status({ status: "Maré baixa" });
  const reply = await status({ status: "Maré alta", in_reply_to_id: post.id });
  const said = await status({ status: "Low tide again", language: "en" });
  const unsaid = await status({ status: "~~~", language: "" });
  expect([post, reply, said, unsaid].map(({ language }) => language)).toEqual([
    "pt-BR",
    "pt-BR",
    "en",
    null,
  ]);
  expect((await call("GET", `/api/v1/statuses/${before.id}`)).language).toBeNull();

  await expect(
    features.settings.changeLanguages(bob, { postingLanguage: "English (UK)" }),
  ).rejects.toMatchObject({ code: "input-invalid" });
  await features.settings.changeLanguages(bob, { postingLanguage: "" });
  expect(await defaults()).toEqual(["de", "de"]);
});
