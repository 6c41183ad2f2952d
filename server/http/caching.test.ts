import { subscribe } from "node:diagnostics_channel";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import type { ServerBuild } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { initialsPath } from "#server/mastodon/initials.ts";
import { builtScreens, testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { MadePost } from "#server/test/factories.ts";
import type { Viewer } from "#shared/views.ts";

// What every address lets caches do, except those for programs, which are in the access matrix.
const root = join(import.meta.dirname, "../..");
const declared = new Set<string>();
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url }) => {
    if (/^\/(api|v1)(\/|$)/.test(url) || ![method].flat().includes("GET")) return;
    if (!/\.(br|gz)$/.test(url)) declared.add(url.startsWith("/assets/") ? "/assets/*" : url);
  });
});

const hashed = "public, max-age=31536000, immutable";
const file = "public, max-age=3600";
const page = "public, max-age=0, s-maxage=30";
const own = "private, no-store";

/** What a screen's page lets shared caches do for a caller about whom nothing is known. */
const screens: Record<string, typeof page | typeof own> = {
  "/": page,
  "/search": page,
  "/search/:id": page,
  "/post/:address/:number": page,
  "/post/:address/:number/likes": page,
  "/profile/followers/:id": page,
  "/profile/following/:id": page,

  "/signIn": own,
  "/signIn/forgot": own,
  "/signIn/reset/:token": own,
  "/signIn/link": own,
  "/signIn/link/:token": own,
  "/signIn/code": own,
  "/signIn/with/:provider": own,
  "/signIn/from/:provider": own,
  "/signIn/window": own,
  "/signIn/done": own,
  "/signUp": own,
  "/signOut": own,
  "/verify/:token": own,
  "/keepEmail/:token": own,
  "/stopEmails/:token": own,
  "/keepAccount": own,
  "/goodbye": own,
  "/users/:id": own,
  "/posts/:id": own,
  "/notifications": own,
  "/chat": own,
  "/chat/:chatId": own,
  "/chat/:chatId/messages/:seq/delete": own,
  "/saved": own,
  "/saved/collections": own,
  "/saved/collections/new": own,
  "/saved/collections/:id": own,
  "/saved/collections/:id/add": own,
  "/saved/collections/:id/edit": own,
  "/saved/collections/:id/delete": own,
  "/profile": own,
  "/profile/link": own,
  "/l/:token": own,
  "/shared/:id": own,
  "/profile/edit": own,
  "/settings": own,
  "/settings/data": own,
  "/settings/data/bring": own,
  "/settings/data/import-report": own,
  "/settings/data/imports/:id/undo": own,
  "/settings/data/messages": own,
  "/settings/data/messages/:id": own,
  "/settings/data/messages/:id/delete": own,
  "/settings/delete": own,
  "/settings/email": own,
  "/settings/blocked": own,
  "/settings/friends": own,
  "/settings/private": own,
  "/settings/links": own,
  "/settings/words": own,
  "/settings/reports": own,
  "/settings/notifications": own,
  "/settings/security": own,
  "/settings/security/activity": own,
  "/settings/security/apps": own,
  "/oauth/authorize": own,
  "/settings/security/connect/:provider": own,
  "/settings/security/disconnect/:provider": own,
  "/suspended": own,
  "/rules": own,
  "/report": own,
  "/moderation": own,
  "/moderation/:caseId": own,
  "/operator": own,
  "/operator/first/:token": own,
  "/operator/people": own,
  "/operator/people/:id": own,
  "/operator/invitations": own,
  "/operator/place": own,
  "/operator/log": own,
  "/upload": own,
  "/album/new": own,
  "/album/join": own,
  "/album/:id": own,
  "/album/:id/add": own,
  "/album/:id/arrange": own,
  "/album/:id/delete": own,
  "/album/:id/edit": own,
  "/album/:id/link": own,
  "/album/:id/members": own,
  "/post/:address/:number/edit": own,
  "/post/:address/:number/collections": own,
  "/post/:address/:number/album": own,
  "/post/:address/:number/audience": own,
  "/post/:address/:number/link": own,
  "/post/:address/:number/describe": own,
  "/post/:address/:number/versions": own,
  "/post/:address/:number/delete": own,
  "/post/:address/:number/comments/:commentId/edit": own,
  "/post/:address/:number/comments/:commentId/delete": own,
  "/follow/:id": own,
  "/follow-requests": own,
  "/block/:id": own,
  "/suggestions/:id/dismiss": own,
  "/calls/push": own,
  "/calls/begin-provider": own,
  "/calls/import": own,
  "/calls/security": own,
  "/*": own,
};

