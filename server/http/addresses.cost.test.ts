import { subscribe } from "node:diagnostics_channel";
import { join } from "node:path";
import { cpuUsage } from "node:process";
import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import type { ServerBuild } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { loadBuiltScreens } from "#server/screens.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { cpuRatio } from "#server/test/cpu-ratio.ts";
import { freshDatabase } from "#server/test/database.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

// No address, however long, deep or repeated, costs more than three times what the same number of harmless
// bytes costs. Every page and every call is measured once; what seems expensive is measured again, round by
// round.
type Asked = { method: string; path: string; names: readonly string[] };

const calls: Asked[] = [];
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url, schema }) => {
    if (!/^\/(?:api|v1)\//.test(url) || method === "HEAD") return;
    const known = schema?.querystring;
    const names = known instanceof z.ZodObject ? Object.keys(known.shape) : usualNames;
    // A stream does not end.
    if (url.includes("*") || /^\/api\/(?:events|v1\/streaming)/.test(url)) return;
    calls.push({ method: String([method].flat()[0]), path: url, names });
  });
});
/** What pages and the Mastodon API read. */
const usualNames = ["q", "acct", "id[]", "cursor", "returnTo"];

const root = join(import.meta.dirname, "../..");
const { db } = await freshDatabase();
const screens = await loadBuiltScreens(root, () => undefined);
const { app, features, cookieOf } = await testApp(db, {}, { screens });
const { routes, assets } = (await import(
  pathToFileURL(join(root, "build/server/index.js")).href
)) as ServerBuild;

let reader: Viewer;
let headers: Record<string, string>;
let appHeaders: Record<string, string>;

beforeAll(async () => {
  reader = await features.member("Rita Reader");
  await features.photoPost(reader, "Low tide #boats");
  headers = { cookie: await cookieOf(reader), accept: "text/html" };
  appHeaders = (await connectedApp(features, reader)).headers;
});

const filled = (path: string) =>
  path
    .replace(/:(?:address|email|username)\b/, reader.username)
    .replace(":tag", "boats")
    .replaceAll(":id", reader.id)
    .replaceAll(/:\w+/g, "1");

function pathOfPage(id: string): string {
  const { path, parentId } = routes[id] ?? {};
  return `${parentId ? pathOfPage(parentId) : ""}${path ? `/${path}` : ""}`;
}

const pages = [...new Set(Object.keys(routes).map(pathOfPage))]
  .filter((path) => !path.endsWith("*"))
  .map((path): Asked => ({ method: "GET", path, names: usualNames }));

/** The longest address possible: Node.js takes a head of 16 kB. */
const bytes = 14_000;
const fill = (text: string, most = bytes) =>
  text.repeat(Math.ceil(most / text.length)).slice(0, most);
const { pathBytes, segments } = limits.address;

type Address = (path: string, asked: Asked) => string;
/** Encoded as a form sends text. */
const harmlessWords: Address = (path) => `${path}?x=${fill("low+tide%2C+")}`;
const value =
  (text: string): Address =>
  (path, { names }) =>
    `${path}?${names.map((name) => `${name}=${fill(text, Math.floor(bytes / names.length) - 10)}`).join("&")}`;

const hostile: Record<string, Address> = {
  "thousands of segments": (path) => path + fill("/a"),
  "thousands of backslashes": (path) => path + fill("/a\\a"),
  "thousands of slashes": (path) => `${path}/a${fill("/")}`,
  "one long segment": (path) => path + fill("/a", bytes).replaceAll("/", "a"),
  "a segment that looks like an email": (path) => `${path}/${fill("%4", bytes)}`,
  "as many segments as there may be": (path) => path + "/a".repeat(segments - separators(path)),
  "as long a path as there may be": (path) =>
    path + fill(`/${"%40".repeat(60)}`, pathBytes - path.length),
  "encoded slashes": (path) => `${path}/${fill("%2F", pathBytes - path.length - 4)}`,
  "parts full of emails": (_path, { path }) => path.replaceAll(/:\w+/g, fill("a@", 690)),
  "parts full of digits": (_path, { path }) => path.replaceAll(/:\w+/g, `${fill("1", 690)}x`),
  "parameters that come again": (path, { names }) =>
    `${path}?${fill(names.map((name) => `${name}=a&`).join(""))}`,
  "parameters without a name": (path) => `${path}?${fill("&=")}`,
  "parameters in brackets": (path) => `${path}?a${fill("[b]")}=1`,
  "values full of @": value("@"),
  "values full of spaces": value("+"),
  "values full of digits": value("1"),
  "values full of slashes": value("/"),
  "values full of brackets": value("["),
  "values that cannot be decoded": value("%"),
};

