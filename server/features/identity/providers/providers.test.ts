import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { limitNumbers } from "#server/features/limits/limits.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, client } from "#server/test/identity.ts";
import { codeOf, oidcSettings, publicUrl, testProviders } from "#server/test/providers.ts";
import { query } from "#server/test/query.ts";
import { scriptedProvider } from "#server/test/scripted-provider.ts";
import { attemptSeconds } from "#shared/providers.ts";

const { db } = await freshDatabase();
const [town, other] = [await scriptedProvider(), await scriptedProvider()];
const settings = [oidcSettings("town", town), oidcSettings("other", other)];
const providers = testProviders(db, settings);
const { begin, signIn, finish, viewerAfter, identity, notices } = providers;

const quiet = { ...town.script };
beforeEach(() => {
  Object.assign(town.script, quiet);
});

/** Somebody that the provider vouches for. */
function person(fields: Record<string, unknown> = {}) {
  const sub = randomBytes(8).toString("hex");
  const names = { given_name: "Grace", family_name: "Hopper" };
  return { sub, email: `${sub}@Example.org`, email_verified: true, ...names, ...fields };
}

const verifiedOf = async (id: string) =>
  (
    await query<{ email_verified: boolean }>(
      db,
      "select email_verified from accounts where id = $1",
      [id],
    )
  )[0]?.email_verified;

describe("the first sign-in at a provider", () => {
  test("makes the account that a sign-up makes: names, username, counters, and a session", async () => {
    const who = person({ family_name: "  Hopper-Murray " });
    const answer = await signIn("town", town, who, { returnTo: "/saved?tab=texts" });
    expect(answer).toMatchObject({ outcome: "signed-up" });
    const viewer = await viewerAfter(answer);
    expect(viewer).toMatchObject({ name: "Grace Hopper-Murray", email: who.email, avatar: null });
    expect(viewer?.username).toMatch(/^grace_hopper_murray/);
    const [row] = await query(
      db,
      `select a.email, a.search_name, a.email_verified, c.posts, c.followers, u.account_id
         from accounts a
         join account_counters c on c.account_id = a.id
         join usernames u on u.username = a.username
        where a.id = $1`,
      [viewer?.id],
    );
    expect(row).toEqual({
      email: who.email.toLowerCase(),
      search_name: `gracehopper-murray ${viewer?.username}`,
      email_verified: true,
      posts: 0,
      followers: 0,
      account_id: viewer?.id,
    });
    expect(await providers.stateOf(answer.attempt, answer.browser.cookieHeader)).toEqual({
      state: "done",
      outcome: "signed-up",
      to: "/saved?tab=texts",
    });
  });

  test("follows the account somebody came for; nobody else, and nobody who does not exist", async () => {
    const followed = async (id: string | undefined) =>
      (
        await query<{ id: string }>(
          db,
          "select followee_id as id from follows where follower_id = $1",
          [id],
        )
      ).map((row) => row.id);
    const star = await viewerAfter(await signIn("town", town, person()));
    const who = person();
    const fan = await viewerAfter(await signIn("town", town, who, { follow: star?.id ?? "" }));
    expect(await followed(fan?.id)).toEqual([star?.id]);

    // an existing account signs in unchanged
    const member = person();
    const before = await viewerAfter(await signIn("town", town, member));
    await signIn("town", town, member, { follow: star?.id ?? "" });
    expect(await followed(before?.id)).toEqual([]);

    await query(db, "update accounts set suspended_at = now() where id = $1", [fan?.id]);
    for (const follow of [fan?.id ?? "", "01900000-0000-7000-8000-000000000000", "no id"]) {
      const answer = await signIn("town", town, person(), { follow });
      expect(answer).toMatchObject({ outcome: "signed-up" });
      expect(await followed((await viewerAfter(answer))?.id)).toEqual([]);
    }
  });

  test("takes invalid or far too long names, as far as an account can have them", async () => {
    const nameless = person({ given_name: " ", family_name: 7, name: undefined });
    expect(await viewerAfter(await signIn("town", town, nameless))).toMatchObject({
      name: expect.stringMatching(/^user_/),
    });
    const long = person({ given_name: "👩‍👩‍👧‍👦".repeat(80), family_name: "\u0000x\u202e" });
    const viewer = await viewerAfter(await signIn("town", town, long));
    expect(viewer?.firstName).toBe("👩‍👩‍👧‍👦".repeat(50));
    const whole = person({
      given_name: undefined,
      family_name: undefined,
      name: "Ada King Lovelace",
    });
    expect(await viewerAfter(await signIn("town", town, whole))).toMatchObject({
      firstName: "Ada",
      secondName: "King Lovelace",
    });
  });

  test("at once in two browsers makes one account", async () => {
    const who = person();
    const answers = await Promise.all([signIn("town", town, who), signIn("town", town, who)]);
    const viewers = await Promise.all(answers.map(viewerAfter));
    expect(viewers[0]?.id).toEqual(expect.any(String));
    expect(viewers[0]?.id).toBe(viewers[1]?.id);
  });

  test("is counted like a sign-up of its network", async () => {
    const tight = { ...limitNumbers, "sign-ups": { points: 1, seconds: 3600 } };
    const strict = testProviders(db, settings, { limitNumbers: tight });
    const browser = client({ ip: "198.51.100.7" });
    const first = person();
    expect(await codeOf(strict.signIn("town", town, first, { browser }))).toBeNull();
    expect(await codeOf(strict.signIn("town", town, person(), { browser }))).toBe(
      "too-many-attempts",
    );
    // an existing account still signs in
    expect(await codeOf(strict.signIn("town", town, first, { browser }))).toBeNull();
  });
});

