import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { listFailedJobs, saveFailedJob } from "#server/platform/db/failed-jobs.ts";
import { newId } from "#server/platform/db/ids.ts";
import { searchAccounts } from "#server/features/administration/administration.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { asCookieHeader, client, goodPassword } from "#server/test/identity.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let opal: Viewer;
/** what a job of this test was given */
const done: unknown[] = [];

/** Signed in, with the role as the session says it. */
async function signedIn({ email }: Viewer): Promise<Viewer> {
  const entered = await on.identity.signIn.withPassword({
    email,
    password: goodPassword,
    client: client(),
  });
  const viewer = await on.identity.sessions.viewerOf({ cookie: asCookieHeader(entered.cookies) });
  if (!viewer) throw new Error("nobody is signed in");
  return viewer;
}

async function operator(name: string): Promise<Viewer> {
  const viewer = await on.member(name);
  await on.administration.setRole(viewer.id, "operator");
  return signedIn(viewer);
}

const by = (viewer: Viewer) => ({ viewer, password: goodPassword });
const entries = async () => (await on.dashboard.log(opal, null)).items;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  on.jobs.handle("a-test-of-the-desk", async (data) => done.push(data));
  opal = await operator("Opal Operator");
});

describe("everything on the dashboard", () => {
  test("does not exist for members and moderators", async () => {
    const member = await signedIn(await on.member("Max Member"));
    const moderator = await on.member("Mo Derator");
    await on.administration.setRole(moderator.id, "moderator");
    const before = (await entries()).length;
    for (const viewer of [member, await signedIn(moderator)]) {
      const as = by(viewer);
      const acts = [
        () => on.dashboard.accounts(viewer, {}, null),
        () => on.dashboard.account(viewer, member.id),
        () => on.dashboard.suspend(as, opal.id),
        () => on.dashboard.restore(as, opal.id),
        () => on.dashboard.resetLink(as, opal.id),
        () => on.dashboard.setRole(as, viewer.id, "operator"),
        () => on.dashboard.setQuota(as, viewer.id, "unlimited"),
        () => on.dashboard.invite(as, { days: 1, count: 1 }),
        () => on.dashboard.invited(viewer, null),
        () => on.dashboard.withdrawInvitation(as, newId()),
        () => on.dashboard.readSettings(viewer),
        () => on.dashboard.changeSettings(as, { "site-name": "Mine" }),
        () => on.dashboard.log(viewer, null),
        () => on.dashboard.retryJobs(as, newId()),
      ];
      expect(acts).toHaveLength(Object.keys(on.dashboard).length);
      for (const act of acts) await expect(act()).rejects.toMatchObject({ code: "not-found" });
    }
    expect(await entries()).toHaveLength(before);
  });

  test("that changes something asks for the password, once in ten minutes", async () => {
    const viewer = await operator("Ola Operator");
    const someone = await on.member("Sam Body");
    const wrong = { viewer, password: "not this one" };
    await expect(on.dashboard.setQuota(wrong, someone.id, "1 GB")).rejects.toMatchObject({
      code: "wrong-password",
    });
    await expect(
      on.dashboard.setQuota({ viewer, password: "" }, someone.id, "1 GB"),
    ).rejects.toMatchObject({ code: "input-invalid" });
    await on.dashboard.setQuota(by(viewer), someone.id, "1 GB");
    const { storage } = await on.dashboard.setQuota({ viewer, password: "" }, someone.id, "2 GB");
    expect(storage.quota).toBe(2_000_000_000);
  });
});

