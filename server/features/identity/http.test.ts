import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "#server/app.ts";
import { readConfig } from "#server/config.ts";
import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { noHints } from "#server/platform/db/hints.ts";
import type { Features } from "#server/features/index.ts";
import type { Screens } from "#server/screens.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, testIdentity } from "#server/test/identity.ts";

let app: Awaited<ReturnType<typeof createApp>>;
let db: Database;
let joined: Awaited<ReturnType<ReturnType<typeof testIdentity>["join"]>>;
let cookie: string;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const log = pino({ level: "silent" });
  const config = readConfig({ NODE_ENV: "test", RATE_LIMITS: "off" });
  const identity = testIdentity(db);
  joined = await identity.join();
  cookie = asCookieHeader(joined.cookies);

  // Only what these requests reach: authentication, what closing waits for, and the screens behind
  // everything else.
  const resumableUploads = { settled: async () => undefined };
  const live = { apps: { setHandler: () => undefined } };
  const push = { publicKey: "" };
  const appPush = { setWriter: () => undefined };
  app = await createApp({
    config,
    db,
    log,
    features: { identity, resumableUploads, site, live, push, appPush } as unknown as Features,
    store: {} as never,
    pictures: {} as never,
    hints: noHints,
    screens,
  });
});

const site = async () => ({ name: "Postcard", line: "", signUp: "open" });

/** Whatever reaches the screens is answered 200: a 404 comes from the server itself. */
const screens: Screens = {
  clientDirectory: null,
  languageAssets: [],
  languages: [{ tag: "en", name: "English", draft: false }],
  attach: async () => undefined,
  respond: async () => new Response("a page"),
  names: new Set(),
  close: async () => undefined,
};

/**
 * Where the framework of previous versions answered by rules of its own. Anything mounted there
 * again would bypass our limits; all of it was below one prefix, so these four stand for the rest.
 */
const elsewhere = [
  "POST /sign-in/email",
  "GET /get-session",
  "POST /reset-password",
  "GET /callback/x",
];

describe("addresses of frameworks for identity", () => {
  test("answer 404 over HTTP, for members and visitors", async () => {
    expect((await app.inject({ url: "/some/page" })).statusCode).toBe(200);
    const origin = { origin: "http://localhost:3000" };
    for (const [method, path = ""] of elsewhere.map((line) => line.split(" "))) {
      for (const prefix of ["/api/auth", "/api//auth"]) {
        const url = prefix + path;
        for (const headers of [origin, { ...origin, cookie }]) {
          const answer = await app.inject(
            method === "GET"
              ? { url, headers }
              : { method: "POST", url, headers, payload: { email: "a@example.org" } },
          );
          expect([answer.statusCode, answer.headers["set-cookie"]], `${method} ${url}`).toEqual([
            404,
            undefined,
          ]);
        }
      }
    }
  });
});

describe("a page for a member whose session is a day old", () => {
  test("sends the cookie again, once", async () => {
    await db.query(sql`
      update sessions
      set expires_at = now() + interval '20 days'
      where id = ${joined.viewer.sessionId}
    `);
    const [session = ""] = [await cookiesOfPage()].flat();
    expect(session).toContain("Max-Age=2592000");
    expect(asCookieHeader(joined.cookies)).toContain(asCookieHeader([session]));
    await expect.poll(cookiesOfPage, { timeout: 5_000 }).toBeUndefined();
  });
});

async function cookiesOfPage() {
  const { headers } = await app.inject({ url: "/some/page", headers: { cookie } });
  return headers["set-cookie"];
}