const separators = (path: string) => path.split("/").length - 1;

async function ask({ method, path }: Asked, url: string): Promise<void> {
  const byApp = /^\/api\/v[12]\//.test(path);
  // Calls that change something are asked as a visitor, so that the member stays as it is.
  const who = method === "GET" ? (byApp ? appHeaders : headers) : {};
  await app.inject({ method: method as "GET", url, headers: who });
}

async function costOf(work: () => Promise<void>): Promise<number> {
  const before = cpuUsage();
  await work();
  const { user, system } = cpuUsage(before);
  return user + system;
}

/** How many times the cost of as many harmless bytes, if that is more than three. */
async function dearerThan(
  harmless: () => Promise<void>,
  control: number,
  work: () => Promise<void>,
) {
  const cost = await costOf(work);
  if (cost < 3 * control) return null;
  // Something that takes seconds needs no second measurement, which would only use up the test's time.
  if (cost > 100 * control) return cost / control;
  const ratio = await cpuRatio({ hostile: work, harmless, rounds: 9 });
  return ratio > 3 ? ratio : null;
}

async function dearAddresses(asked: Asked, times: number): Promise<string[]> {
  const path = filled(asked.path);
  const run = (url: string) => async () => {
    for (let n = 0; n < times; n += 1) await ask(asked, url);
  };
  const harmless = run(harmlessWords(path, asked));
  // Addresses that only answer forms have no page: they are compared with a page that doesn't exist.
  const below = path.startsWith("/calls/") ? run(harmlessWords("/nowhere", asked)) : harmless;
  await below();
  await harmless();
  const control = await costOf(harmless);
  const dear: string[] = [];
  for (const [what, address] of Object.entries(hostile)) {
    const url = address(path, asked) || "/";
    const alike = url.startsWith(`${path}?`) ? harmless : below;
    let ratio = await dearerThan(alike, control, run(url));
    // Spaces alone may count as nothing said: then it costs what the address costs without them.
    if (ratio !== null && alike === harmless)
      ratio = await dearerThan(run(path), await costOf(run(path)), run(url));
    if (ratio !== null) dear.push(`${asked.method} ${asked.path}, ${what}: ${ratio.toFixed(1)} ×`);
    if (dear.length > 2) break;
  }
  return dear;
}

async function dearAmong(all: readonly Asked[], times: number): Promise<string[]> {
  const dear: string[] = [];
  for (const asked of all) {
    dear.push(...(await dearAddresses(asked, times)));
    if (dear.length > 5) break;
  }
  return dear;
}

/** Each of them different: the same route twice is looked up once. */
const deepPath = (depth: number) => (n: number) => `${"/a".repeat(depth - 1)}/${n.toString(36)}`;

describe("an address costs three times as many harmless bytes at most", () => {
  test("of every page", async () => {
    expect(pages.length).toBeGreaterThan(70);
    expect(await dearAmong(pages, 1)).toEqual([]);
  });

  test("of every call, including those of apps", async () => {
    expect(calls.length).toBeGreaterThan(200);
    expect(calls.filter(({ path }) => path.startsWith("/api/v1/")).length).toBeGreaterThan(60);
    expect(await dearAmong(calls, 3)).toEqual([]);
  });

  test("of built files, and of the addresses of page data", async () => {
    const others = ["/assets", "/images", "/search.data", "/_.data", "/nowhere", "/oauth"];
    const all = others.map((path): Asked => ({ method: "GET", path, names: usualNames }));
    expect(await dearAmong(all, 3)).toEqual([]);
  });

  test.each([
    ["as many routes as there may be", (n: number) => `/a/${n}`, limits.address.discovered],
    ["routes as deep as there may be", deepPath(segments), limits.address.discovered],
    ["routes as deep as our most expensive", deepPath(6), limits.address.discovered],
    ["more routes", (n: number) => n.toString(36), 2_000],
    ["routes that are too deep", () => "/a".repeat(3_000), 1],
  ])("of the look-up of %s", async (_what, path, count) => {
    const paths = Array.from({ length: count }, (_, n) => path(n))
      .join(",")
      .slice(0, 7_400);
    const url = `/__manifest?version=${assets.version}&paths=${paths}`;
    const page: Asked = { method: "GET", path: "/nowhere", names: [] };
    const harmless = `/nowhere?x=${fill("a", url.length)}`;
    const thrice = (asked: string) => async () => {
      for (let n = 0; n < 3; n += 1) await ask(page, asked);
    };
    const ratio = await cpuRatio({ hostile: thrice(url), harmless: thrice(harmless), rounds: 15 });
    expect(ratio).toBeLessThan(3);
  });
});
