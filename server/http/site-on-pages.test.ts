import { beforeAll, describe, expect, test } from "vitest";
import { builtScreens, testApp } from "#server/test/app.ts";
import { setPrivate } from "#server/test/audiences.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";

// The operator's name for the site, and who may join, on pages as visitors get them.
let on: Awaited<ReturnType<typeof testApp>>;
let writer: Awaited<ReturnType<(typeof on)["features"]["member"]>>;
const twoDaysAgo = Date.now() - 2 * 86_400_000;

type Settings = Partial<Record<"site-name" | "site-line" | "sign-up" | "explore", string>>;

/** The same data with another installation object, which reads again what the operator set. */
async function begin(settings: Settings) {
  const { db } = await freshDatabase();
  const screens = await builtScreens();
  const begun = await testApp(db, {}, { screens });
  for (const [name, value] of Object.entries(settings)) {
    await begun.features.operatorSettings.set(name, value);
  }
  return begun;
}

const read = async (path: string, from = on) => (await from.app.inject({ url: path })).body;
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, "");
const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1];
const metaOf = (html: string, property: string) =>
  new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(html)?.[1];

const offers = (html: string) => ({
  account: textOf(html).includes("Create your account"),
  follow: textOf(html).includes("Sign up to follow"),
});

beforeAll(async () => {
  on = await begin({ "site-name": "Harbour Street", "site-line": "Photos from one street." });
  writer = await on.features.member("Wanda Writer", twoDaysAgo);
  await on.features.photoPost(writer, "Low tide", ["Boats on the mud"]);
});

test("every title ends with the site's own name", async () => {
  const titles = {
    "/": "Harbour Street",
    "/search": "Search · Harbour Street",
    "/signIn": "Sign In · Harbour Street",
    "/signUp": "Sign Up · Harbour Street",
    "/saved": "Sign In · Harbour Street",
    "/nowhere": "Returned to sender · Harbour Street",
    [`/search/${writer.id}`]: "Wanda Writer · Harbour Street",
    [`/post/${writer.username}/1`]: "Low tide · Wanda Writer · Harbour Street",
    [`/profile/followers/${writer.id}`]: "Followers · Wanda Writer · Harbour Street",
  };
  for (const [path, title] of Object.entries(titles)) {
    expect(titleOf(await read(path)), path).toBe(title);
  }
});

describe("a link to the landing page", () => {
  test("previews elsewhere with the operator's words and the newest public photo", async () => {
    const html = await read("/");
    expect(metaOf(html, "og:site_name")).toBe("Harbour Street");
    expect(metaOf(html, "og:title")).toBe("Harbour Street");
    expect(metaOf(html, "og:description")).toBe("Photos from one street.");
    expect(metaOf(html, "og:image")).toMatch(/^http:\/\/localhost:3000\/images\/[0-9a-f]{32}\//);
    expect(metaOf(html, "og:image:alt")).toBe("Boats on the mud");
  });

  test("shows no photo that visitors are not shown", async () => {
    const members = await begin({ explore: "members" });
    const hidden = await members.features.member("Hidden Hilda", twoDaysAgo);
    await members.features.photoPost(hidden, "Mine", ["Mine alone"]);
    const html = await read("/", members);
    expect(metaOf(html, "og:image")).toBe("http://localhost:3000/icon-512.png");
    expect(html).not.toMatch(/Hidden Hilda|Mine alone/);
  });
});

describe("signing up is offered", () => {
  test("on every page where anybody may join, and for the account one came for", async () => {
    const post = `/post/${writer.username}/1`;
    for (const path of [`/search/${writer.id}`, post, `/search?q=${writer.username}`]) {
      const expected = { account: true, follow: path === post };
      expect(offers(await read(path)), path).toEqual(expected);
    }
    const address = new URL(
      /href="(\/signUp\?follow=[^"]*)"/
        .exec(await read(`/post/${writer.username}/1`))?.[1]
        ?.replaceAll("&amp;", "&") ?? "",
      "http://localhost",
    );
    expect(Object.fromEntries(address.searchParams)).toEqual({ follow: writer.id, returnTo: post });
    // Beside a Follow button nothing says it a second time: the way over the sign-in keeps whom it was.
    const asked = new URLSearchParams({ returnTo: `/search/${writer.id}`, follow: writer.id });
    const signIn = (await read(`/signIn?${asked}`)).replaceAll("&amp;", "&");
    expect(signIn).toContain(`href="/signUp?${asked}"`);
  });

  test.each(["closed", "invitation"])("nowhere while sign-up is %s", async (mode) => {
    const other = await begin({ "sign-up": mode });
    const ada = await other.features.member("Ada", twoDaysAgo);
    await other.features.photoPost(ada, "Here");
    for (const path of ["/", "/search", `/search/${ada.id}`, `/post/${ada.username}/1`]) {
      const html = await read(path, other);
      expect(titleOf(html), path).toContain("Postcard");
      expect(offers(html), path).toEqual({ account: false, follow: false });
    }
  });
});

test("a renamed site shows its new name within moments", async () => {
  const { db } = on.features;
  await query(db, `update operator_settings set value = '"Pier Street"' where key = 'site-name'`);
  await expect
    .poll(async () => titleOf(await read("/search")), { timeout: 20_000 })
    .toBe("Search · Pier Street");
});

test("a post that is not for everyone is on no page of a visitor's, and a private profile in no index", async () => {
  const { features, app } = on;
  const narrow = await features.publish(writer, { caption: "For few", audience: "followers" });
  const hidden = await features.photoPost(writer, "For everyone, once", ["A door"]);
  const profile = `/search/${writer.id}`;
  const posts = [narrow, hidden].map(({ number }) => `/post/${writer.username}/${number}`);
  const [never = ""] = [`/post/${writer.username}/99`];
  const statusOf = async (path: string) => (await app.inject({ url: path })).statusCode;
  expect([await statusOf(posts[0] ?? ""), await statusOf(never)]).toEqual([404, 404]);
  expect(await read(`${profile}?tab=texts`)).not.toContain("For few");
  expect(await read(profile)).toContain("For everyone, once");
  expect(await read(profile)).not.toContain("noindex");

  await setPrivate(features.db, writer);
  const pages = [profile, `${profile}?tab=texts`, "/", "/search"];
  for (const path of pages) expect(await read(path), path).not.toContain("For everyone, once");
  for (const path of [...posts, `/post/${writer.username}/1`])
    expect(await statusOf(path)).toBe(404);
  expect(await read(profile)).toContain('<meta name="robots" content="noindex"/>');
  await setPrivate(features.db, writer, false);
});
