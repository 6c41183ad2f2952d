import { expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { redirectUri } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { goodPassword } from "#server/test/identity.ts";
import { query } from "#server/test/query.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db, {}, { rateLimits: true });

let networks = 0;

/** The token of an app by itself: nobody let it in. */
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

test("an app signs somebody up: with the username, no session, a letter and a token of its rights", async () => {
  const headers = await ownToken("read write:accounts");
  const answer = await signUp(asked(), headers);
  expect(answer.statusCode, answer.body).toBe(200);
  const { access_token, ...token } = answer.json<Record<string, string>>();
  expect(token).toMatchObject({ token_type: "Bearer", scope: "read write:accounts" });
  const me = await app.inject({
    url: "/api/v1/accounts/verify_credentials",
    headers: { authorization: `Bearer ${access_token}` },
  });
  // Initials stand for the picture on our own screens; apps are never told null.
  expect(me.json()).toMatchObject({
    username: "fresh_face",
    avatar: expect.stringMatching(/^http/),
    statuses_count: 0,
  });
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
  ["no agreement", { agreement: false }],
  ["a username that is taken", { username: "taken_name" }],
  ["a username that nobody may have", { username: "ad min" }],
  ["no username", { username: "" }],
  ["an email that is taken", { email: "taken@example.org" }],
  ["no email", { email: "nothing" }],
  ["a weak password", { password: "password" }],
  ["a huge password", { password: "x".repeat(100_000) }],
])("%s signs nobody up", async (_name, over) => {
  const headers = await ownToken();
  await signUp(asked({ username: "taken_name", email: "taken@example.org" }), headers);
  const before = await count();
  const answer = await signUp(
    asked({ username: "another_one", email: "another@example.org", ...over }),
    headers,
  );
  expect(answer.statusCode, answer.body).toBe(422);
  expect(answer.json()).toEqual({ error: expect.stringMatching(/\w+/) });
  expect(await count()).toBe(before);
});

test("the operator's switch holds for apps: closed, and without an invitation where one is asked for", async () => {
  const headers = await ownToken();
  const before = await count();
  await features.operatorSettings.set("sign-up", "closed");
  expect(
    (await signUp(asked({ username: "late_one", email: "l@e.org" }), headers)).statusCode,
  ).toBe(403);
  await features.operatorSettings.set("sign-up", "invitation");
  const without = await signUp(asked({ username: "late_one", email: "l@e.org" }), headers);
  expect(without.statusCode).toBe(403);
  expect(await count()).toBe(before);
  await features.operatorSettings.set("sign-up", "open");
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

test("a token without the right and one that is none sign nobody up", async () => {
  const payload = asked({ username: "nobody_new", email: "nobody@example.org" });
  expect((await signUp(payload, await ownToken("read"))).statusCode).toBe(403);
  expect((await signUp(payload, { authorization: "Bearer nothing" })).statusCode).toBe(401);
});
