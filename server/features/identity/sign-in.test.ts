import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, client, goodPassword, testIdentity } from "#server/test/identity.ts";

let db: Database;
let identity: ReturnType<typeof testIdentity>;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  identity = testIdentity(db);
  await identity.join({ email: "Ada@example.org", firstName: "Ada" });
});

function signIn(email: string, password: string) {
  return identity.signIn.withPassword({ email, password, client: client() });
}

const wrong = { code: "wrong-credentials", status: 401, message: "Wrong password or email" };

describe("signing in", () => {
  test("works with the email in any case and ends with a session of its own", async () => {
    const one = await signIn("ada@EXAMPLE.org", goodPassword);
    const two = await signIn(" Ada@example.org ", goodPassword);
    expect(one.viewer).toMatchObject({ username: "ada", email: "Ada@example.org" });
    expect(two.viewer?.sessionId).not.toBe(one.viewer?.sessionId);
    for (const { viewer, cookies } of [one, two]) {
      expect(await identity.sessions.viewerOf({ cookie: asCookieHeader(cookies) })).toEqual(viewer);
    }
  });

  test("replaces the session that the browser had", async () => {
    const before = asCookieHeader((await signIn("ada@example.org", goodPassword)).cookies);
    await identity.signIn.withPassword({
      email: "ada@example.org",
      password: goodPassword,
      client: client({ cookieHeader: before }),
    });
    expect(await identity.sessions.viewerOf({ cookie: before })).toBeNull();
  });

  test("asks for both fields", async () => {
    await expect(signIn(" ", "")).rejects.toMatchObject({
      code: "input-invalid",
      fields: { email: "required*", password: "required*" },
    });
  });

  test.each([
    ["a wrong password", "ada@example.org", "correct horse battery 8"],
    ["an unknown account", "nobody@example.org", goodPassword],
    ["what is no email", "ada", goodPassword],
    ["a NUL in the email", "ada@example.org\0", goodPassword],
    ["an email of 100,000 characters", `${"a".repeat(100_000)}@example.org`, goodPassword],
    ["a password of 100,000 characters", "ada@example.org", goodPassword.repeat(4_000)],
    ["a password with a NUL behind it", "ada@example.org", `${goodPassword}\0`],
    ["a password in another case", "ada@example.org", goodPassword.toUpperCase()],
    ["half a character", "ada@example.org", `${goodPassword}\ud800`],
    ["a quote for the database", "ada@example.org' or '1'='1", goodPassword],
  ])("says the same to %s", async (_name, email, password) => {
    await expect(signIn(email, password)).rejects.toMatchObject(wrong);
  });

  test.each([
    ["email", { email: ["ada@example.org"] }],
    ["email", { email: { toLowerCase: "ada@example.org" } }],
    ["password", { password: [goodPassword] }],
    ["password", { password: null }],
  ])("refuses an %s that is no text", async (field, fields) => {
    const form = { email: "ada@example.org", password: goodPassword, ...fields } as never;
    const attempt = identity.signIn.withPassword({
      ...(form as object),
      client: client(),
    } as never);
    await expect(attempt).rejects.toMatchObject({
      code: "input-invalid",
      fields: { [field]: "required*" },
    });
  });

  test("tells apart passwords that differ after 72 bytes", async () => {
    const start = "long enough ".repeat(8);
    const { viewer } = await identity.join({ password: `${start}a` });
    await expect(signIn(viewer.email, `${start}b`)).rejects.toMatchObject(wrong);
    await expect(signIn(viewer.email, `${start}a`)).resolves.toMatchObject({
      viewer: { id: viewer.id },
    });
  });

  test("takes one password from keyboards that compose characters differently", async () => {
    const { viewer } = await identity.join({ password: "zażółć gęślą".normalize("NFD") });
    await expect(signIn(viewer.email, "zażółć gęślą".normalize("NFC"))).resolves.toBeTruthy();
  });

  test.each(["suspended_at", "deleted_at"] as const)("is over with %s set", async (column) => {
    const { viewer, cookies } = await identity.join();
    const cookie = asCookieHeader(cookies);
    await db.query(sql`
      update accounts set ${sql.ref(column)} = now() where id = ${viewer.id}
    `);
    if (column === "deleted_at") {
      await expect(signIn(viewer.email, goodPassword)).rejects.toMatchObject(wrong);
    } else {
      await expect(signIn(viewer.email, "not her password")).rejects.toMatchObject(wrong);
      expect(await signIn(viewer.email, goodPassword)).toMatchObject({
        viewer: null,
        suspended: true,
      });
    }
    expect(await identity.sessions.viewerOf({ cookie })).toBeNull();
    await expect(identity.join({ email: viewer.email })).rejects.toMatchObject({
      code: "email-in-use",
    });
  });

  test("leaves no session behind", async () => {
    const before = await sessionCount();
    await Promise.allSettled([
      signIn("ada@example.org", "not her password"),
      signIn("nobody@example.org", goodPassword),
    ]);
    expect(await sessionCount()).toBe(before);
  });
});

async function sessionCount(): Promise<number> {
  return (await db.query(sql`select from sessions`)).length;
}
