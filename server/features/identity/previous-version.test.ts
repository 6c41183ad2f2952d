import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "#server/platform/db/sql.ts";
import pg from "pg";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { afterFile } from "#server/test/after-file.ts";
import { appCode } from "#server/test/authenticator-app.ts";
import { emptyDatabase } from "#server/test/database.ts";
import { asCookieHeader, client, goodPassword, testIdentity } from "#server/test/identity.ts";
import { softwareAuthenticator, type StoredPasskey } from "#server/test/software-authenticator.ts";

type Person = { id: string; email: string; session: string; device: string };
type Kept = {
  ada: Person & { elsewhere: string };
  bea: Person & { key: string; recovery: string[]; owing: string };
  cyd: Person & { key: string };
  dan: Person & {
    passkey: StoredPasskey;
    adding: {
      options: { challenge: string; rp: { id: string }; user: { id: string } };
      cookie: string;
    };
    signingIn: { options: { challenge: string; rpId: string }; cookie: string };
  };
  eve: Person & { verify: string; reset: string; signIn: string };
  fay: Person & { change: string; newEmail: string };
  gus: Person & { oldEmail: string; keep: string };
};

const migrations = fileURLToPath(new URL("../../migrations", import.meta.url));
const before = fileURLToPath(new URL("../../test/before", import.meta.url));
/** What its members have: cookies, an app's key, recovery codes, a passkey, emails. */
const kept = JSON.parse(readFileSync(join(before, "kept-by-people.json"), "utf8")) as Kept;
const { ada, bea, cyd, dan, eve, fay, gus } = kept;
const at = (cookieHeader: string) => client({ cookieHeader });
const authenticator = softwareAuthenticator();

let db: Database;
let identity: ReturnType<typeof testIdentity>;

/** The database of the previous version, migrated by this one. */
async function upgraded(): Promise<Database> {
  const connection = await emptyDatabase();
  const directory = mkdtempSync(join(tmpdir(), "postcard-before-"));
  for (const name of readdirSync(migrations).filter((each) => each < "0074")) {
    cpSync(join(migrations, name), join(directory, name));
  }
  await migrate({ connection, directory });
  rmSync(directory, { recursive: true });
  const loading = new pg.Client(connection);
  await loading.connect();
  await loading.query(`begin; ${readFileSync(join(before, "installation.sql"), "utf8")}; commit`);
  await loading.end();
  await migrate({ connection });
  return createDatabase({ connection, log: { warn: () => {}, error: console.error } });
}

beforeAll(async () => {
  db = await upgraded();
  afterFile(() => db.close());
});

beforeEach(() => {
  identity = testIdentity(db);
});

async function formerVersionIsGone(): Promise<void> {
  await db.query(sql`update installation set former_version_until = now()`);
  await identity.sweep();
}

async function viewerOf(cookie: string) {
  return identity.sessions.viewerOf({ cookie });
}

async function proved(person: Person) {
  const viewer = await viewerOf(person.session);
  if (!viewer) throw new Error("the session is gone");
  return viewer;
}