describe("a later sign-in", () => {
  test("finds the account by issuer and subject, whatever else changed", async () => {
    const who = person();
    const first = await viewerAfter(await signIn("town", town, who));
    const moved = { ...who, email: `moved-${who.email}`, given_name: "Other" };
    const answer = await signIn("town", town, moved);
    expect(answer).toMatchObject({ outcome: "signed-in" });
    expect(await viewerAfter(answer)).toMatchObject({ id: first?.id, email: who.email });
  });

  test("of the same subject at another issuer is somebody else", async () => {
    const who = person();
    const first = await viewerAfter(await signIn("town", town, who));
    const twin = await viewerAfter(await signIn("other", other, person({ sub: who.sub })));
    expect(twin?.id).not.toBe(first?.id);
  });

  test("asks for the second factor where the account has one", async () => {
    const who = person();
    const viewer = await viewerAfter(await signIn("town", town, who));
    await query(
      db,
      "insert into two_factors (account_id, secret, confirmed_at) values ($1, 'x', now())",
      [viewer?.id],
    );
    const answer = await signIn("town", town, who, { returnTo: "/saved" });
    expect(answer).toMatchObject({ outcome: "second-factor", cookies: [expect.any(String)] });
    expect(await viewerAfter(answer)).toBeNull();
    expect(await providers.stateOf(answer.attempt, answer.browser.cookieHeader)).toMatchObject({
      outcome: "second-factor",
      to: "/saved",
    });
  });

  test("offers to keep an account that is to be deleted", async () => {
    const who = person();
    const viewer = await viewerAfter(await signIn("town", town, who));
    await query(
      db,
      "update accounts set deleted_at = now(), deletion_due_at = now() + interval '7 days' where id = $1",
      [viewer?.id],
    );
    const answer = await signIn("town", town, who);
    expect(answer).toMatchObject({ outcome: "leaving" });
    expect(await viewerAfter(answer)).toBeNull();
    const cookie = "cookies" in answer ? asCookieHeader(answer.cookies) : "";
    expect(await identity.recovery.leavingOf({ cookie })).toMatchObject({ accountId: viewer?.id });
  });

  test("signs nobody in to a suspended account, and says so only to its owner", async () => {
    const who = person();
    const viewer = await viewerAfter(await signIn("town", town, who));
    await query(db, "update accounts set suspended_at = now() where id = $1", [viewer?.id]);
    const answer = await signIn("town", town, who);
    expect(answer).toMatchObject({ outcome: "leaving" });
    expect(await viewerAfter(answer)).toBeNull();
    const cookie = "cookies" in answer ? asCookieHeader(answer.cookies) : "";
    expect(await identity.suspension.suspendedOf({ cookie })).toMatchObject({
      accountId: viewer?.id,
    });
  });
});

