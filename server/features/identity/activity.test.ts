import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { idAt } from "#server/platform/db/ids.ts";
import { currentClient } from "#server/features/identity/current-client.ts";
import { createActivity } from "#server/features/identity/activity.ts";
import { appCode } from "#server/test/authenticator-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { asCookieHeader, client, goodPassword } from "#server/test/identity.ts";
import { query } from "#server/test/query.ts";
import type { ActivityView } from "#shared/activity.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const home = client({ ip: "192.0.2.77", userAgent: firefox });
const newPassword = "a stamp for every letter";

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

const entriesOf = async (viewer: Viewer): Promise<ActivityView[]> =>
  everyPage((cursor) => on.identity.activity.list(viewer, cursor));

/** Oldest first, without the sign-up. */
async function activityOf(viewer: Viewer): Promise<string[]> {
  const entries = (await entriesOf(viewer)).toReversed().slice(1);
  return entries.map(({ kind, detail }) => (detail ? `${kind} ${detail}` : kind));
}

const signIn = (viewer: Viewer, password: string, from = home) =>
  on.identity.signIn.withPassword({ email: viewer.email, password, client: from });

/** A wrong password, recorded in the background. */
async function failToSignIn(viewer: Viewer, from = home): Promise<void> {
  await expect(signIn(viewer, "not this one", from)).rejects.toMatchObject({
    code: "wrong-credentials",
  });
}

async function noted(): Promise<void> {
  expect((await on.jobs.runDue()).failed).toEqual([]);
}

const rows = async () => (await query(db, "select from account_activity")).length;

/** An id of so many days ago. */
const idOf = (days: number) => idAt(Date.now() - days * 24 * 60 * 60 * 1000);

async function enteredWithCode(viewer: Viewer, code: string) {
  const { cookies } = await signIn(viewer, newPassword);
  const cookieHeader = asCookieHeader(cookies);
  return on.identity.signIn.enterCode({ code, client: { ...home, cookieHeader } });
}