describe("after an upgrade from the version before 0086", () => {
  test("every session continues, and its list has them", async () => {
    for (const person of Object.values(kept)) {
      expect((await viewerOf(person.session))?.id).toBe(person.id);
    }
    expect((await viewerOf(ada.elsewhere))?.id).toBe(ada.id);
    const viewer = await proved(ada);
    expect(await identity.sessions.list(viewer)).toHaveLength(2);
    await identity.sessions.signOut({ cookie: ada.elsewhere });
    expect(await viewerOf(ada.elsewhere)).toBeNull();
    expect(await viewerOf(ada.session)).toEqual(viewer);
  });

  test("a password signs in, and its device is known", async () => {
    const limited = testIdentity(db, { rateLimits: true });
    const wrong = (cookieHeader: string) =>
      limited.signIn
        .withPassword({ email: ada.email, password: "not this", client: at(cookieHeader) })
        .catch((error: { code?: string }) => error.code);
    for (let tried = 0; tried < 15; tried += 1) await wrong("");
    expect(await wrong("")).toBe("too-many-attempts");
    const entered = await limited.signIn.withPassword({
      email: ada.email,
      password: goodPassword,
      client: at(ada.device),
    });
    expect(entered.viewer?.id).toBe(ada.id);
  });

  test("a sign-in that waits for its code ends with one of the app, and recovery codes work once", async () => {
    const code = await appCode(bea.key);
    const entered = await identity.signIn.enterCode({ code, client: at(bea.owing) });
    expect(entered.viewer?.id).toBe(bea.id);
    for (const [recovery, outcome] of [
      [bea.recovery[0], bea.id],
      [bea.recovery[0], "wrong-code"],
      [bea.recovery[1], bea.id],
    ] as const) {
      const given = await identity.signIn.withPassword({
        email: bea.email,
        password: goodPassword,
        client: client(),
      });
      const ended = await identity.signIn
        .enterCode({ code: recovery ?? "", client: at(asCookieHeader(given.cookies)) })
        .then(({ viewer }) => viewer?.id)
        .catch((error: { code?: string }) => error.code);
      expect(ended).toBe(outcome);
    }
  });

  test("a second step that was started is turned on with a code of its app", async () => {
    const viewer = await proved(cyd);
    expect(await identity.twoFactor.turnOn(viewer, await appCode(cyd.key))).toHaveLength(10);
    expect((await identity.twoFactor.status(viewer)).on).toBe(true);
  });

  test("a passkey signs in, by an old challenge and by a new one; another is added", async () => {
    const { options, cookie } = dan.signingIn;
    const old = authenticator.signIn(options, dan.passkey);
    const entered = await identity.passkeys.signIn({ response: old }, at(cookie));
    expect(entered.viewer?.id).toBe(dan.id);
    const again = identity.passkeys.signIn({ response: old }, at(cookie));
    await expect(again).rejects.toMatchObject({ code: "passkey-failed" });

    const fresh = await identity.passkeys.signInOptions(client());
    const response = authenticator.signIn({ ...fresh.options, rpId: "localhost" }, dan.passkey);
    const inAgain = await identity.passkeys.signIn({ response }, at(asCookieHeader(fresh.cookies)));
    expect(inAgain.viewer?.id).toBe(dan.id);

    const viewer = await proved(dan);
    const made = authenticator.register(dan.adding.options);
    const form = { response: made.response, name: "" };
    await identity.passkeys.add(viewer, form, at(dan.adding.cookie));
    expect((await identity.passkeys.list(viewer)).map(({ name }) => name)).toEqual([
      "a",
      "My phone",
    ]);
  });

  test("links in unopened emails lead where they should, once", async () => {
    for (const [purpose, token, detail] of [
      ["verify-email", eve.verify, "eve@example.org"],
      ["reset-password", eve.reset, "mailed"],
      ["sign-in", eve.signIn, "/saved"],
    ] as const) {
      const content = { accountId: eve.id, detail };
      expect(await identity.links.find(purpose, token)).toEqual(content);
      expect(await identity.links.find("change-email", token)).toBeNull();
      expect(await identity.links.take(purpose, token)).toEqual(content);
      expect(await identity.links.take(purpose, token)).toBeNull();
    }
  });

  test("a pending change of address still has its link, and a completed one can be undone", async () => {
    const [pending] = await db.query<{ id: string; new_email: string }>(sql`
      select id, new_email from email_changes where account_id = ${fay.id}
    `);
    expect(pending?.new_email).toBe(fay.newEmail);
    const found = await identity.links.find("change-email", fay.change);
    expect(found).toEqual({ accountId: fay.id, detail: pending?.id });
    // what signing out everywhere revokes, and what it leaves
    await identity.sessions.endAll(fay.id);
    await identity.sessions.endAll(gus.id);
    expect(await identity.links.find("change-email", fay.change)).toBeNull();
    expect((await identity.links.find("keep-email", gus.keep))?.accountId).toBe(gus.id);
  });
});