/** Everything else that can be read: an address, its answer, and who gets it. */
const others: Record<string, { path: () => string; member?: true; status?: number; says: string }> =
  {
    "/assets/*": { path: () => asset, says: hashed },
    "/favicon.ico": { path: () => "/favicon.ico", says: file },
    "/favicon.svg": { path: () => "/favicon.svg", says: file },
    "/icon-180.png": { path: () => "/icon-180.png", says: file },
    "/icon-192.png": { path: () => "/icon-192.png", says: file },
    "/icon-512.png": { path: () => "/icon-512.png", says: file },
    "/offline-page.js": { path: () => "/offline-page.js", says: file },
    "/robots.txt": { path: () => "/robots.txt", says: file },
    "/service-worker.js": { path: () => "/service-worker.js", says: file },
    "/manifest.webmanifest": { path: () => "/manifest.webmanifest", says: file },
    "/app-header.png": { path: () => "/app-header.png", says: file },
    "/.well-known/webfinger": {
      path: () => `/.well-known/webfinger?resource=acct:${owner.username}@localhost:3000`,
      says: own,
    },
    "/.well-known/host-meta": { path: () => "/.well-known/host-meta", says: own },
    "/.well-known/nodeinfo": { path: () => "/.well-known/nodeinfo", says: own },
    "/.well-known/oauth-authorization-server": {
      path: () => "/.well-known/oauth-authorization-server",
      says: own,
    },
    "/nodeinfo/2.0": { path: () => "/nodeinfo/2.0", says: own },
    "/nodeinfo/2.1": { path: () => "/nodeinfo/2.1", says: own },
    "/oauth/userinfo": { path: () => "/oauth/userinfo", status: 401, says: "no-store" },
    "/health/live": { path: () => "/health/live", says: "no-store" },
    "/health/ready": { path: () => "/health/ready", says: "no-store" },
    // for the doctor, who sends a pass
    "/health/seen": { path: () => "/health/seen", status: 404, says: "no-store" },
    "/images/:key/:file": {
      path: () => image,
      says: "public, max-age=31536000, s-maxage=600, immutable",
    },
    "/initials/:id/:file": {
      path: () => initialsPath(decimalOf(owner.id), owner.name),
      says: "public, max-age=31536000, s-maxage=600, immutable",
    },
    "/chat/pictures/:conversation/:number/:file": {
      path: () => `/chat/pictures/${owner.id}/1/320.webp`,
      status: 404,
      says: "no-store",
    },
    "/chat/imported/:conversation/:number/:file": {
      path: () => `/chat/imported/${owner.id}/1/320.webp`,
      status: 404,
      says: "no-store",
    },
    // with the cookie of a link: server/features/links/guests.test.ts
    "/shared/:id/photos/:key/:file": {
      path: () => `/shared/${owner.id}/photos/${"0".repeat(32)}/320.webp`,
      status: 404,
      says: "no-store",
    },
    "/shared/:id/save/:key": {
      path: () => `/shared/${owner.id}/save/${"0".repeat(32)}`,
      status: 404,
      says: "no-store",
    },
    "/shared/:id/page.json": {
      path: () => `/shared/${owner.id}/page.json`,
      status: 410,
      says: "no-store",
    },
    "/shared/:id/photos.zip": {
      path: () => `/shared/${owner.id}/photos.zip`,
      status: 410,
      says: "no-store",
    },
    "/l/:key/preview.webp": {
      path: () => "/l/nothing/preview.webp",
      status: 410,
      says: "no-store",
    },
    "/exports/:file": { path: () => "/exports/nothing.zip", status: 404, says: "no-store" },
    "/calls/close-friends": { path: () => "/calls/close-friends", member: true, says: own },
    "/calls/provider-attempt": { path: () => "/calls/provider-attempt", says: own },
    // the screens
    "/*": { path: () => "/nowhere", status: 404, says: own },
  };

const twoDaysAgo = Date.now() - 2 * 86_400_000;
const { db } = await freshDatabase();
const built = await builtScreens();
const { app, features, call, cookieOf } = await testApp(db, {}, { screens: built });
let owner: Viewer;
let post: MadePost;
let image: string;
let asset: string;

beforeAll(async () => {
  owner = await features.member("Olive Owner", twoDaysAgo);
  post = await features.photoPost(owner, "Low tide </script> \r\n \u2028 <!-- &amp;", ["Boats"]);
  const { body } = await app.inject({ url: `/post/${owner.username}/${post.number}` });
  [image = ""] = /\/images\/[0-9a-f]{32}\/\d+\.webp/.exec(body) ?? [];
  [asset = ""] = /\/assets\/[^"]+\.css/.exec(body) ?? [];
});

const filled = (path: string) =>
  path
    .replace(":address", owner.username)
    .replace(":number", String(post.number))
    .replace("/*", "/nowhere/at/all")
    .replaceAll(":id", owner.id)
    .replaceAll(/:\w+/g, "anything");

type Asked = { method?: string; path: string; headers?: Record<string, string> };
const ask = ({ method = "GET", path, headers = {} }: Asked) =>
  app.inject({ method: method as "GET", url: path, headers });
const cachingOf = async (asked: Asked) => (await ask(asked)).headers["cache-control"];

test("every address has its row, and every row its address", async () => {
  expect(Object.keys(others).toSorted()).toEqual([...declared].toSorted());
  const { routes } = (await import(
    pathToFileURL(join(root, "build/server/index.js")).href
  )) as ServerBuild;
  const pathOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id];
    return route ? pathOf(route.parentId) + (route.path ? `/${route.path}` : "") : "";
  };
  const layouts = new Set(["root", "screens/settings-panes", "screens/operator-panes"]);
  const screenPaths = Object.keys(routes)
    .filter((id) => !layouts.has(id))
    .map((id) => pathOf(id) || "/");
  expect(Object.keys(screens).toSorted()).toEqual(screenPaths.toSorted());
});

