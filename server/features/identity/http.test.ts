import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "#server/app.ts";
import { readConfig } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { noHints } from "#server/db/hints.ts";
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

  // Only what these requests reach: who asks, what closing waits for, and the screens behind
  // everything else.
  const resumableUploads = { settled: async () => undefined };
  app = await createApp({
    config,
    db,
    log,
    features: { identity, resumableUploads, place } as unknown as Features,
    store: {} as never,
    pictures: {} as never,
    hints: noHints,
    screens,
  });
});

const place = async () => ({ name: "Postcard", line: "", signUp: "open" });

/** Whatever reaches the screens is answered 200: a 404 comes from the server itself. */
const screens: Screens = {
  clientDirectory: null,
  attach: async () => undefined,
  respond: async () => new Response("a page"),
  names: new Set(),
  close: async () => undefined,
};

/** Where frameworks for identity, the one of versions before too, answer with rules of their own. */
const elsewhere = [
  "POST /sign-in/social",
  "GET /callback/:id",
  "POST /callback/:id",
  "GET /get-session",
  "POST /get-session",
  "POST /sign-out",
  "POST /sign-up/email",
  "POST /sign-in/email",
  "POST /reset-password",
  "POST /verify-password",
  "GET /verify-email",
  "POST /send-verification-email",
  "POST /change-email",
  "POST /change-password",
  "POST /update-session",
  "POST /update-user",
  "POST /delete-user",
  "POST /request-password-reset",
  "GET /reset-password/:token",
  "GET /list-sessions",
  "POST /revoke-session",
  "POST /revoke-sessions",
  "POST /revoke-other-sessions",
  "POST /link-social",
  "GET /list-accounts",
  "GET /delete-user/callback",
  "POST /unlink-account",
  "POST /refresh-token",
  "POST /get-access-token",
  "GET /account-info",
  "GET /passkey/generate-register-options",
  "GET /passkey/generate-authenticate-options",
  "POST /passkey/verify-registration",
  "POST /passkey/verify-authentication",
  "GET /passkey/list-user-passkeys",
  "POST /passkey/delete-passkey",
  "POST /passkey/update-passkey",
  "GET /ok",
  "GET /error",
];

describe("addresses of frameworks for identity", () => {
  test("answer 404 over HTTP, all of them, for members and visitors", async () => {
    expect((await app.inject({ url: "/some/page" })).statusCode).toBe(200);
    const origin = { origin: "http://localhost:3000" };
    for (const [method, path = ""] of elsewhere.map((line) => line.split(" "))) {
      for (const prefix of ["/api/auth", "/api//auth"]) {
        const url = prefix + path.replaceAll(/:\w+/g, "x");
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
  test("brings the cookie again, once", async () => {
    await db.kysely
      .updateTable("sessions")
      .set({ expires_at: new Date(Date.now() + 20 * 24 * 60 * 60 * 1000) })
      .where("id", "=", joined.viewer.sessionId)
      .execute();
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