describe("an email that an account has already", () => {
  test("from another issuer leads to that account when both sides verified it", async () => {
    const who = person();
    const first = await viewerAfter(await signIn("town", town, who));
    const answer = await signIn("other", other, person({ email: who.email.toUpperCase() }));
    expect(answer).toMatchObject({ outcome: "signed-in" });
    expect((await viewerAfter(answer))?.id).toBe(first?.id);
    // and its owner, who did not ask for it, is notified
    expect(notices.at(-1)).toEqual({
      accountId: first?.id,
      notice: { what: "provider-connected", label: "other" },
    });
  });

  test.each([
    ["the provider does not vouch for", true, false],
    ["the account never verified", false, true],
    ["nobody verified", false, false],
  ])("that %s is refused, and nothing is linked", async (_name, ownVerified, vouched) => {
    const { viewer } = await identity.join();
    await query(db, "update accounts set email_verified = $2 where id = $1", [
      viewer.id,
      ownVerified,
    ]);
    const who = person({ email: viewer.email, email_verified: vouched });
    const answer = await signIn("town", town, who);
    expect(await codeOf(answer)).toBe(vouched ? "account-unconfirmed" : "account-exists");
    expect(await viewerAfter(answer)).toBeNull();
    const rows = await query(db, "select id from credentials where account_id = $1", [viewer.id]);
    expect(rows).toHaveLength(1);
  });

  test.each([["true"], [1], [undefined]])(
    "is not vouched for by email_verified: %j",
    async (claim) => {
      const { viewer } = await identity.join();
      await query(db, "update accounts set email_verified = true where id = $1", [viewer.id]);
      const who = person({ email: viewer.email, email_verified: claim });
      expect(await codeOf(signIn("town", town, who))).toBe("account-exists");
    },
  );
});

test("an email that its account may still take back makes no other account", async () => {
  const { viewer } = await identity.join();
  const { email } = viewer;
  await query(
    db,
    `insert into email_changes
      (account_id, id, old_email, new_email, old_verified, confirmed_at)
     values ($1, gen_random_uuid(), $2, 'other@example.org', true, now())`,
    [viewer.id, email],
  );
  await query(
    db,
    "update accounts set email = 'o' || email, email_as_typed = 'o' || email where id = $1",
    [viewer.id],
  );
  const who = person({ email });
  expect(await codeOf(await signIn("town", town, who))).toBe("account-exists");
  await query(db, "delete from email_changes where account_id = $1", [viewer.id]);
  expect(await signIn("town", town, who)).toMatchObject({ outcome: "signed-up" });
});

describe("an email that nobody verified", () => {
  test("makes an account whose email stays unverified, so that it reserves nothing", async () => {
    const who = person({ email_verified: false });
    const viewer = await viewerAfter(await signIn("town", town, who));
    expect(await verifiedOf(viewer?.id ?? "")).toBe(false);
    expect(providers.welcomed, "an email asks to confirm it").toContain(viewer?.id);
    const vouched = await viewerAfter(await signIn("town", town, person()));
    expect(providers.welcomed).not.toContain(vouched?.id);
    expect(await codeOf(signIn("other", other, person({ email: who.email })))).toBe(
      "account-unconfirmed",
    );
  });

  test.each([[undefined], [""], ["nobody"], ["a@b"], ["x\u0000@example.org"], [["a@example.org"]]])(
    "is needed: %j makes no account",
    async (email) => {
      expect(await codeOf(signIn("town", town, person({ email })))).toBe("email-missing");
    },
  );
});