describe("while the previous version runs beside this one", () => {
  test("each finds the sessions of the other, and signing out there ends them here", async () => {
    const { viewer, cookie } = await identity.signInElsewhere(await proved(dan));
    const [row] = await db.query<{ token: string }>(
      sql`select token from sessions where id = ${viewer.sessionId}`,
    );
    expect(cookie).toContain(row?.token);
    // its own statements
    await db.query(sql`delete from sessions where token = ${row?.token}`);
    expect(await viewerOf(cookie)).toBeNull();

    const [token] = ada.elsewhere.replace("postcard.session=", "").split(".");
    await db.query(sql`
      insert into sessions (id, token, account_id, expires_at)
      values (gen_random_uuid(), ${token}, ${ada.id}, now() + interval '30 days')
    `);
    expect((await viewerOf(ada.elsewhere))?.id).toBe(ada.id);
  });

  test("each opens the links of the other, once over both, and revokes them", async () => {
    const content = { accountId: dan.id, detail: "/" };
    const own = await identity.links.issue("sign-in", content);
    const there = () =>
      db.query<{ id: string; value: string }>(sql`
        select id, value from verifications where left(value, 36) = ${dan.id}
      `);
    const [shown] = await there();
    expect(shown?.value).toBe(`${dan.id}/`);
    expect(await identity.links.take("sign-in", own)).toEqual(content);
    expect(await there()).toEqual([]);

    const withdrawn = await identity.links.issue("sign-in", content);
    await db.query(sql`delete from verifications where left(value, 36) = ${dan.id}`);
    expect(await identity.links.find("sign-in", withdrawn)).toBeNull();

    // as it writes one
    await db.query(sql`
      insert into verifications (id, identifier, value, expires_at)
      values (gen_random_uuid(),
        rtrim(translate(encode(sha256(convert_to(${`link:keep-email:${"k".repeat(32)}`}, 'UTF8')),
          'base64'), '+/', '-_'), '='),
        ${`+${dan.id}detail`}, now() + interval '1 hour')
    `);
    await identity.sessions.endAll(dan.id);
    const taken = await identity.links.take("keep-email", "k".repeat(32));
    expect(taken).toEqual({ accountId: dan.id, detail: "detail" });
    const left = await db.query(sql`select from verifications where value like ${`+${dan.id}%`}`);
    expect(left).toEqual([]);
  });

  test("what it needs stays until it is gone, and then nothing in the tables gives access", async () => {
    const rows = await db.query<{ secret: string }>(sql`
      select secret from two_factors where account_id = ${bea.id}`);
    expect(rows[0]?.secret).toMatch(/^[0-9a-f]+$/);
    await identity.sweep();
    const readable = () => db.query(sql`select from sessions where token is not null`);
    expect(await readable()).not.toEqual([]);

    await Promise.all([formerVersionIsGone(), testIdentity(db).sweep()]);
    await formerVersionIsGone();
    expect(await readable()).toEqual([]);
    expect((await viewerOf(bea.session))?.id).toBe(bea.id);
    const secrets = await db.query<{ secret: string }>(sql`select secret from two_factors`);
    expect(secrets).toHaveLength(2);
    for (const { secret } of secrets) expect(secret).toMatch(/^aes-256-gcm\.[\w-]+$/);
    expect(await readable()).toEqual([]);

    const later = testIdentity(db, { now: () => Date.now() + 120_000 });
    const given = await later.signIn.withPassword({
      email: bea.email,
      password: goodPassword,
      client: client(),
    });
    const code = await appCode(bea.key, 4);
    const ended = await later.signIn.enterCode({
      code,
      client: at(asCookieHeader(given.cookies)),
    });
    expect(ended.viewer?.id).toBe(bea.id);
    const tokens = await db.query(
      sql`select token from sessions where id = ${ended.viewer?.sessionId}`,
    );
    expect(tokens).toEqual([{ token: null }]);
  });
});