describe.each(Object.entries(screens))("the screen %s", (path, says) => {
  test("is stored by a shared cache only if it is the same for everybody", async () => {
    const plain = await ask({ path: filled(path) });
    expect(plain.headers["cache-control"]).toBe(says);
    if (says === page) {
      expect(plain.statusCode).toBe(200);
      expect(plain.headers["vary"]).toBe("Cookie, Authorization, Accept-Encoding");
      expect(plain.headers["set-cookie"]).toBeUndefined();
      expect(plain.headers["content-security-policy"]).not.toContain("nonce");
    }
    const head = await ask({ method: "HEAD", path: filled(path) });
    expect(head.headers["cache-control"]).toBe(says);
    expect(head.body).toBe("");
  });

  test("is private to its caller if anything is known about them", async () => {
    const at = filled(path);
    const cookie = await cookieOf(owner);
    const asked: Asked[] = [
      { path: at, headers: { cookie } },
      { path: at, headers: { cookie: "theme=synthwave" } },
      { path: at, headers: { cookie: "" } },
      { path: at, headers: { authorization: "Bearer nobody" } },
      { path: `${at}?cursor=` },
      { path: `${at === "/" ? "/_root" : at}.data` },
      { method: "POST", path: at },
    ];
    for (const each of asked) {
      // What gets past the screens is answered as an error.
      expect(await cachingOf(each), JSON.stringify(each)).toMatch(/^(?:private, )?no-store$/);
    }
  });
});

test.each(Object.entries(others))("%s", async (_name, { path, status = 200, says }) => {
  for (const caller of [null, owner]) {
    const answer = await call(caller, "GET", path());
    const expected =
      caller === null && answer.statusCode === 401 ? [401, "no-store"] : [status, says];
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual(expected);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  }
});

test("answers of addresses that don't exist are never stored", async () => {
  const paths = [
    "/assets/nothing-here.js",
    `/search/${post.postId}`,
    `/post/${owner.username}/99`,
    `/search/${owner.username}`,
    // an email: its look-up is counted
    `/post/${owner.email}/${post.number}`,
    `/post/${encodeURIComponent(owner.email)}/${post.number}`,
    "/images/0/320.webp",
    "/%zz",
    "/api/nothing",
  ];
  for (const path of paths) {
    expect(await cachingOf({ path }), path).toMatch(/^(?:private, )?no-store$/);
  }
});

/** Without the time it was made and the key of its form, which belongs to an account once used. */
const lasting = (body: string) =>
  body
    .replaceAll(/\b\d{13}(?:\.\d+)?\b/g, "NOW")
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "KEY");

const namesOf = (headers: object) => Object.keys(headers).toSorted();

describe("a page that caches store", () => {
  test("is the same whatever else a request says", async () => {
    for (const path of ["/", "/search", `/post/${owner.username}/${post.number}`]) {
      const plain = lasting((await ask({ path })).body);
      expect(plain.length).toBeGreaterThan(2000);
      const unkeyed: Record<string, string>[] = [
        { "x-forwarded-host": "evil.example", "x-forwarded-proto": "ftp" },
        { forwarded: "host=evil.example", "x-original-url": "/nowhere", "x-rewrite-url": "/x" },
        { host: "evil.example" },
        { origin: "https://evil.example", referer: "https://evil.example/" },
        { "x-react-router-spa-mode": "yes" },
        { "x-react-router-prerender-data": "evil", purpose: "prefetch", "sec-purpose": "prefetch" },
        { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "none" },
        { "user-agent": "evil", "accept-language": "de", accept: "application/json" },
        { range: "bytes=0-9", "if-none-match": "*", "if-modified-since": new Date().toUTCString() },
        { "x-http-method-override": "POST", "content-type": "application/json" },
      ];
      for (const headers of unkeyed) {
        const answer = await ask({ path, headers });
        expect(answer.statusCode, JSON.stringify(headers)).toBe(200);
        expect(lasting(answer.body) === plain, JSON.stringify(headers)).toBe(true);
      }
    }
  });

  test("has the same headers for HEAD as for GET", async () => {
    for (const path of ["/", `/search/${owner.id}`]) {
      const [whole, head] = [await ask({ path }), await ask({ method: "HEAD", path })];
      expect(namesOf(head.headers)).toEqual(namesOf(whole.headers));
      expect(head.headers["content-length"]).toBe(whole.headers["content-length"]);
      expect(head.headers["vary"]).toBe(whole.headers["vary"]);
    }
  });
});