test("a suspension has a reason, which its owner reads and answers, and an end; restoring ends it", async () => {
  const ada = await on.member("Ada Suspended");
  await expect(on.dashboard.suspend(by(opal), opal.id)).rejects.toMatchObject({
    code: "own-account",
  });
  await expect(
    on.dashboard.suspend(by(opal), ada.id, { reason: " ", days: 7 }),
  ).rejects.toMatchObject({
    fields: { reason: expect.any(String) },
  });
  await expect(
    on.dashboard.suspend(by(opal), ada.id, { reason: "Rude", days: 1000 }),
  ).rejects.toMatchObject({ code: "input-invalid" });

  await on.dashboard.suspend(by(opal), ada.id, { reason: "Selling coins", days: 7 });
  const why = await on.moderation.suspensionOf(ada.id);
  expect(why).toMatchObject({ act: "suspend", reason: "Selling coins", mayAnswer: true });
  await on.moderation.answer(ada.id, why?.id ?? "", { words: "They are chocolate" });
  const mo = { ...(await on.member("Mo Answers")), moderator: true };
  const { items } = await on.moderation.queue(mo, null);
  expect(items).toMatchObject([{ account: { id: ada.id }, state: "answered" }]);

  await on.dashboard.restore(by(opal), ada.id);
  expect((await on.dashboard.account(opal, ada.id)).account.suspendedAt).toBeNull();
  expect(await on.moderation.suspensionOf(ada.id)).toBeNull();
  const acts = (await entries()).filter(({ accountId }) => accountId === ada.id);
  expect(acts.map(({ act, actorId }) => [act, actorId])).toEqual([
    ["restore", opal.id],
    ["suspend", opal.id],
  ]);
});

test("a link for a new password is made for one account and shown once", async () => {
  const ada = await on.member("Ada Forgetful");
  const { url } = await on.dashboard.resetLink(by(opal), ada.id);
  expect(url).toMatch(/\/signIn\/reset\/\S{20,}$/);
  expect((await entries())[0]).toMatchObject({ act: "reset-link", accountId: ada.id, detail: "" });
});

