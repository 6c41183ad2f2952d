import { sql } from "#server/platform/db/sql.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { limitNumbers } from "#server/features/limits/limits.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, client, goodPassword, testIdentity } from "#server/test/identity.ts";
import { softwareAuthenticator } from "#server/test/software-authenticator.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const proof = { password: goodPassword };
let db: Database;
let identity: ReturnType<typeof testIdentity>;
let viewer: Viewer;
let cookie: string;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  identity = testIdentity(db);
});

beforeEach(async () => {
  const joined = await identity.join();
  ({ viewer } = joined);
  cookie = asCookieHeader(joined.cookies);
});

function here(cookies: readonly string[] = []) {
  return client({ cookieHeader: [cookie, asCookieHeader(cookies)].join("; ") });
}

/** The row of a passkey, as registration leaves it. */
async function keep(owner: Viewer, credentialId: string): Promise<string> {
  const rows = await db.query<{ id: string }>(sql`
    insert into passkeys
      (id, account_id, name, credential_id, public_key, counter, device_type, backed_up)
    values (gen_random_uuid(), ${owner.id}, 'My phone', ${credentialId}, 'AAAA', 4294967295,
      'multiDevice', true)
    returning id
  `);
  return rows[0]?.id ?? "";
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** What a browser sends, of which only the form is right. */
function answer(credentialId: string, challenge = "c") {
  const clientData = { type: "webauthn.get", challenge, origin: "http://localhost:3000" };
  return JSON.stringify({
    id: credentialId,
    rawId: credentialId,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: encoded(JSON.stringify(clientData)),
      authenticatorData: encoded("x".repeat(37)),
      attestationObject: encoded("x"),
      signature: encoded("x"),
    },
  });
}

