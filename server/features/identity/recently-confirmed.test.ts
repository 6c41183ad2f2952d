import { sql } from "#server/platform/db/sql.ts";
import { beforeEach, expect, test } from "vitest";
import { limitNumbers } from "#server/features/limits/limits.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, goodPassword, testIdentity } from "#server/test/identity.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const identity = testIdentity(db);
let viewer: Viewer;
let here: string;
let elsewhere: Viewer;

beforeEach(async () => {
  const joined = await identity.join();
  viewer = joined.viewer;
  here = asCookieHeader(joined.cookies);
  elsewhere = (await identity.signInElsewhere(viewer)).viewer;
});

const nothing = { password: "" };
const asks = (who: Viewer) => identity.confirmation.asksPassword(who);
const give = (who: Viewer, password = goodPassword) =>
  identity.confirmation.confirmUnlessRecent(who, { password });

async function expectAsked(who: Viewer) {
  expect(await asks(who)).toBe(true);
  await expect(identity.confirmation.confirmUnlessRecent(who, nothing)).rejects.toMatchObject({
    code: "input-invalid",
    fields: { password: "required*" },
  });
}

test("the password is asked for once: later changes in the same session go without it", async () => {
  await expectAsked(viewer);
  const { uri } = await identity.twoFactor.begin(viewer, { password: goodPassword });
  expect(uri).toMatch(/^otpauth:/);
  expect(await asks(viewer)).toBe(false);
  await identity.twoFactor.begin(viewer, nothing);
  await identity.passkeys.begin(viewer, nothing);
});

test("another device is asked too, and a wrong password confirms nothing", async () => {
  await give(viewer);
  await expectAsked(elsewhere);
  await expect(give(elsewhere, "not this one")).rejects.toMatchObject({ code: "wrong-password" });
  await expectAsked(elsewhere);
});

test("it lasts ten minutes", async () => {
  const ago = (minutes: number) =>
    db.query(sql`
      update sessions
      set confirmed_at = now() - make_interval(mins => ${minutes}::integer)
      where id = ${viewer.sessionId}
    `);
  await ago(9);
  expect(await asks(viewer)).toBe(false);
  await ago(11);
  await expectAsked(viewer);
});

test("it ends with a change of the password and with signing out", async () => {
  await give(viewer);
  const password = "a stamp for every letter";
  await identity.password.change(viewer, { currentPassword: goodPassword, password });
  await expectAsked(viewer);
  await give(viewer, password);
  expect(await asks(viewer)).toBe(false);
  await identity.sessions.signOut({ cookie: here });
  await expectAsked(viewer);
});

test("a change of the password and a deletion ask every time", async () => {
  await give(viewer);
  const change = identity.password.change(viewer, {
    currentPassword: "",
    password: "a stamp for every letter",
  });
  await expect(change).rejects.toMatchObject({ fields: { currentPassword: "required*" } });
  await expect(identity.confirmation.confirm(viewer, nothing)).rejects.toMatchObject({
    fields: { password: "required*" },
  });
});

test("a password that is sent is checked, and wrong ones are counted", async () => {
  const limited = testIdentity(db, {
    rateLimits: true,
    limitNumbers: { ...limitNumbers, "confirmation-failures": { points: 2, seconds: 60 } },
  });
  const { confirmUnlessRecent } = limited.confirmation;
  const { viewer: ada } = await limited.join();
  await confirmUnlessRecent(ada, { password: goodPassword });
  for (const code of ["wrong-password", "wrong-password", "too-many-attempts"]) {
    await expect(confirmUnlessRecent(ada, { password: "guess" })).rejects.toMatchObject({ code });
  }
});
