import { sql } from "#server/platform/db/sql.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { limitNumbers } from "#server/features/limits/limits.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, client, goodPassword, testIdentity } from "#server/test/identity.ts";
import type { Viewer } from "#shared/views.ts";

const newPassword = "a stamp for every letter";
const { db } = await freshDatabase();
const identity = testIdentity(db);
let viewer: Viewer;
let here: string;
let elsewhere: string;

beforeEach(async () => {
  const joined = await identity.join();
  viewer = joined.viewer;
  here = asCookieHeader(joined.cookies);
  elsewhere = (await identity.signInElsewhere(viewer)).cookie;
});

function change(currentPassword: string, password: string) {
  return identity.password.change(viewer, { currentPassword, password });
}

function signIn(password: string) {
  return identity.signIn.withPassword({ email: viewer.email, password, client: client() });
}

async function forgetPassword() {
  await db.query(sql`delete from credentials where account_id = ${viewer.id}`);
}

describe("a change of password", () => {
  test("takes the current one, ends every other session, and no sign-in accepts the old one", async () => {
    await change(goodPassword, newPassword);
    expect(await identity.sessions.viewerOf({ cookie: here })).toEqual(viewer);
    expect(await identity.sessions.viewerOf({ cookie: elsewhere })).toBeNull();
    await expect(signIn(goodPassword)).rejects.toMatchObject({ code: "wrong-credentials" });
    await expect(signIn(newPassword)).resolves.toMatchObject({ viewer: { id: viewer.id } });
  });

  test.each([
    ["a wrong current password", "not this one", newPassword, "wrong-password", "currentPassword"],
    ["no current password", "", newPassword, "input-invalid", "currentPassword"],
    ["a short one", goodPassword, "seven77", "input-invalid", "password"],
    ["none", goodPassword, "", "input-invalid", "password"],
    ["a long one", goodPassword, "x".repeat(129), "input-invalid", "password"],
    ["a common one", goodPassword, "Password123", "input-invalid", "password"],
    ["the product's name", goodPassword, "postcard1", "input-invalid", "password"],
    ["one letter", goodPassword, "aaaaaaaa", "input-invalid", "password"],
  ])("refuses %s beside its field and changes nothing", async (_, current, wanted, code, field) => {
    const refusal = await change(current, wanted).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code, fields: { [field]: expect.any(String) as string } });
    expect(Object.keys((refusal as { fields: object }).fields)).toEqual([field]);
    expect(await identity.sessions.viewerOf({ cookie: elsewhere })).not.toBeNull();
    await expect(signIn(goodPassword)).resolves.toMatchObject({ viewer: { id: viewer.id } });
  });

  test("counts wrong current passwords, not new ones that are refused", async () => {
    const limited = testIdentity(db, {
      rateLimits: true,
      limitNumbers: { ...limitNumbers, "confirmation-failures": { points: 1, seconds: 60 } },
    });
    const attempt = (currentPassword: string, password: string) =>
      limited.password
        .change(viewer, { currentPassword, password })
        .catch(({ code }: { code: string }) => code);
    for (let time = 0; time < 3; time += 1) {
      expect(await attempt("wrong", "short")).toBe("input-invalid");
    }
    expect(await attempt("wrong", newPassword)).toBe("wrong-password");
    expect(await attempt(goodPassword, newPassword)).toBe("too-many-attempts");
  });

  test("composes characters as a sign-in does", async () => {
    await change(goodPassword, "zażółć gęślą".normalize("NFD"));
    await expect(signIn("zażółć gęślą".normalize("NFC"))).resolves.toBeTruthy();
  });

  test("sets the first one of an account without one, only after a fresh sign-in", async () => {
    await forgetPassword();
    await change("", newPassword);
    await expect(signIn(newPassword)).resolves.toMatchObject({ viewer: { id: viewer.id } });
    await forgetPassword();
    await db.query(sql`update sessions set created_at = now() - interval '1 hour'
      where id = ${viewer.sessionId}`);
    await expect(change("", newPassword)).rejects.toMatchObject({ code: "sign-in-again" });
  });
});

describe("removing every other way in", () => {
  test("leaves the password and what others have", async () => {
    const other = await identity.join();
    for (const { id } of [viewer, other.viewer]) {
      await db.query(sql`insert into credentials (id, account_id, provider_id, subject)
        values (gen_random_uuid(), ${id}, 'github', ${id})`);
      await db.query(sql`insert into passkeys
        (id, account_id, name, credential_id, public_key, counter, device_type, backed_up)
        values (gen_random_uuid(), ${id}, 'Key', ${id}, 'k', 0, 'singleDevice', false)`);
      await db.query(sql`insert into two_factors (account_id, secret) values (${id}, 's')`);
      await db.query(sql`insert into recovery_codes (account_id, hash) values (${id}, 'h')`);
      await db.query(sql`insert into pending_sign_ins (token_hash, account_id, expires_at)
        values (${id}, ${id}, now() + interval '1 minute')`);
    }
    await identity.signInMethods.removeOthers(viewer.id);
    const owners = async (table: string) => {
      const rows = await db.query<{ account_id: string }>(sql`
        select account_id from ${sql.table(table)}
        where account_id in (${viewer.id}, ${other.viewer.id})
      `);
      return rows.map(({ account_id }) => account_id);
    };
    for (const table of ["passkeys", "two_factors", "recovery_codes", "pending_sign_ins"]) {
      expect(await owners(table), table).toEqual([other.viewer.id]);
    }
    expect(await owners("credentials")).toHaveLength(3);
    await expect(signIn(goodPassword)).resolves.toMatchObject({ viewer: { id: viewer.id } });
  });
});
