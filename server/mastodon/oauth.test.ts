import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp, redirectUri } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { rightsIn } from "#shared/app-scopes.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features, cookieOf } = await testApp(db, {}, { rateLimits: true });
const { apps } = features;
let ada: Viewer;

beforeAll(async () => {
  ada = await features.member("Ada Lovelace");
});

const client = {
  name: "Paper Plane",
  website: "",
  redirectUris: [redirectUri],
  scopes: "read write",
};
let networks = 0;
const registered = (over: Partial<typeof client> = {}) =>
  apps.register({ ...client, ...over }, `network ${(networks += 1)}`);
const askedBy = (clientId: string, over = {}) => ({
  clientId,
  redirectUri,
  scope: "read",
  responseType: "code",
  challenge: "",
  challengeMethod: "",
  ...over,
});
const post = (url: string, payload: object | string, headers = {}) =>
  app.inject({ method: "POST", url, payload, headers });
const whoAmI = (token: string) =>
  app.inject({
    url: "/api/v1/accounts/verify_credentials",
    headers: { authorization: `Bearer ${token}` },
  });

describe("an app", () => {
  test.each([
    [
      "JSON",
      { client_name: "A", redirect_uris: ["https://a.example/", "a.app:/token"], scopes: "read" },
      {},
    ],
    [
      "a form",
      "client_name=A&redirect_uris=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob&scopes=read+write",
      { "content-type": "application/x-www-form-urlencoded" },
    ],
  ])("is registered by %s, and gets its secret once", async (_name, payload, headers) => {
    const answer = await post("/api/v1/apps", payload, headers);
    expect(answer.statusCode, answer.body).toBe(200);
    const { client_id, client_secret } = answer.json<Record<string, string>>();
    expect(client_id).toMatch(/^[\w-]{43}$/);
    const rows = await db.query(sql`select * from apps`);
    expect(JSON.stringify(rows)).not.toContain(client_secret);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,hello",
    "http://evil.example/",
    "https://user:secret@evil.example/",
    "https://a.example/#code",
    "/relative",
    "https://*.evil.example/",
    "https://аpp.example/",
    "app:/\u202etoken",
    "https:evil.example",
    "HTTPS:evil.example",
    "https:/evil.example",
    "https:///evil.example",
    "https:\\\\evil.example",
    "https://bank.example\\@evil.example",
    "https://@evil.example",
    "https://bank.example@evil.example",
    "http:localhost/",
    "http:///localhost/",
    "app://bank.example@evil.example",
    "https://evil.example/\u0001",
    "https://\u00a0evil.example",
    "intent://scan/#Intent;end",
    "vbscript:msgbox",
    `https://a.example/${"x".repeat(600)}`,
    "",
  ])("may not redirect people to %s", async (address) => {
    const answer = await post("/api/v1/apps", { client_name: "A", redirect_uris: address });
    expect(answer.statusCode).toBe(400);
  });

  test("asks for rights that exist", async () => {
    await expect(registered({ scopes: "read admin:write" })).rejects.toMatchObject({
      code: "app-scope",
    });
  });

  test("is registered a limited number of times by one network", async () => {
    const tries = [];
    for (let i = 0; i < 21; i += 1)
      tries.push(apps.register(client, "one network").catch((e) => e));
    const answers = await Promise.all(tries);
    expect(
      answers.filter((one) => (one as { code?: string }).code === "too-many-attempts"),
    ).toHaveLength(1);
  });
});