describe("what the provider says is checked", () => {
  test.each([
    ["another issuer", { iss: "https://elsewhere.example" }],
    ["another audience", { aud: "somebody-else" }],
    ["many audiences without naming us", { aud: ["a", "b"] }],
    ["another nonce", { nonce: "of another sign-in" }],
    ["no nonce", { nonce: undefined }],
    ["no subject", { sub: undefined }],
    ["an end in the past", { exp: 1_700_000_000 }],
  ])("an ID token with %s signs nobody in", async (_name, idToken) => {
    Object.assign(town.script, { idToken });
    const who = person();
    expect(await codeOf(signIn("town", town, who))).toBe("internal-error");
    const rows = await query(db, "select id from accounts where email = $1", [
      who.email.toLowerCase(),
    ]);
    expect(rows).toEqual([]);
  });

  test("an ID token that somebody else signed signs nobody in", async () => {
    town.script.foreignKey = true;
    expect(await codeOf(signIn("town", town, person()))).toBe("internal-error");
  });

  test.each([
    ["another issuer", "https://elsewhere.example"],
    ["no issuer, though it promised one", null],
  ])("a return with %s (RFC 9207) is refused before the code is sent", async (_name, iss) => {
    const { url, browser } = await begin("town");
    const back = town.approve(url, person());
    if (iss === null) back.delete("iss");
    else back.set("iss", iss);
    const before = town.asked.filter((path) => path === "/token").length;
    const finished = await finish({
      provider: "town",
      query: back.toString(),
      viewer: null,
      client: browser,
    });
    expect(await codeOf(finished.result)).toBe("internal-error");
    expect(town.asked.filter((path) => path === "/token")).toHaveLength(before);
  });

  test("its token endpoint's own codes are translated into ours, and the log has the original", async () => {
    const answers = [
      [{ status: 401, body: { error: "invalid_client" } }, "invalid-api-key"],
      [{ status: 400, body: { error: "invalid_grant" } }, "sign-in-expired"],
      [{ status: 400, body: { error: "redirect_uri_mismatch" } }, "unauthorized-domain"],
      [{ status: 503, body: {} }, "network-request-failed"],
      [{ body: { token_type: "Bearer", access_token: "x" } }, "internal-error"],
      [{ body: "x".repeat(600_000) }, "network-request-failed"],
      [
        { status: 302, body: {}, headers: { Location: "http://elsewhere.example" } },
        "internal-error",
      ],
    ] as const;
    for (const [token, code] of answers) {
      Object.assign(town.script, { token });
      expect(await codeOf(signIn("town", town, person()))).toBe(code);
    }
    const said = providers.logged.filter((line) =>
      line.includes("a sign-in with a provider failed"),
    );
    expect(said.join("")).toContain("it answered redirect_uri_mismatch");
  });

  test.each([
    ["access_denied", "provider-declined"],
    ["temporarily_unavailable", "network-request-failed"],
    ["unauthorized_client", "invalid-api-key"],
    ["invalid_scope", "auth-domain-config-required"],
    ["something new", "internal-error"],
  ])("a return with the error %s says %s", async (error, code) => {
    const { url, browser, attempt } = await begin("town");
    const state = new URL(url).searchParams.get("state") ?? "";
    const query = new URLSearchParams({ error, state, iss: town.issuer }).toString();
    const finished = await finish({ provider: "town", query, viewer: null, client: browser });
    expect(await codeOf(finished.result)).toBe(code);
    expect(await providers.stateOf(attempt, browser.cookieHeader)).toEqual({
      state: "failed",
      code,
    });
  });
});