describe("making a passkey", () => {
  test("asks for the password, and for an authenticator that verifies its owner and stores the key", async () => {
    await expect(identity.passkeys.begin(viewer, { password: "not mine" })).rejects.toMatchObject({
      code: "wrong-password",
    });
    await keep(viewer, "known-credential");
    const { options, cookies } = await identity.passkeys.begin(viewer, proof);
    expect(options).toMatchObject({
      rp: { id: "localhost", name: "Postcard" },
      user: { name: viewer.email },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ id: "known-credential" }],
    });
    expect(cookies).toEqual([
      expect.stringMatching(/^postcard\.passkey=.+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test("belongs to the host of PUBLIC_URL", async () => {
    const overHttps = testIdentity(db, { publicUrl: "https://photos.example.org" });
    const { options, cookies } = await overHttps.passkeys.signInOptions(client());
    expect(options.rpId).toBe("photos.example.org");
    expect(cookies[0]).toMatch(/^__Host-postcard\.passkey=.+; Secure/);
  });

  test("is refused beyond as many as an account can have", async () => {
    for (let n = 0; n < limits.passkeys; n += 1) await keep(viewer, `${viewer.id}-${n}`);
    await expect(identity.passkeys.begin(viewer, proof)).rejects.toMatchObject({
      code: "too-many-passkeys",
    });
  });

  test("is refused there for ceremonies that began before, two at once too", async () => {
    const authenticator = softwareAuthenticator();
    const ceremonies = [];
    for (let n = 0; n < 4; n += 1) {
      const { options, cookies } = await identity.passkeys.begin(viewer, proof);
      const { response } = authenticator.register(options);
      ceremonies.push(() => identity.passkeys.add(viewer, { response, name: "" }, here(cookies)));
    }
    for (let n = 2; n < limits.passkeys; n += 1) await keep(viewer, `${viewer.id}-${n}`);
    const ended = await Promise.allSettled(ceremonies.map((end) => end()));
    const refused = ended.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(2);
    for (const one of refused) expect(one).toMatchObject({ reason: { code: "too-many-passkeys" } });
    expect(await identity.passkeys.list(viewer)).toHaveLength(limits.passkeys);
  });

  test.each([
    ["no answer", ""],
    ["no JSON", "{"],
    ["an answer of another form", '{"id":"x"}'],
    ["an id that is no text", answer("x").replace('"id":"x"', '"id":{"$ne":1}')],
    ["an answer of 100,000 characters", answer("x".repeat(100_000))],
  ])("refuses %s", async (_, response) => {
    const { cookies } = await identity.passkeys.begin(viewer, proof);
    await expect(
      identity.passkeys.add(viewer, { response, name: "" }, here(cookies)),
    ).rejects.toMatchObject({ code: "input-invalid" });
    await expect(identity.passkeys.signIn({ response }, here(cookies))).rejects.toMatchObject({
      code: "input-invalid",
    });
  });

  test("refuses answers to no challenge of this browser, or to a wrong one", async () => {
    const { cookies } = await identity.passkeys.begin(viewer, proof);
    const { cookies: forSignIn } = await identity.passkeys.signInOptions(here());
    for (const brought of [[], ["postcard.passkey=abc.def"], forSignIn, cookies]) {
      await expect(
        identity.passkeys.add(viewer, { response: answer("new"), name: "" }, here(brought)),
      ).rejects.toMatchObject({ code: "passkey-failed" });
    }
    expect(await identity.passkeys.list(viewer)).toEqual([]);
  });

  test("refuses too long a name", async () => {
    const name = "n".repeat(limits.name + 1);
    await expect(
      identity.passkeys.add(viewer, { response: answer("new"), name }, here()),
    ).rejects.toMatchObject({ fields: { name: `Use at most ${limits.name} characters.` } });
  });
});

describe("signing in with a passkey", () => {
  test("names no account, to members and visitors alike", async () => {
    await keep(viewer, `${viewer.id}-mine`);
    for (const who of [client(), here()]) {
      const { options } = await identity.passkeys.signInOptions(who);
      expect(options.userVerification).toBe("required");
      expect(options.allowCredentials).toBeUndefined();
    }
  });

  test("refuses unknown keys and forged answers, and leaves no session behind", async () => {
    await keep(viewer, `${viewer.id}-mine`);
    const sessions = (await identity.sessions.list(viewer)).length;
    for (const [id, code] of [
      ["nobody's", "passkey-unknown"],
      [`${viewer.id}-mine`, "passkey-failed"],
    ] as const) {
      const { options, cookies } = await identity.passkeys.signInOptions(client());
      const cookieHeader = asCookieHeader(cookies);
      const attempt = () =>
        identity.passkeys.signIn(
          { response: answer(id, options.challenge) },
          client({ cookieHeader }),
        );
      await expect(attempt()).rejects.toMatchObject({ code });
      // The challenge is used up, whatever the outcome.
      await expect(attempt()).rejects.toMatchObject({ code: "passkey-failed" });
    }
    expect(await identity.sessions.list(viewer)).toHaveLength(sessions);
  });

  test("is limited by network, challenges and failures", async () => {
    const one = { points: 1, seconds: 60 };
    const strict = testIdentity(db, {
      rateLimits: true,
      limitNumbers: { ...limitNumbers, "passkey-challenges": one, "network-failures": one },
    });
    const elsewhere = client({ ip: "198.51.100.7" });
    await strict.passkeys.signInOptions(elsewhere);
    await expect(strict.passkeys.signInOptions(elsewhere)).rejects.toMatchObject({
      code: "too-many-attempts",
    });
    const attempt = () => strict.passkeys.signIn({ response: answer("x") }, elsewhere);
    await expect(attempt()).rejects.toMatchObject({ code: "passkey-failed" });
    await expect(attempt()).rejects.toMatchObject({ code: "too-many-attempts" });
  });
});

describe("the list of passkeys", () => {
  test("is its owner's, and only they remove one", async () => {
    const other = (await identity.join()).viewer;
    const id = await keep(viewer, `${viewer.id}-mine`);
    expect(await identity.passkeys.list(other)).toEqual([]);
    for (const wrong of ["", "no id", `${id}'`]) await identity.passkeys.remove(viewer, wrong);
    await identity.passkeys.remove(other, id);
    expect(await identity.passkeys.list(viewer)).toEqual([
      { id, name: "My phone", synced: true, addedAt: expect.any(Number) as number, usedAt: null },
    ]);
    await identity.passkeys.remove(viewer, id);
    await identity.passkeys.remove(viewer, id);
    expect(await identity.passkeys.list(viewer)).toEqual([]);
  });

  test("keeps the last one where nothing else leads to the account, however many are removed at once", async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await keep(viewer, `${viewer.id}-${n}`));
    await db.query(sql`delete from credentials where account_id = ${viewer.id}`);
    const removed = await Promise.allSettled(ids.map((id) => identity.passkeys.remove(viewer, id)));
    expect(removed.filter(({ status }) => status === "rejected")).toMatchObject([
      { reason: { code: "last-way-in", status: 409 } },
    ]);
    const [last, ...others] = await identity.passkeys.list(viewer);
    expect(others).toEqual([]);
    await expect(identity.passkeys.remove(viewer, last?.id ?? "")).rejects.toMatchObject({
      code: "last-way-in",
    });
    expect(await identity.passkeys.list(viewer)).toHaveLength(1);
  });
});