describe("the activity of an account", () => {
  test("is shown with its time, network and device, without a secret", async () => {
    const viewer = await on.member("Ada Seen");
    const before = Date.now();
    await signIn(viewer, goodPassword);
    const [entry] = await entriesOf(viewer);
    expect(entry).toEqual({
      id: expect.any(String),
      kind: "signed-in",
      detail: "password",
      count: 1,
      at: expect.any(Number),
      network: "192.0.2.77",
      device: { name: "Firefox on Windows", kind: "computer" },
    });
    expect(entry?.at).toBeGreaterThanOrEqual(before - 1000);
    const stored = JSON.stringify(await query(db, "select * from account_activity"));
    for (const secret of [goodPassword, "argon2", viewer.email])
      expect(stored).not.toContain(secret);
  });

  test("is every change and every refusal, in the order it happened", async () => {
    const viewer = await on.member("Ada Changes");
    await currentClient.run(home, async () => {
      await failToSignIn(viewer);
      await noted();
      const wrong = { currentPassword: "wrong one", password: newPassword };
      await expect(on.identity.password.change(viewer, wrong)).rejects.toThrow();
      await on.identity.password.change(viewer, { ...wrong, currentPassword: goodPassword });
      const proof = { password: newPassword };
      const { uri } = await on.identity.twoFactor.begin(viewer, proof);
      const key = new URL(uri).searchParams.get("secret") ?? "";
      await on.identity.twoFactor.turnOn(viewer, await appCode(key));
      await expect(enteredWithCode(viewer, "000000")).rejects.toMatchObject({ code: "wrong-code" });
      await enteredWithCode(viewer, await appCode(key, 1));
      await on.identity.twoFactor.renewCodes(viewer, proof);
      await on.identity.twoFactor.turnOff(viewer, proof);
      await on.identity.notifyOwner(viewer.id, { what: "provider-connected", label: "Town" });
      const change = { email: "ada.elsewhere@example.org", password: newPassword };
      await on.verification.requestChange(viewer, change, home);
    });
    expect(await activityOf(viewer)).toEqual([
      "sign-in-refused",
      "confirmation-refused",
      "password-changed",
      "two-factor-on",
      "code-refused",
      "signed-in code",
      "two-factor-codes-renewed",
      "two-factor-off",
      "provider-connected Town",
      "email-change-asked",
    ]);
    const networks = (await entriesOf(viewer)).slice(0, -1).map(({ network }) => network);
    expect(new Set(networks)).toEqual(new Set(["192.0.2.77"]));
  });

  test("has a mailed link that changed the password or confirmed the address", async () => {
    const viewer = await on.member("Ada Links");
    const issue = (purpose: "verify-email" | "reset-password" | "change-email", detail: string) =>
      on.identity.links.issue(purpose, { accountId: viewer.id, detail });
    await on.verification.confirmEmail(await issue("verify-email", viewer.email));
    const change = { email: `new-${viewer.email}`, password: goodPassword };
    await on.verification.requestChange(viewer, change, home);
    const [{ id: asked } = { id: "" }] = await query<{ id: string }>(
      db,
      "select id from email_changes where account_id = $1",
      [viewer.id],
    );
    const own = { viewer, password: "" };
    await on.verification.confirmEmail(await issue("change-email", asked), own);
    const token = await issue("reset-password", "mailed");
    await on.verification.resetPassword({ token, password: newPassword });
    expect(await activityOf(viewer)).toEqual([
      "email-confirmed",
      "email-change-asked",
      "email-changed",
      "password-replaced",
    ]);
  });

  test("is rolled back with a change that was rolled back", async () => {
    const viewer = await on.member("Ada Rollback");
    const undone = db.transaction(async () => {
      await on.identity.notifyOwner(viewer.id, { what: "passkey-added" });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await activityOf(viewer)).toEqual([]);
  });

  test("is shown only to its member, a page at a time", async () => {
    const [ada, bob] = [await on.member("Ada Pages"), await on.member("Bob Pages")];
    for (let change = 0; change < limits.activity.page + 3; change += 1) {
      await on.identity.notifyOwner(ada.id, { what: "passkey-added" });
    }
    const first = await on.identity.activity.list(ada, null);
    expect(first.items).toHaveLength(limits.activity.page);
    const entries = await entriesOf(ada);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(limits.activity.page + 4);
    const others = await on.identity.activity.list(bob, first.nextCursor);
    expect(
      others.items.map(({ detail }) => detail),
      "another's cursor",
    ).toEqual(["sign-up"]);
    await expect(on.identity.activity.list(ada, "no cursor")).rejects.toMatchObject({
      code: "input-invalid",
    });
  });
});

describe("a flood", () => {
  test("of wrong passwords from one network is one row with a count", async () => {
    const viewer = await on.member("Ada Guessed");
    for (let turn = 0; turn < 4; turn += 1) {
      await failToSignIn(viewer, { ...home, userAgent: `a guesser ${turn}` });
    }
    await failToSignIn(viewer, { ...home, ip: "198.51.100.4" });
    await noted();
    const refused = (await entriesOf(viewer)).filter(({ kind }) => kind === "sign-in-refused");
    const counts = refused.map(({ network, count }) => [network, count]).toSorted();
    // five, unless the hour changed in between
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(5);
    expect(new Set(counts.map(([network]) => network))).toEqual(
      new Set(["192.0.2.77", "198.51.100.4"]),
    );
    expect(counts.length).toBeLessThanOrEqual(3);
  });

  test("from many networks is bounded, and pushes nothing out", async () => {
    const viewer = await on.member("Ada Flooded");
    const activity = createActivity({ db, newId: () => idAt(Date.now()) });
    await on.identity.notifyOwner(viewer.id, { what: "password-changed" });
    const tries = limits.activity.rowsADay + 50;
    for (let number = 0; number < tries; number += 1) {
      const from = { ...home, ip: `10.1.${Math.floor(number / 250)}.${number % 250}` };
      await activity.note(viewer.id, "code-refused", { client: from });
    }
    await activity.note(viewer.id, "two-factor-off");
    const entries = await entriesOf(viewer);
    // one of each kind beyond the bound, or two where the day changed
    expect(entries.length).toBeLessThanOrEqual(limits.activity.rowsADay + 4);
    const refusals = entries.filter(({ kind }) => kind === "code-refused");
    expect(refusals.reduce((sum, { count }) => sum + count, 0)).toBe(tries);
    const kinds = entries.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["password-changed", "two-factor-off"]));
    expect(entries.find(({ kind }) => kind === "two-factor-off")?.network).toBe("");
  });

  test("for an email without an account leaves nothing", async () => {
    await noted();
    const before = await rows();
    const attempt = on.identity.signIn.withPassword({
      email: "nobody.here@example.org",
      password: "not this one",
      client: home,
    });
    await expect(attempt).rejects.toMatchObject({ code: "wrong-credentials" });
    await noted();
    expect(await rows()).toBe(before);
  });
});

describe("an entry", () => {
  test("is stored for 90 days", async () => {
    const viewer = await on.member("Ada Old");
    await on.identity.notifyOwner(viewer.id, { what: "passkey-added" });
    await on.identity.notifyOwner(viewer.id, { what: "passkey-removed" });
    const age = "update account_activity set id = $3 where account_id = $1 and kind = $2";
    await query(db, age, [viewer.id, "passkey-added", idOf(91)]);
    await query(db, age, [viewer.id, "passkey-removed", idOf(89)]);
    await on.identity.sweep();
    const kinds = (await entriesOf(viewer)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["passkey-removed", "signed-in"]);
  });
});
