import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { redirectUri } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { goodPassword } from "#server/test/identity.ts";
import { query } from "#server/test/query.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db, {}, { rateLimits: true });

let networks = 0;

/** The app's own token: no member authorised it. */
async function ownToken(scopes = "read write") {
  const typed = { name: "Paper Plane", website: "", redirectUris: [redirectUri], scopes };
  const made = await features.apps.register(typed, `network ${(networks += 1)}`);
  const { token } = await features.apps.ownToken(made, scopes);
  return { authorization: `Bearer ${token}` };
}

const asked = (over: Record<string, unknown> = {}) => ({
  username: "fresh_face",
  email: "fresh@example.org",
  password: goodPassword,
  agreement: true,
  locale: "en",
  ...over,
});
const signUp = (
  payload: object,
  headers: { authorization: string },
  remoteAddress = `10.9.${(networks += 1)}.1`,
) => app.inject({ method: "POST", url: "/api/v1/accounts", payload, headers, remoteAddress });
const count = async () =>
  (await query<{ n: number }>(db, "select count(*)::int as n from accounts"))[0]?.n;

test("an app signs somebody up: with the username, no session, an email and a token with its rights", async () => {
  const headers = await ownToken("read write:accounts");
  const answer = await signUp(asked(), headers);
  expect(answer.statusCode, answer.body).toBe(200);
  const { access_token, ...token } = answer.json<Record<string, string>>();
  expect(token).toMatchObject({ token_type: "Bearer", scope: "read write:accounts" });
  const me = await app.inject({
    url: "/api/v1/accounts/verify_credentials",
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(me.json()).toMatchObject({
    username: "fresh_face",
    avatar: expect.stringMatching(/\/initials\//),
    statuses_count: 0,
  });
  const avatar = await app.inject({ url: new URL(me.json<{ avatar: string }>().avatar).pathname });
  expect([avatar.statusCode, avatar.headers["content-type"]]).toEqual([200, "image/png"]);
  const [row] = await query(
    db,
    `select a.email_verified, a.avatar_image_id,
      (select count(*)::int from sessions s where s.account_id = a.id) as sessions,
      (select count(*)::int from pgboss.job j where j.data::text like '%' || a.id || '%') as letters
     from accounts a where username = 'fresh_face'`,
  );
  expect(row).toMatchObject({ email_verified: false, avatar_image_id: null, sessions: 0 });
  expect(row).not.toMatchObject({ letters: 0 });
  expect(answer.headers["set-cookie"]).toBeUndefined();
});

test.each([
  ["no agreement", { agreement: false }, "agreement", "ERR_ACCEPTED"],
  ["a username that is taken", { username: "taken_name" }, "username", "ERR_TAKEN"],
  ["a username with other characters", { username: "ad min" }, "username", "ERR_INVALID"],
  ["a reserved username", { username: "Admin" }, "username", "ERR_RESERVED"],
  ["a short username", { username: "a" }, "username", "ERR_TOO_SHORT"],
  ["a huge username", { username: "x".repeat(5000) }, "username", "ERR_TOO_LONG"],
  ["no username", { username: "" }, "username", "ERR_BLANK"],
  ["an email that is taken", { email: "taken@example.org" }, "email", "ERR_TAKEN"],
  ["an invalid email", { email: "nothing" }, "email", "ERR_INVALID"],
  ["no email", { email: undefined }, "email", "ERR_BLANK"],
  ["a common password", { password: "password" }, "password", "ERR_INVALID"],
  ["a short password", { password: "a1b2" }, "password", "ERR_TOO_SHORT"],
  ["a huge password", { password: "x".repeat(5000) }, "password", "ERR_TOO_LONG"],
  ["no password", { password: "" }, "password", "ERR_BLANK"],
])("%s signs nobody up, and the error names its field", async (_name, over, field, code) => {
  const headers = await ownToken();
  await signUp(asked({ username: "taken_name", email: "taken@example.org" }), headers);
  const before = await count();
  const answer = await signUp(
    asked({ username: "another_one", email: "another@example.org", ...over }),
    headers,
  );
  expect(answer.statusCode, answer.body).toBe(422);
  expect(answer.json()).toEqual({
    error: expect.stringMatching(/^Validation failed: \w+/),
    details: { [field]: [{ error: code, description: expect.stringMatching(/\w+ \w+/) }] },
  });
  expect(await count()).toBe(before);
});

test("everything wrong is reported at once, in Mastodon's words where it has them", async () => {
  const answer = await signUp({ username: "ad min", password: "" }, await ownToken());
  expect(answer.statusCode).toBe(422);
  const { error, details } = answer.json<{ error: string; details: object }>();
  expect(Object.keys(details).toSorted()).toEqual(["agreement", "email", "password", "username"]);
  expect(error).toContain("Agreement must be accepted");
  expect(error).toContain("Password can't be blank");
  expect(error).not.toContain("required*");
});

const withCode = async (name: string, invite_code?: unknown) => {
  const payload = asked({ username: name, email: `${name}@example.org`, invite_code });
  return signUp(payload, await ownToken());
};

describe("where the operator asks for an invitation", () => {
  const { invitations, operatorSettings } = features;
  beforeAll(() => operatorSettings.set("sign-up", "invitation"));
  afterAll(() => operatorSettings.set("sign-up", "open"));

  test("its code makes one account, however it is typed, and is used up", async () => {
    const { code } = await invitations.issue(7);
    const answer = await withCode("invited_one", ` ${code.toLowerCase()} `);
    expect(answer.statusCode, answer.body).toBe(200);
    const before = await count();
    const again = await withCode("invited_two", code);
    expect([again.statusCode, again.json()]).toEqual([403, { error: expect.any(String) }]);
    expect(await count()).toBe(before);
  });

  test.each([
    ["none", undefined],
    ["an empty one", ""],
    ["a wrong one", "AAAAA-BBBBB-CCCCC-DDDDD"],
    ["a huge one", "A".repeat(5000)],
    ["no text", { a: [1, 2] }],
    ["a NUL", "\0"],
  ])("%s makes no account", async (_name, code) => {
    const before = await count();
    const answer = await withCode("uninvited", code);
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      { error: expect.stringMatching(/invitation/) },
    ]);
    expect(await count()).toBe(before);
  });

  test("neither does one that was withdrawn or expired", async () => {
    const { code } = await invitations.issue(7);
    const [listed] = (await invitations.list(null)).items;
    await invitations.withdraw(listed?.id ?? "");
    expect((await withCode("withdrawn", code)).statusCode).toBe(403);
    const late = await invitations.issue(7);
    await query(db, "update invitations set expires_at = now() - interval '1 second'");
    expect((await withCode("too_late", late.code)).statusCode).toBe(403);
  });

  test("of two people who use one at once, one gets in", async () => {
    const { code } = await invitations.issue(7);
    const before = (await count()) ?? 0;
    const answers = await Promise.all([withCode("at_once_1", code), withCode("at_once_2", code)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403]);
    expect(await count()).toBe(before + 1);
  });

  test("what is wrong with the fields doesn't use it up", async () => {
    const { code } = await invitations.issue(7);
    const wrong = asked({ username: "in_time", email: "nothing", invite_code: code });
    expect((await signUp(wrong, await ownToken())).statusCode).toBe(422);
    const taken = asked({ username: "taken_name", email: "fine@example.org", invite_code: code });
    expect((await signUp(taken, await ownToken())).statusCode).toBe(422);
    expect((await withCode("in_time", code)).statusCode).toBe(200);
  });
});

test("a closed site signs nobody up, not even with an invitation", async () => {
  const { code } = await features.invitations.issue(7);
  await features.operatorSettings.set("sign-up", "closed");
  const before = await count();
  const payload = asked({ username: "late_one", email: "l@e.org", invite_code: code });
  const answer = await signUp(payload, await ownToken());
  await features.operatorSettings.set("sign-up", "open");
  expect([answer.statusCode, answer.json()]).toEqual([403, { error: expect.any(String) }]);
  expect(await count()).toBe(before);
});

test("any locale is fine, and so are a reason and a date of birth that nobody asked for", async () => {
  const payload = asked({ username: "elsewhere", email: "else@example.org", locale: "xx-YY" });
  const more = { reason: "To look", date_of_birth: "2000-01-01", nothing: [1] };
  const answer = await signUp({ ...payload, ...more }, await ownToken());
  expect(answer.statusCode, answer.body).toBe(200);
});

test("sign-ups of one network are counted, whichever app sends them", async () => {
  const answers = [];
  for (let at = 0; at < 12; at += 1) {
    const payload = asked({ username: `many_${at}`, email: `many${at}@example.org` });
    answers.push((await signUp(payload, await ownToken(), "10.8.8.8")).statusCode);
  }
  expect(answers).toContain(429);
  expect(answers.filter((status) => status === 200).length).toBeLessThan(12);
});

test("a token without the right and an invalid one sign nobody up", async () => {
  const payload = asked({ username: "nobody_new", email: "nobody@example.org" });
  expect((await signUp(payload, await ownToken("read"))).statusCode).toBe(403);
  expect((await signUp(payload, { authorization: "Bearer nothing" })).statusCode).toBe(401);
});
