import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test, vi } from "vitest";
import { testApp, type Caller } from "#server/test/app.ts";
import { appCode } from "#server/test/authenticator-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, client, goodPassword as password } from "#server/test/identity.ts";
import { imageForm } from "#server/test/image-form.ts";
import { query } from "#server/test/query.ts";

const { db } = await freshDatabase();
const { app, features, call, cookieOf } = await testApp(db);
const { member } = features;

type SignedIn = { user: { uid: string }; token: string; idToken: string };
type Upload = { data: { id: string; display_url: string } };

const someEmail = () => `${randomBytes(6).toString("hex")}@Example.org`;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const setCookies = (headers: Record<string, unknown>) =>
  [headers["set-cookie"] ?? []].flat() as string[];

async function uploaded(caller: Caller = null): Promise<Upload["data"]> {
  const answer = await call(caller, "POST", "/api/images", { payload: await imageForm() });
  expect(answer.statusCode).toBe(201);
  return answer.json<Upload>().data;
}

async function signUp(fields: object = {}) {
  const image = (await uploaded()).display_url;
  const payload = {
    email: someEmail(),
    password,
    image,
    fName: "Ada",
    sName: "Lovelace",
    ...fields,
  };
  return call(null, "POST", "/api/users", { payload });
}

/** Who the sender of a request with these headers is. */
const whoIs = async (headers: Record<string, string>) =>
  (await app.inject({ url: "/api/session", headers })).json<{ user: unknown; idToken: unknown }>();

describe("signing up as a program", () => {
  test("makes the account, claims the picture and signs in, whatever counters are sent", async () => {
    const email = someEmail();
    const answer = await signUp({
      email,
      fullName: "Somebody Else",
      followers: 1000,
      followerAccounts: ["everybody"],
      posts: [{ caption: "not mine" }],
      idParam: 7,
    });
    expect(answer.statusCode).toBe(201);
    const { user, token } = answer.json<SignedIn>();
    expect(user).toMatchObject({
      displayName: "Ada Lovelace",
      email,
      photoURL: expect.stringMatching(/\/images\/[0-9a-f]{32}\/\d+\.webp$/),
    });
    expect((await whoIs({ authorization: `Bearer ${token}` })).user).toEqual(user);
    expect((await whoIs({ cookie: asCookieHeader(setCookies(answer.headers)) })).user).toEqual(
      user,
    );
    const [counters] = await query(db, "select * from account_counters where account_id = $1", [
      user.uid,
    ]);
    expect(counters).toMatchObject({ posts: 0, followers: 0, last_post_number: 0 });
    expect(
      await query(db, "select 1 from images where account_id = $1 and claimed_at is not null", [
        user.uid,
      ]),
    ).toHaveLength(1);
    expect(await query(db, "select 1 from visitor_images")).toHaveLength(0);
  });

  test("takes a username where one is sent, and says when it is taken", async () => {
    const username = `chosen_${randomBytes(4).toString("hex")}`;
    const answer = await signUp({ username });
    expect(answer.statusCode).toBe(201);
    const { uid } = answer.json<SignedIn>().user;
    expect(await features.accounts.findById(null, uid)).toEqual({ id: uid, username });
    const again = await signUp({ username });
    expect([again.statusCode, again.json()]).toMatchObject([
      409,
      { error: { code: "username-taken" } },
    ]);
  });

  test.each([
    [{ email: "nonsense" }, 400, "input-invalid", "email"],
    [{ password: "short" }, 400, "input-invalid", "password"],
    [{ fName: "x".repeat(51) }, 400, "input-invalid", "fName"],
    [{ image: "" }, 400, "picture-required", "image"],
    [{ image: "https://elsewhere.example/tracking.png" }, 400, "picture-required", "image"],
    [{ image: 3 }, 400, "input-invalid", "image"],
    [{ email: undefined }, 400, "input-invalid", "email"],
  ])(
    "is refused with what is wrong with %j and makes nothing",
    async (fields, status, code, field) => {
      const before = await query(db, "select 1 from accounts");
      const answer = await signUp(fields);
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toMatchObject({
        error: { code, fields: { [field]: expect.any(String) } },
      });
      expect(await query(db, "select 1 from accounts")).toHaveLength(before.length);
      await query(db, "delete from visitor_images");
    },
  );

  test("cannot use an email twice, nor one image for two accounts", async () => {
    const { email } = await member();
    const taken = await signUp({ email });
    expect(taken.json()).toMatchObject({
      error: { code: "email-in-use", message: "Email Already in use" },
    });

    const image = (await uploaded()).display_url;
    const both = await Promise.all([signUp({ image }), signUp({ image })]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 400]);
  });

  test("goes on with the picture's first address when it sets name and picture afterwards", async () => {
    const image = (await uploaded()).display_url;
    const { token, user } = (await signUp({ image })).json<SignedIn>();
    const answer = await call(null, "PATCH", "/api/identity", {
      payload: { displayName: "Ada Lovelace", photoURL: image },
      ...bearer(token),
    });
    expect(answer.json()).toEqual({ user });
  });
});