test("the last operator keeps the role, also when two take it at the same time", async () => {
  const zoe = await operator("Zoe Second");
  const ola = (await on.administration.list({ role: "operator" })).items;
  for (const { id } of ola) {
    if (id !== opal.id && id !== zoe.id) await on.administration.setRole(id, "member");
  }
  // each takes it from the other: one is first, and the other is not an operator any more
  const tries = await Promise.allSettled([
    on.dashboard.setRole(by(opal), zoe.id, "member"),
    on.dashboard.setRole(by(zoe), opal.id, "member"),
  ]);
  expect(tries.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const [left] = (await on.administration.list({ role: "operator" })).items;
  const last = left?.id === opal.id ? opal : zoe;
  await expect(on.dashboard.setRole(by(last), last.id, "member")).rejects.toMatchObject({
    code: "last-operator",
  });
  await on.administration.setRole(opal.id, "operator");
});

test("the pages write the settings that the command line writes, and all of a form or nothing", async () => {
  await on.operatorSettings.set("site-name", "By the line");
  expect((await on.dashboard.readSettings(opal))["site-name"]).toBe("By the line");
  await expect(
    on.dashboard.changeSettings(by(opal), { "site-name": "Half", "sign-up": "perhaps" }),
  ).rejects.toMatchObject({ code: "input-invalid", fields: { "sign-up": expect.any(String) } });
  expect(await on.operatorSettings.get("site-name")).toBe("By the line");

  const changes = { "site-name": "By the page", "storage-per-member": "2 GB", rules: "One\nTwo" };
  await on.dashboard.changeSettings(by(opal), changes);
  expect(await on.operatorSettings.get("site-name")).toBe("By the page");
  expect(await on.operatorSettings.get("storage-per-member")).toBe(2_000_000_000);
  // the same once more changes nothing, and logs nothing
  expect(await on.dashboard.changeSettings(by(opal), changes)).toEqual([]);
  const logged = (await entries())
    .filter(({ act }) => act === "setting")
    .map(({ detail }) => detail);
  expect(logged.toSorted()).toEqual([
    "rules",
    "site-name: By the page",
    "storage-per-member: 2 GB",
  ]);
});

test("an invitation is listed with its note, withdrawn, and then makes no account", async () => {
  await on.operatorSettings.set("sign-up", "invitation");
  const [first, second] = await on.dashboard.invite(by(opal), {
    days: 3,
    count: 2,
    note: "Aunt May",
  });
  const { page } = await on.dashboard.invited(opal, null);
  expect(page.items.map(({ note, used }) => [note, used])).toEqual([
    ["Aunt May", false],
    ["Aunt May", false],
  ]);
  await expect(on.invitations.check(first?.code ?? "")).resolves.toBeUndefined();
  // the newest is the second
  await on.dashboard.withdrawInvitation(by(opal), page.items[0]?.id ?? "");
  await expect(on.invitations.check(second?.code ?? "")).rejects.toMatchObject({
    code: "invitation-required",
  });
  await expect(on.invitations.check(first?.code ?? "")).resolves.toBeUndefined();
  await expect(
    on.dashboard.withdrawInvitation(by(opal), page.items[0]?.id ?? ""),
  ).rejects.toMatchObject({ code: "invitation-gone" });
  await expect(on.dashboard.invite(by(opal), { days: 0, count: 1.5 })).rejects.toMatchObject({
    fields: { days: expect.any(String), count: expect.any(String) },
  });
  await on.operatorSettings.set("sign-up", "open");
});

test("the log can't be changed, nor emptied", async () => {
  for (const statement of [
    "update operator_log set detail = ''",
    "delete from operator_log",
    "truncate operator_log",
  ]) {
    await expect(query(db, statement)).rejects.toThrow("only ever added to");
  }
});

test("a failed job is tried again by one of two who ask", async () => {
  const id = newId();
  const job = { id, name: "a-test-of-the-desk", data: { n: 1 }, error: "it broke" };
  await saveFailedJob(db, job);
  expect(await listFailedJobs(db)).toMatchObject([{ id, error: "it broke" }]);
  const tries = await Promise.allSettled([
    on.dashboard.retryJobs(by(opal), id),
    on.dashboard.retryJobs(by(opal), id),
  ]);
  expect(tries.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await on.jobs.runDue();
  expect(done).toEqual([{ n: 1 }]);
  expect(await listFailedJobs(db)).toEqual([]);

  // and all of them at once
  for (const n of [2, 3]) await saveFailedJob(db, { ...job, id: newId(), data: { n } });
  await on.dashboard.retryJobs(by(opal), null);
  await on.jobs.runDue();
  expect(done).toHaveLength(3);
  expect(done).toEqual(expect.arrayContaining([{ n: 2 }, { n: 3 }]));
  await expect(on.dashboard.retryJobs(by(opal), null)).rejects.toMatchObject({ code: "job-gone" });
});

test.runIf(everything)(
  "a search for people is paged, finds who is named exactly, and looks through a bounded number",
  async () => {
    const old = await on.member("Ancient Oldest", Date.UTC(2020, 0, 1));
    await query(
      db,
      `insert into accounts (id, username, email, email_as_typed, first_name, second_name, full_name, search_name)
     select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'crowd_' || n, n || '@crowd.example',
       n || '@crowd.example', 'Crowd', n::text, 'Crowd ' || n, 'crowd ' || n
     from generate_series(1, 21000) n`,
    );
    const first = await on.dashboard.accounts(opal, { words: "crowd" }, null);
    expect(first.items).toHaveLength(30);
    const second = await on.dashboard.accounts(opal, { words: "crowd" }, first.nextCursor);
    expect(second.items).toHaveLength(30);
    const [last, next] = [first.items.at(-1)?.id ?? "", second.items[0]?.id ?? ""];
    expect(next < last).toBe(true);

    // exactly: by username, email or id, however long ago
    for (const words of [`@${old.username}`, old.email, old.id]) {
      expect((await on.dashboard.accounts(opal, { words }, null)).items[0]?.id).toBe(old.id);
    }
    // by a part: not among the newest, and further down
    const page = await on.dashboard.accounts(opal, { words: "Ancient" }, null);
    expect(page.items).toEqual([]);
    const further = await on.dashboard.accounts(opal, { words: "Ancient" }, page.nextCursor);
    expect(further.items.map(({ id }) => id)).toEqual([old.id]);
    expect(further.nextCursor).toBeNull();
    const wanted = { filter: "ancient", state: null, role: null, limit: 31 };
    const looked = await searchAccounts(db, {
      ...wanted,
      below: "ffffffff-ffff-ffff-ffff-ffffffffffff",
    });
    expect(looked).toMatchObject({ looked: 20_000, found: [] });
  },
);
