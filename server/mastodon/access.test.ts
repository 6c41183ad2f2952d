import { subscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import type { Access } from "#server/mastodon/router.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { appScopes, covers, type AppScope } from "#shared/app-scopes.ts";
import type { Viewer } from "#shared/views.ts";

const declared: { method: string; url: string; access: Access }[] = [];
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url, config }) => {
    const access = config?.appAccess;
    if (access) declared.push({ method: String(method), url, access });
  });
});

const { db } = await freshDatabase();
const { app, features, cookieOf } = await testApp(db);
let ada: Viewer;
const tokens = new Map<string, string>();

beforeAll(async () => {
  ada = await features.member("Ada Lovelace");
  for (const scope of appScopes) {
    tokens.set(scope, (await connectedApp(features, ada, scope)).token);
  }
});

/** None of these ids exists: a request that is let in answers 404 or says what it lacks. */
const filled = (url: string) => url.replaceAll(/:\w+/g, "1234567890123456789");
/** With `begun`, a lasting answer is left once it has begun. */
async function send(method: string, url: string, authorization?: string, begun = false) {
  const answer = await app.inject({
    method: method as "GET",
    url: filled(url),
    headers: authorization === undefined ? {} : { authorization },
    payloadAsStream: begun,
  });
  if (begun) answer.stream().destroy();
  return answer;
}

const kindOf = (scope: AppScope) => scope.split(":", 1)[0];

/** The right that looks most like this one and does not cover it: of the same kind, for something else. */
function neighbourOf(scope: AppScope): AppScope | undefined {
  const others = appScopes.filter((other) => !covers([other], scope));
  return others.find((other) => kindOf(other) === kindOf(scope)) ?? others[0];
}

const withoutMember = new Set(["/api/v1/apps", "/oauth/token", "/oauth/revoke"]);

test("there are calls, and all that change something need a right to write, or to push", () => {
  expect(declared.length).toBeGreaterThan(80);
  for (const { method, url, access } of declared) {
    if (method === "GET" || withoutMember.has(url)) continue;
    if (url === "/api/v1/accounts") {
      expect(access).toEqual({ who: "app", scope: "write:accounts" });
      continue;
    }
    expect(access, `${method} ${url}`).toMatchObject({ who: "member" });
    const right = url === "/api/v1/push/subscription" ? /^push$/ : /^write:/;
    expect(access.scope, `${method} ${url}`).toMatch(right);
  }
});

describe("every call", () => {
  // shared/app-scopes.test.ts tests which rights cover which; here, that each call asks for its own.
  test("lets in a token with its right, and none with a neighbouring right", async () => {
    for (const { method, url, access } of declared) {
      const { scope, who, streams = false } = access;
      const wrong = scope && neighbourOf(scope);
      for (const granted of [scope ?? "profile", ...(wrong ? [wrong] : [])]) {
        const answer = await send(method, url, `Bearer ${tokens.get(granted)}`, streams);
        const name = `${method} ${url} with ${granted}`;
        // A member's token can't sign anybody up, whatever else it may do.
        if (granted === wrong || `${method} ${url}` === "POST /api/v1/accounts") {
          expect(answer.statusCode, name).toBe(403);
        } else expect(answer.statusCode, name).not.toBe(403);
        expect(answer.statusCode, name).toBeLessThan(500);
        expect(answer.headers["access-control-allow-origin"], name).toBe("*");
        expect(answer.headers["access-control-allow-credentials"], name).toBeUndefined();
        expect(answer.headers["set-cookie"], name).toBeUndefined();
      }
      const visitor = await send(method, url);
      if (who !== "anybody") expect(visitor.statusCode, `${method} ${url}`).toBe(401);
    }
  });

  test("refuses an invalid token, and our own bearer tokens and cookies", async () => {
    const cookie = await cookieOf(ada);
    const signed = decodeURIComponent(cookie.split("=").slice(1).join("=").split(";")[0] ?? "");
    for (const { method, url, access } of declared) {
      if (url.startsWith("/oauth/") || url === "/api/v1/apps") continue;
      for (const bearer of ["nothing", signed, "x".repeat(5000)]) {
        const answer = await send(method, url, `Bearer ${bearer}`);
        expect(answer.statusCode, `${method} ${url}`).toBe(401);
        expect(answer.json()).toEqual({ error: "The access token is invalid" });
      }
      if (access.who === "anybody") continue;
      const byCookie = await app.inject({
        method: method as "GET",
        url: filled(url),
        headers: { cookie },
      });
      expect(byCookie.statusCode, `${method} ${url}`).toBe(401);
    }
  });
});

test("a token of an app opens nothing outside the Mastodon API", async () => {
  const headers = { authorization: `Bearer ${tokens.get("read")}` };
  const calls = ["/api/feed", "/api/notifications", "/api/chats"];
  for (const url of calls) {
    const { statusCode } = await app.inject({ url, headers });
    expect(statusCode, url).toBe(401);
  }
});

test.each(["/api/v1/nothing/at/all", "/api/v2/push", "/api/v1/push"])(
  "what is not built is not found: %s",
  async (url) => {
    for (const method of ["GET", "POST", "PUT", "DELETE"] as const) {
      const answer = await app.inject({ method, url });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ error: "Record not found" });
    }
  },
);

test("pages of other origins may call the Mastodon API, and no other, and a preflight says so", async () => {
  const origin = "https://phanpy.example";
  const asked = await app.inject({
    method: "OPTIONS",
    url: "/api/v1/statuses",
    headers: { origin, "access-control-request-method": "POST" },
  });
  expect(asked.statusCode).toBe(204);
  expect(asked.headers["access-control-allow-headers"]).toContain("Authorization");
  const registered = await app.inject({
    method: "POST",
    url: "/api/v1/apps",
    headers: { origin },
    payload: { client_name: "P", redirect_uris: "https://phanpy.example/" },
  });
  expect(registered.statusCode).toBe(200);
  const consent = await app.inject({
    method: "POST",
    url: "/oauth/authorize",
    headers: { origin },
  });
  expect(consent.statusCode).toBe(403);
  const ours = await app.inject({
    method: "POST",
    url: "/api/posts",
    headers: { origin },
    payload: {},
  });
  expect(ours.statusCode).toBe(403);
});
