import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, client, goodPassword, testIdentity } from "#server/test/identity.ts";
import { limitNumbers } from "#server/features/limits/limits.ts";

let db: Database;
let identity: ReturnType<typeof testIdentity>;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  identity = testIdentity(db);
});

async function signedIn(accountId: string, fields = {}) {
  const entered = await identity.signIn.complete(accountId, client(fields), "link");
  if (!entered.viewer) throw new Error("a second factor was asked for");
  return entered;
}

describe("signing in without a password", () => {
  test("begins a session of the account and replaces the browser's", async () => {
    const ada = await identity.join();
    const before = asCookieHeader(ada.cookies);
    const entered = await signedIn(ada.viewer.id, { cookieHeader: before });
    expect(entered.viewer.id).toBe(ada.viewer.id);
    expect(entered.viewer.sessionId).not.toBe(ada.viewer.sessionId);
    expect(await identity.sessions.viewerOf({ cookie: asCookieHeader(entered.cookies) })).toEqual(
      entered.viewer,
    );
    expect(await identity.sessions.viewerOf({ cookie: before })).toBeNull();
  });

  test("stores the browser's own name readably", async () => {
    const { viewer } = await identity.join();
    const entered = await signedIn(viewer.id, { ip: "fe80::1%eth0", userAgent: "a\u0000b\u202ec" });
    const rows = await db.query<{ ip_address: string; user_agent: string }>(sql`
      select ip_address, user_agent from sessions where id = ${entered.viewer.sessionId}
    `);
    expect(rows).toEqual([{ ip_address: "fe80::1", user_agent: "abc" }]);
  });

  test("only tells a suspended account's owner, and leaves no session behind", async () => {
    const { viewer } = await identity.join();
    await db.query(sql`update accounts set suspended_at = now() where id = ${viewer.id}`);
    await db.query(sql`delete from sessions where account_id = ${viewer.id}`);
    const entered = await identity.signIn.complete(viewer.id, client(), "passkey");
    expect(entered).toMatchObject({ viewer: null, suspended: true });
    const cookie = asCookieHeader(entered.cookies);
    expect(await identity.sessions.viewerOf({ cookie })).toBeNull();
    expect(await identity.suspension.suspendedOf({ cookie })).toMatchObject({
      accountId: viewer.id,
    });
    const rows = await db.query(sql`select from sessions where account_id = ${viewer.id}`);
    expect(rows).toHaveLength(0);
  });
});

describe("ending an account's sessions", () => {
  test("ends all of them, or all but one, at their next request", async () => {
    const one = await identity.join();
    const two = await signedIn(one.viewer.id);
    const other = await identity.join();
    const viewers = () =>
      Promise.all(
        [one, two, other].map(({ cookies }) =>
          identity.sessions.viewerOf({ cookie: asCookieHeader(cookies) }),
        ),
      );
    await identity.sessions.endAll(one.viewer.id, { except: two.viewer.sessionId });
    expect((await viewers()).map(Boolean)).toEqual([false, true, true]);
    await identity.sessions.endAll(one.viewer.id);
    expect((await viewers()).map(Boolean)).toEqual([false, false, true]);
  });
});

describe("confirming the password", () => {
  test("takes the current password and no other", async () => {
    const { viewer } = await identity.join();
    await identity.confirmation.confirm(viewer, { password: goodPassword });
    for (const password of ["wrong", goodPassword.toUpperCase(), goodPassword.repeat(4000)]) {
      await expect(identity.confirmation.confirm(viewer, { password })).rejects.toMatchObject({
        code: "wrong-password",
        fields: { password: "This isn't your current password." },
      });
    }
    await expect(identity.confirmation.confirm(viewer, { password: "" })).rejects.toMatchObject({
      code: "input-invalid",
      fields: { password: "required*" },
    });
  });

  test("counts wrong passwords, not right ones", async () => {
    const limited = testIdentity(db, {
      rateLimits: true,
      limitNumbers: { ...limitNumbers, "confirmation-failures": { points: 2, seconds: 60 } },
    });
    const { viewer } = await limited.join();
    for (let time = 0; time < 3; time += 1)
      await limited.confirmation.confirm(viewer, { password: goodPassword });
    for (const code of ["wrong-password", "wrong-password", "too-many-attempts"]) {
      await expect(
        limited.confirmation.confirm(viewer, { password: "guess" }),
      ).rejects.toMatchObject({ code });
    }
    await expect(
      limited.confirmation.confirm(viewer, { password: goodPassword }),
    ).rejects.toMatchObject({
      code: "too-many-attempts",
    });
  });

  test("needs a fresh sign-in of an account without a password", async () => {
    const { viewer } = await identity.join();
    await db.query(sql`delete from credentials where account_id = ${viewer.id}`);
    expect(await identity.confirmation.asksPassword(viewer)).toBe(false);
    await identity.confirmation.confirm(viewer, { password: "" });
    await db.query(sql`update sessions set created_at = now() - interval '11 minutes'
      where id = ${viewer.sessionId}`);
    await expect(identity.confirmation.confirm(viewer, { password: "" })).rejects.toMatchObject({
      code: "sign-in-again",
    });
  });
});