describe("a return", () => {
  test("counts once: the same one again signs nobody in", async () => {
    const answer = await signIn("town", town, person());
    const again = { provider: "town", query: answer.query, viewer: null, client: answer.browser };
    expect(await codeOf(finish(again).then(({ result }) => result))).toBe("sign-in-expired");
  });

  test("with a code that was used before is refused by the provider", async () => {
    const first = await signIn("town", town, person());
    const { url, browser } = await begin("town");
    const state = new URL(url).searchParams.get("state") ?? "";
    const code = new URLSearchParams(first.query).get("code") ?? "";
    const query = new URLSearchParams({ code, state, iss: town.issuer }).toString();
    const { result } = await finish({ provider: "town", query, viewer: null, client: browser });
    expect(await codeOf(result)).toBe("sign-in-expired");
  });

  test("with an unknown state, none, or somebody else's signs nobody in", async () => {
    const { url, browser } = await begin("town");
    const back = town.approve(url, person());
    const stranger = await begin("town");
    const ask = (query: string, who = browser, provider = "town") =>
      codeOf(finish({ provider, query, viewer: null, client: who }).then(({ result }) => result));
    const wrong = new URLSearchParams(back);
    wrong.set("state", "x".repeat(43));
    expect(await ask(wrong.toString())).toBe("sign-in-expired");
    wrong.delete("state");
    expect(await ask(wrong.toString())).toBe("sign-in-expired");
    expect(await ask(back.toString(), stranger.browser)).toBe("sign-in-expired");
    expect(await ask(back.toString(), browser, "other")).toBe("sign-in-expired");
    expect(await ask(back.toString())).toBeNull();
  });

  test("in a browser without cookies is told so", async () => {
    const { url } = await begin("town");
    const query = town.approve(url, person()).toString();
    const { result, attempt } = await finish({
      provider: "town",
      query,
      viewer: null,
      client: client(),
    });
    expect(await codeOf(result)).toBe("web-storage-unsupported");
    expect(attempt?.inPopup).toBe(true);
  });

  test("after ten minutes is too late", async () => {
    expect(attemptSeconds).toBe(600);
    const { url, browser, attempt } = await begin("town");
    await query(
      db,
      "update provider_attempts set expires_at = expires_at - interval '600 s' where id = $1",
      [attempt],
    );
    expect(await providers.stateOf(attempt, browser.cookieHeader)).toEqual({
      state: "failed",
      code: "sign-in-expired",
    });
    const back = town.approve(url, person()).toString();
    const { result } = await finish({
      provider: "town",
      query: back,
      viewer: null,
      client: browser,
    });
    expect(await codeOf(result)).toBe("sign-in-expired");
    await providers.sweep();
    expect(await query(db, "select id from provider_attempts where id = $1", [attempt])).toEqual(
      [],
    );
  });
});

describe("a second sign-in of the same browser", () => {
  test("cancels the first, which then signs nobody in", async () => {
    const first = await begin("town");
    const second = await begin("other", { browser: first.browser });
    const header = second.browser.cookieHeader.split("; ").at(-1) ?? "";
    const browser = client({ cookieHeader: header });
    expect(await providers.stateOf(first.attempt, header)).toEqual({
      state: "failed",
      code: "cancelled-popup-request",
    });
    const late = await finish({
      provider: "town",
      query: town.approve(first.url, person()).toString(),
      viewer: null,
      client: browser,
    });
    expect(await codeOf(late.result)).toBe("cancelled-popup-request");
    expect(late.attempt).toMatchObject({ id: first.attempt, inPopup: true });
    const good = await finish({
      provider: "other",
      query: other.approve(second.url, person()).toString(),
      viewer: null,
      client: browser,
    });
    expect(good.result).toMatchObject({ outcome: "signed-up" });
  });

  test("cancels the first even while its provider is asked", async () => {
    const first = await begin("town");
    const who = person();
    const back = town.approve(first.url, who).toString();
    town.script.meanwhile = () =>
      query(db, "update provider_attempts set outcome = 'cancelled-popup-request' where id = $1", [
        first.attempt,
      ]);
    const { result } = await finish({
      provider: "town",
      query: back,
      viewer: null,
      client: first.browser,
    });
    expect(await codeOf(result)).toBe("cancelled-popup-request");
    expect(await viewerAfter(result)).toBeNull();
  });
});

