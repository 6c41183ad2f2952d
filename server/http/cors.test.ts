import { describe, expect, test } from "vitest";
import { readConfig } from "#server/config.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";

const { db } = await freshDatabase();
const friend = "https://client.example.org";
const stranger = "https://evil.example";
const closed = await testApp(db);
const open = await testApp(db, { corsOrigins: [friend] });

const preflight = (on: typeof open, origin: string, url = "/api/session") =>
  on.app.inject({
    method: "OPTIONS",
    url,
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    },
  });

/** Signs in with a wrong password: 401 means that the request was let in, 403 that it was not. */
const signIn = (on: typeof open, headers: Record<string, string>) =>
  on.app.inject({
    method: "POST",
    url: "/api/session",
    headers,
    payload: { email: "nobody@example.org", password: "a wrong password" },
  });

const permissions = (headers: Record<string, unknown>) =>
  Object.keys(headers).filter((name) => name.startsWith("access-control-"));

describe("pages of other origins", () => {
  test("get no permission at all unless an operator allows them", async () => {
    for (const on of [closed, open]) {
      const asked = await preflight(on, stranger);
      expect(permissions(asked.headers)).toEqual([]);
      const read = await on.app.inject({ url: "/api/session", headers: { origin: stranger } });
      expect(permissions(read.headers)).toEqual([]);
      expect((await signIn(on, { origin: stranger })).statusCode).toBe(403);
    }
    expect((await signIn(closed, { origin: friend })).statusCode).toBe(403);
  });

  test("that are allowed may call and bring their cookies, named exactly", async () => {
    const asked = await preflight(open, friend);
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      "access-control-allow-origin": friend,
      "access-control-allow-credentials": "true",
      "access-control-allow-headers": expect.stringContaining("Authorization"),
      "access-control-allow-methods": expect.stringContaining("PATCH"),
    });
    const answer = await signIn(open, { origin: friend });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers["access-control-allow-origin"]).toBe(friend);
    expect(String(answer.headers["vary"])).toContain("Origin");
    expect(JSON.stringify([asked.headers, answer.headers])).not.toContain('"*"');
  });

  test("that are allowed still may not send our forms or read our pages", async () => {
    const form = await open.app.inject({
      method: "POST",
      url: "/signIn",
      headers: { origin: friend, "content-type": "application/x-www-form-urlencoded" },
      payload: "email=a",
    });
    expect(form.statusCode).toBe(403);
    const page = await open.app.inject({ url: "/", headers: { origin: friend } });
    expect(permissions(page.headers)).toEqual([]);
    const asked = await preflight(open, friend, "/upload");
    expect(permissions(asked.headers)).toEqual([]);
  });

  test("may show images where they may call", async () => {
    const path = "/images/0123456789abcdef0123456789abcdef/160.webp";
    const { member } = open.features;
    const { avatar } = await member();
    const url = `/images/${avatar?.key}/${avatar?.widths[0]}.webp`;
    expect((await open.app.inject({ url: path })).statusCode).toBe(404);
    const shown = await open.app.inject({ url });
    expect(shown.headers["cross-origin-resource-policy"]).toBe("cross-origin");
  });
});

describe("a bearer token", () => {
  test("is let in from anywhere, and then the cookie beside it is ignored", async () => {
    const { app, features, cookieOf } = closed;
    const ada = await features.member();
    const cookie = await cookieOf(ada);
    const like = (headers: Record<string, string>) =>
      app.inject({
        method: "POST",
        url: "/api/posts",
        headers: { origin: stranger, ...headers },
        payload: { caption: "From elsewhere" },
      });
    expect((await like({ cookie })).statusCode).toBe(403);
    expect((await like({ cookie, authorization: "Bearer made.up" })).statusCode).toBe(401);
    const signedIn = await app.inject({
      method: "POST",
      url: "/api/session",
      payload: { email: ada.email, password: "correct horse battery 9" },
    });
    const { token } = signedIn.json<{ token: string }>();
    expect((await like({ authorization: `Bearer ${token}` })).statusCode).toBe(201);
  });
});

describe("CORS_ORIGINS", () => {
  test("is empty, or a list of exact origins", () => {
    expect(readConfig({}).corsOrigins).toEqual([]);
    const list = " https://client.example.org , http://localhost:5173 ";
    expect(readConfig({ CORS_ORIGINS: list }).corsOrigins).toEqual([
      friend,
      "http://localhost:5173",
    ]);
  });

  test.each([
    "*",
    "https://*.example.org",
    "client.example.org",
    "https://example.org/path",
    "null",
  ])("cannot be %s", (value) => {
    expect(() => readConfig({ CORS_ORIGINS: value })).toThrow(/^CORS_ORIGINS is /);
  });
});