describe("signing in and out as a program", () => {
  test("answers a token that works without any cookie, until it is signed out", async () => {
    const { email, id } = await member();
    const answer = await call(null, "POST", "/api/session", { payload: { email, password } });
    const { token, user } = answer.json<SignedIn>();
    expect(user.uid).toBe(id);
    const feed = () => call(null, "GET", "/api/feed", bearer(token));
    expect((await feed()).statusCode).toBe(200);
    const out = await call(null, "DELETE", "/api/session", bearer(token));
    expect(out.statusCode).toBe(204);
    expect((await feed()).statusCode).toBe(401);
    expect((await call(null, "DELETE", "/api/session", bearer(token))).statusCode).toBe(204);
  });

  test("says the same about a wrong password and an unknown account", async () => {
    const { email } = await member();
    const wrong = [
      { email, password: "not this one" },
      { email: someEmail(), password },
    ];
    for (const payload of wrong) {
      const answer = await call(null, "POST", "/api/session", { payload });
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({
        error: { code: "wrong-credentials", message: "Wrong password or email" },
      });
      expect(setCookies(answer.headers)).toEqual([]);
    }
    const empty = await call(null, "POST", "/api/session", {
      payload: { email: "", password: "" },
    });
    expect(empty.json()).toMatchObject({
      error: { fields: { email: "required*", password: "required*" } },
    });
  });

  test("with a second factor is asked for it, and gets in with its code and the cookie of that answer", async () => {
    const { email, id } = await member();
    const ada = await features.identity.signIn.withPassword({ email, password, client: client() });
    const { twoFactor } = features.identity;
    const { uri } = await twoFactor.begin(ada.viewer!, { password });
    const key = new URL(uri).searchParams.get("secret") ?? "";
    const [recoveryCode = ""] = await twoFactor.turnOn(ada.viewer!, await appCode(key));

    const answer = await call(null, "POST", "/api/session", { payload: { email, password } });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: { code: "second-factor-required" } });
    const cookie = asCookieHeader(setCookies(answer.headers));
    expect((await whoIs({ cookie })).user).toBeNull();
    const enter = async (code: string, headers = { cookie }) =>
      call(null, "POST", "/api/session/code", { payload: { code }, headers });
    expect((await enter("000000")).json()).toMatchObject({ error: { code: "wrong-code" } });
    expect((await enter(recoveryCode, { cookie: "" })).json()).toMatchObject({
      error: { code: "sign-in-expired" },
    });
    const { token, user } = (await enter(recoveryCode)).json<SignedIn>();
    expect(user.uid).toBe(id);
    expect((await call(null, "GET", "/api/feed", bearer(token))).statusCode).toBe(200);
  });
});

describe("the identity of a program's caller", () => {
  test.each([
    ["Grace Brewster Hopper", "Grace", "Brewster Hopper"],
    ["Cher", "Cher", ""],
    ["  José   Ángel ", "José", "Ángel"],
  ])("is renamed to %j", async (displayName, first, second) => {
    const ada = await member("Ada Lovelace");
    const answer = await call(ada, "PATCH", "/api/identity", { payload: { displayName } });
    expect(answer.json()).toMatchObject({ user: { displayName: `${first} ${second}`.trim() } });
    const rows = await query(db, "select first_name, second_name from accounts where id = $1", [
      ada.id,
    ]);
    expect(rows).toEqual([{ first_name: first, second_name: second }]);
  });

  test("keeps the parts of a name that reads the same, and what is not sent", async () => {
    const ada = await member("Ada Lovelace");
    await features.profiles.edit(ada, { firstName: "Ada King", secondName: "Lovelace" });
    await call(ada, "PATCH", "/api/identity", { payload: { displayName: "Ada King Lovelace" } });
    await call(ada, "PATCH", "/api/identity", { payload: { displayName: null, photoURL: null } });
    await call(ada, "PATCH", "/api/identity", { payload: {} });
    const rows = await query(db, "select first_name, second_name from accounts where id = $1", [
      ada.id,
    ]);
    expect(rows).toEqual([{ first_name: "Ada King", second_name: "Lovelace" }]);
  });

  test("takes a picture of the caller's own and no other address", async () => {
    const [ada, grace] = [await member(), await member()];
    const mine = await uploaded(ada);
    const set = (photoURL: string) =>
      call(ada, "PATCH", "/api/identity", { payload: { photoURL } });
    const hers = await uploaded(grace);
    for (const address of [
      hers.display_url,
      "https://elsewhere.example/1.png",
      `${mine.display_url}?track=1`,
      `http://evil.example/${mine.display_url}`,
      "nonsense",
    ]) {
      expect((await set(address)).json()).toMatchObject({ error: { code: "picture-unknown" } });
    }
    expect((await set(mine.display_url)).json()).toMatchObject({
      user: { photoURL: mine.display_url },
    });
  });

  test.each([{ displayName: "" }, { displayName: "x".repeat(51) }, { displayName: 4 }])(
    "refuses %j by its field",
    async (payload) => {
      const answer = await call(await member(), "PATCH", "/api/identity", { payload });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        error: { fields: { displayName: expect.any(String) } },
      });
    },
  );
});