describe("a code", () => {
  const verifier = "v".repeat(43);
  const challenge = createHash("sha256").update(verifier).digest("base64url");

  test("gets one token, once", async () => {
    const made = await registered();
    const code = await apps.allow(
      ada,
      askedBy(made.clientId, { challenge, challengeMethod: "S256" }),
    );
    const body = {
      grant_type: "authorization_code",
      client_id: made.clientId,
      client_secret: made.clientSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    const answer = await post("/oauth/token", body);
    expect(answer.json()).toMatchObject({ token_type: "Bearer", scope: "read" });
    const token = String(answer.json<Record<string, string>>()["access_token"]);
    expect((await whoAmI(token)).json()).toMatchObject({ username: ada.username });
    const rows = await db.query(sql`select * from app_tokens`);
    expect(JSON.stringify(rows)).not.toContain(token);
    const others = await connectedApp(features, ada);
    const again = await post("/oauth/token", body);
    expect([again.statusCode, again.json<{ error: string }>().error]).toEqual([
      400,
      "invalid_grant",
    ]);
    // Two have the code: the token it was exchanged for is ended, and none of the member's other tokens.
    expect((await whoAmI(token)).statusCode).toBe(401);
    expect((await whoAmI(others.token)).statusCode).toBe(200);
  });

  test.each([true, false])(
    "that comes again ends nothing without the app's secret and verifier (PKCE: %s)",
    async (pkce) => {
      const [made, other] = [await registered(), await registered()];
      const asked = askedBy(made.clientId, pkce ? { challenge, challengeMethod: "S256" } : {});
      const right = {
        code: await apps.allow(ada, asked),
        redirectUri,
        verifier: pkce ? verifier : "",
      };
      const { token } = await apps.exchange(made, right);
      const wrong = pkce ? ["", "w".repeat(43)] : ["anything"];
      for (const given of wrong) {
        const again = apps.exchange(made, { ...right, verifier: given });
        await expect(again).rejects.toMatchObject({ code: "app-code" });
      }
      await expect(apps.exchange(other, right)).rejects.toMatchObject({ code: "app-code" });
      const stranger = { ...made, clientSecret: "wrong" };
      await expect(apps.exchange(stranger, right)).rejects.toMatchObject({ code: "app-unknown" });
      expect((await whoAmI(token)).statusCode).toBe(200);
      // Long after it expired, and whatever its redirect address.
      const elsewhere = { ...right, redirectUri: "https://evil.example/" };
      await expect(apps.exchange(made, elsewhere)).rejects.toMatchObject({ code: "app-code" });
      expect((await whoAmI(token)).statusCode).toBe(401);
      await expect(apps.exchange(made, right)).rejects.toMatchObject({ code: "app-code" });
    },
  );

  test("that comes twice at once leaves no token", async () => {
    const made = await registered();
    const right = {
      code: await apps.allow(ada, askedBy(made.clientId)),
      redirectUri,
      verifier: "",
    };
    const tries = Array.from({ length: 4 }, () => apps.exchange(made, right).catch(() => null));
    const given = (await Promise.all(tries)).filter((one) => one !== null);
    expect(given).toHaveLength(1);
    expect((await whoAmI(given[0]?.token ?? "")).statusCode).toBe(401);
  });

  test.each([
    ["another verifier", { verifier: "w".repeat(43) }],
    ["no verifier", { verifier: "" }],
    ["another address", { redirectUri: "https://app.example/other" }],
  ])("is refused with %s, and used up", async (_name, wrong) => {
    const made = await registered();
    const asked = askedBy(made.clientId, { challenge, challengeMethod: "S256" });
    const right = { code: await apps.allow(ada, asked), redirectUri, verifier };
    await expect(apps.exchange(made, { ...right, ...wrong })).rejects.toMatchObject({
      code: "app-code",
    });
    await expect(apps.exchange(made, right)).rejects.toMatchObject({ code: "app-code" });
  });

  test("belongs to one app, and lasts ten minutes", async () => {
    const [made, other] = [await registered(), await registered()];
    const given = { redirectUri, verifier: "" };
    const code = await apps.allow(ada, askedBy(made.clientId));
    await expect(apps.exchange(other, { ...given, code })).rejects.toMatchObject({
      code: "app-code",
    });
    await expect(
      apps.exchange({ ...made, clientSecret: "wrong" }, { ...given, code }),
    ).rejects.toMatchObject({ code: "app-unknown" });
    await db.query(sql`update app_codes set expires_at = to_timestamp(0)`);
    await expect(apps.exchange(made, { ...given, code })).rejects.toMatchObject({
      code: "app-code",
    });
  });

  test.each([
    ["another address", { redirectUri: "https://evil.example/" }, "app-redirect"],
    ["more than it registered", { scope: "read push" }, "app-scope"],
    ["a token at once", { responseType: "token" }, "app-request"],
    ["plain PKCE", { challenge, challengeMethod: "plain" }, "app-request"],
  ])("is not given for %s", async (_name, over, code) => {
    const made = await registered();
    await expect(apps.allow(ada, askedBy(made.clientId, over))).rejects.toMatchObject({ code });
  });
});

describe("a token", () => {
  test("is accepted in its header alone, never in an address or a body", async () => {
    const { token } = await connectedApp(features, ada);
    const url = `/api/v1/accounts/verify_credentials?access_token=${token}&bearer_token=${token}`;
    expect((await app.inject({ url })).statusCode).toBe(401);
    const sent = await post("/api/v1/statuses", { status: "Stolen", access_token: token });
    expect(sent.statusCode).toBe(401);
  });

  test("of the app itself belongs to no member", async () => {
    const { clientId, clientSecret } = await registered();
    const answer = await post("/oauth/token", {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
    });
    const token = String(answer.json<Record<string, string>>()["access_token"]);
    const headers = { authorization: `Bearer ${token}` };
    const app1 = await app.inject({ url: "/api/v1/apps/verify_credentials", headers });
    expect(app1.json()).toMatchObject({ name: "Paper Plane", scopes: ["read", "write"] });
    expect((await whoAmI(token)).statusCode).toBe(401);
  });

  // Phanpy signs out with the word "undefined" for both.
  test.each([{}, { client_id: "undefined", client_secret: "undefined" }])(
    "is ended by its holder without naming an app, and no other token with it: %j",
    async (named) => {
      const [one, two] = [await connectedApp(features, ada), await connectedApp(features, ada)];
      expect((await post("/oauth/revoke", { ...named, token: one.token })).statusCode).toBe(200);
      expect((await whoAmI(one.token)).statusCode).toBe(401);
      expect((await whoAmI(two.token)).statusCode).toBe(200);
      expect((await post("/oauth/revoke", { ...named, token: one.token })).statusCode).toBe(200);
      expect((await post("/oauth/revoke", named)).statusCode).toBe(200);
      const wrong = { client_id: two.clientId, client_secret: "undefined" };
      expect((await post("/oauth/revoke", { ...wrong, token: two.token })).statusCode).toBe(401);
      expect((await whoAmI(two.token)).statusCode).toBe(200);
    },
  );

  test("is ended by its app and by its member, and by no other", async () => {
    const [one, two, other] = [
      await connectedApp(features, ada),
      await connectedApp(features, ada),
      await registered(),
    ];
    await post("/oauth/revoke", {
      client_id: other.clientId,
      client_secret: other.clientSecret,
      token: one.token,
    });
    expect((await whoAmI(one.token)).statusCode).toBe(200);
    await post("/oauth/revoke", {
      client_id: one.clientId,
      client_secret: one.clientSecret,
      token: one.token,
    });
    expect((await whoAmI(one.token)).statusCode).toBe(401);
    const bob = await features.member("Bob");
    const listed = await apps.list(ada);
    const [first] = listed;
    expect(first).toMatchObject({
      name: "Paper Plane",
      rights: rightsIn(["read", "write", "follow", "push"]),
    });
    expect(await apps.end(bob, first?.id ?? "")).toBe(false);
    for (const { id } of listed) expect(await apps.end(ada, id)).toBe(true);
    expect((await whoAmI(two.token)).statusCode).toBe(401);
  });

  test("ends with signing out everywhere, and at once with a suspension or a deletion", async () => {
    const bob = await features.member("Bob");
    const first = await connectedApp(features, bob);
    await features.identity.sessions.endAll(bob.id, { except: bob.sessionId });
    expect((await whoAmI(first.token)).statusCode).toBe(401);
    for (const column of ["suspended_at", "deleted_at"] as const) {
      const { token } = await connectedApp(features, bob);
      const set = (at: Date | null) =>
        db.query(sql`update accounts set ${sql.ref(column)} = ${at} where id = ${bob.id}`);
      await set(new Date());
      expect((await whoAmI(token)).statusCode, column).toBe(401);
      await set(null);
    }
  });

  test("stays when only the password changes, unless the member says otherwise", async () => {
    const cleo = await features.member("Cleo");
    const { token } = await connectedApp(features, cleo);
    await features.identity.sessions.endAll(cleo.id, { except: cleo.sessionId, keepApps: true });
    expect((await whoAmI(token)).statusCode).toBe(200);
  });

  test("is one of at most a hundred; the one unused for longest is removed", async () => {
    const dora = await features.member("Dora");
    const { token, clientId } = await connectedApp(features, dora);
    await db.query(sql`
      update app_tokens set used_at = to_timestamp(0) where account_id = ${dora.id}
    `);
    const hashes = Array.from({ length: 99 }, (_, at) =>
      createHash("sha256").update(`${dora.id}${at}`).digest(),
    );
    await db.query(sql`
      insert into app_tokens (token_hash, id, app_id, account_id, scopes)
      select hash, gen_random_uuid(), apps.id, ${dora.id}, '{read}'
      from apps, unnest(${hashes}::bytea[]) as hash
      where apps.client_id = ${clientId}
    `);
    await connectedApp(features, dora);
    expect(await apps.list(dora)).toHaveLength(100);
    expect((await whoAmI(token)).statusCode).toBe(401);
  });
});

const codes = async () => (await db.query(sql`select from app_codes`)).length;

test("the consent page shows in no frame, is stored in no cache, and accepts its answer from no other page", async () => {
  const made = await registered();
  const cookie = await cookieOf(ada);
  const address = `/oauth/authorize?${new URLSearchParams({
    client_id: made.clientId,
    redirect_uri: redirectUri,
    scope: "read",
    response_type: "code",
  })}`;
  const page = await app.inject({ url: address, headers: { cookie } });
  const policy = String(page.headers["content-security-policy"]);
  expect(policy).toMatch(/frame-ancestors '(none|self)'/);
  const before = await codes();
  for (const origin of ["https://evil.example", "null"]) {
    const answer = await app.inject({
      method: "POST",
      url: address,
      payload: "decision=allow",
      headers: { cookie, origin, "content-type": "application/x-www-form-urlencoded" },
    });
    expect(answer.statusCode, origin).toBe(403);
  }
  expect(await codes()).toBe(before);
});

test("a body too large or too deep is refused, and so are too many parameters", async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(20)}1${"}".repeat(20)}`) as object;
  for (const payload of [
    deep,
    { client_name: "x".repeat(3_000_000) },
    { redirect_uris: Array(600).fill("a:/") },
  ]) {
    const answer = await post("/api/v1/apps", payload);
    expect([400, 413, 422]).toContain(answer.statusCode);
  }
});

test("apps that nobody authorises are forgotten, and others are not", async () => {
  const [used, unused] = [await connectedApp(features, ada), await registered()];
  await db.query(sql`update apps set created_at = to_timestamp(0)`);
  await apps.sweep();
  const left = await db.query<{ client_id: string }>(sql`select client_id from apps`);
  const ids = left.map(({ client_id }) => client_id);
  expect(ids).toContain(used.clientId);
  expect(ids).not.toContain(unused.clientId);
});

test("of what an app may do each is said once, and nothing that a wider right says already", () => {
  expect(rightsIn(["read", "write", "follow"])).toEqual(["seeEverything", "actAsYou"]);
  expect(rightsIn(["profile", "read", "read:accounts", "write:media", "follow"])).toEqual([
    "seeEverything",
    "uploadAsYou",
    "followAsYou",
  ]);
});