describe("a sign-in begins", () => {
  test("with PKCE, state, nonce and exactly our redirect URI", async () => {
    const { url, cookies } = await begin("town");
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe(`${town.issuer}/auth`);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: "postcard",
      response_type: "code",
      redirect_uri: `${publicUrl}/signIn/from/town`,
      scope: "openid email profile",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(cookies).toEqual([
      expect.stringMatching(
        /^postcard\.attempt=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const rows = await query<Record<string, unknown>>(db, "select * from provider_attempts");
    expect(JSON.stringify(rows)).not.toContain(searchParams.get("state"));
  });

  test("nowhere but at our own address, with a provider that is configured", async () => {
    expect(await codeOf(begin("town", { origin: "http://127.0.0.1:3000" }))).toBe(
      "unauthorized-domain",
    );
    expect(await codeOf(begin("nobody"))).toBe("auth-domain-config-required");
  });

  test("only so many times in a quarter of an hour", async () => {
    const tight = { ...limitNumbers, "provider-attempts": { points: 2, seconds: 900 } };
    const strict = testProviders(db, settings, { limitNumbers: tight });
    const browser = client({ ip: "198.51.100.8" });
    expect(await codeOf(strict.begin("town", { browser }))).toBeNull();
    expect(await codeOf(strict.begin("town", { browser }))).toBeNull();
    expect(await codeOf(strict.begin("town", { browser }))).toBe("too-many-attempts");
  });
});

describe("a provider", () => {
  test("that is down when we start works when it is back, without a new start", async () => {
    const late = await scriptedProvider();
    late.script.down = true;
    const lazy = testProviders(db, [oidcSettings("late", late)]);
    expect(late.asked).toEqual([]);
    expect(await codeOf(lazy.begin("late"))).toBe("network-request-failed");
    late.script.down = false;
    expect(await lazy.signIn("late", late, person())).toMatchObject({ outcome: "signed-up" });
    await lazy.signIn("late", late, person());
    // asked once while it was down, once when it was back
    expect(late.asked.filter((path) => path.startsWith("/.well-known"))).toHaveLength(2);
  });

  test("that nothing listens for is unreachable", async () => {
    const gone = testProviders(db, [oidcSettings("gone", { issuer: "http://127.0.0.1:9" })]);
    expect(await codeOf(gone.begin("gone"))).toBe("network-request-failed");
  });

  test.each([
    ["calls itself by another name", { issuer: "https://elsewhere.example" }],
    ["names no page to sign in at", { authorization_endpoint: undefined }],
  ])("that %s is not set up", async (_name, metadata) => {
    const wrong = await scriptedProvider();
    Object.assign(wrong.script, { metadata });
    const strict = testProviders(db, [oidcSettings("wrong", wrong)]);
    expect(await codeOf(strict.begin("wrong"))).toBe("auth-domain-config-required");
  });

  test("is named in the log with the redirect URI to register, its secret nowhere", () => {
    const said = providers.logged.join("");
    expect(said).toContain(`${publicUrl}/signIn/from/town`);
    expect(said).not.toMatch(/a secret & more|@example\.org/i);
  });

  test("secures its cookies where Postcard is secure", async () => {
    const https = "https://photos.example.org";
    const secure = testProviders(db, settings, { publicUrl: https });
    const { cookies, url } = await secure.begin("town", { origin: https });
    expect(cookies[0]).toMatch(/^__Host-postcard\.attempt=.*; Secure$/);
    expect(new URL(url).searchParams.get("redirect_uri")).toBe(`${https}/signIn/from/town`);
  });
});