const sync = (idToken: string, cookie = "") =>
  call(null, "POST", "/api/token-sync", {
    headers: { authorization: `Bearer ${idToken}`, ...(cookie ? { cookie } : {}) },
  });

describe("the token sync", () => {
  test("puts the browser into the token's session and ends the one it was in", async () => {
    const [ada, grace] = [await member(), await member()];
    const { token, idToken } = (
      await call(null, "POST", "/api/session", { payload: { email: ada.email, password } })
    ).json<SignedIn>();
    const before = await cookieOf(grace);
    const answer = await sync(idToken, before);
    expect(answer.json()).toMatchObject({ user: { uid: ada.id } });
    const cookie = asCookieHeader(setCookies(answer.headers));
    expect(await whoIs({ cookie })).toMatchObject({ user: { uid: ada.id } });
    expect(await whoIs({ cookie: before })).toMatchObject({ user: null });
    // again: no session ends
    expect((await sync(idToken, cookie)).statusCode).toBe(200);

    const cleared = await call(null, "DELETE", "/api/token-sync", { headers: { cookie } });
    expect(cleared.statusCode).toBe(204);
    expect(setCookies(cleared.headers)[0]).toContain("Max-Age=0");
    expect(await whoIs({ authorization: `Bearer ${token}` })).toMatchObject({ user: null });
    expect((await sync(idToken)).statusCode).toBe(401);
  });

  test("refuses a token older than five minutes, of the future, of somebody else's making or of no kind", async () => {
    const ada = await member();
    const { token, idToken } = (
      await call(null, "POST", "/api/session", { payload: { email: ada.email, password } })
    ).json<SignedIn>();
    const [head, body] = idToken.split(".");
    const forged = await new SignJWT({ sid: ada.sessionId })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuedAt()
      .sign(new TextEncoder().encode("a key of somebody else's making"));
    for (const wrong of [token, forged, `${head}.${body}.`, "none", "x".repeat(5000)]) {
      expect((await sync(wrong)).json()).toMatchObject({ error: { code: "token-invalid" } });
    }
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 301_000 });
    const late = await sync(idToken);
    vi.useRealTimers();
    expect(late.statusCode).toBe(401);
    expect(setCookies(late.headers)).toEqual([]);
    expect((await sync(idToken)).statusCode).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
    const { idToken: early } = await whoIs({ authorization: `Bearer ${token}` });
    vi.useRealTimers();
    expect((await sync(String(early))).statusCode).toBe(401);
  });

  test("gives a fresh token for a bearer token, never for a cookie", async () => {
    const ada = await member();
    const signedIn = await call(null, "POST", "/api/session", {
      payload: { email: ada.email, password },
    });
    const { token } = signedIn.json<SignedIn>();
    const { idToken } = await whoIs({ authorization: `Bearer ${token}` });
    expect((await sync(String(idToken))).statusCode).toBe(200);
    const cookie = asCookieHeader(setCookies(signedIn.headers));
    for (const authorization of ["", "Basic cHJveHk6cHJveHk=", "Bearer", "x"]) {
      expect(await whoIs({ cookie, authorization })).toMatchObject({
        user: { uid: ada.id },
        idToken: null,
      });
    }
    expect(await whoIs({ cookie, authorization: "Bearer a b" })).toMatchObject({ user: null });
  });

  test("is no bearer for any other call", async () => {
    const ada = await member();
    const { idToken } = (
      await call(null, "POST", "/api/session", { payload: { email: ada.email, password } })
    ).json<SignedIn>();
    expect((await call(null, "GET", "/api/feed", bearer(idToken))).statusCode).toBe(401);
  });
});

test("the authorized domains are told as an identity provider tells them", async () => {
  for (const url of ["/v1/projects?key=abc", "/api/v1/projects"]) {
    expect((await call(null, "GET", url)).json()).toEqual({
      projectId: "postcard",
      authorizedDomains: ["localhost", "127.0.0.1", "[::1]"],
    });
  }
});
