import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { asCookieHeader, client, goodPassword } from "#server/test/identity.ts";
import type { Viewer } from "#shared/views.ts";
import { appCode } from "#server/test/authenticator-app.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

/** A member as their next request's session has them. */
async function signedIn(name: string): Promise<{ viewer: Viewer; seen: () => Promise<boolean> }> {
  const viewer = await on.member(name);
  const { cookies } = await on.identity.signIn.complete(viewer.id, client(), "password");
  const cookie = asCookieHeader(cookies);
  return { viewer, seen: async () => (await on.identity.sessions.viewerOf({ cookie })) !== null };
}

const signIn = (viewer: Viewer) =>
  on.identity.signIn.withPassword({
    email: viewer.email,
    password: goodPassword,
    client: client(),
  });

describe("suspending", () => {
  test("takes effect at the account's next request and keeps it out until it is restored", async () => {
    const { viewer, seen } = await signedIn("Sue Spended");
    expect(await seen()).toBe(true);
    expect(await on.administration.suspend(viewer.email)).toMatchObject({
      username: viewer.username,
      suspendedAt: expect.any(Date),
    });
    expect(await seen()).toBe(false);
    expect(await on.accounts.findById(null, viewer.id)).toBeNull();
    expect(await signIn(viewer)).toMatchObject({ viewer: null, suspended: true });

    expect(await on.administration.restore(viewer.username)).toMatchObject({ suspendedAt: null });
    // the old session stays ended: somebody else may have used it
    expect(await seen()).toBe(false);
    expect((await signIn(viewer)).viewer).toMatchObject({ id: viewer.id });
  });

  test("again keeps the first date", async () => {
    const viewer = await on.member("Sam Twice");
    const first = await on.administration.suspend(viewer.id);
    const second = await on.administration.suspend(viewer.id.toUpperCase());
    expect(second.suspendedAt).toEqual(first.suspendedAt);
  });

  test("also keeps out accounts that are to be deleted", async () => {
    const viewer = await on.member("Leah Leaving");
    await on.deletion.requestFor(viewer.id);
    await on.administration.suspend(viewer.id);
    expect(await signIn(viewer)).toMatchObject({ viewer: null, suspended: true });
    const restored = await on.administration.restore(viewer.id);
    expect(restored).toMatchObject({ suspendedAt: null, deletionDueAt: null });
    expect((await signIn(viewer)).viewer).toMatchObject({ id: viewer.id });
  });
});

describe("a role", () => {
  test("is given and taken, and seen", async () => {
    const viewer = await on.member("Moe Derator");
    expect(await on.administration.show(viewer.id)).toMatchObject({ role: "member" });
    await on.administration.setRole(`@${viewer.username}`, "moderator");
    expect(await on.administration.show(viewer.id)).toMatchObject({ role: "moderator" });
    const { items } = await on.administration.list({ role: "moderator" });
    expect(items.map(({ id }) => id)).toEqual([viewer.id]);
    await on.administration.setRole(viewer.id, "member");
    expect((await on.administration.list({ role: "moderator" })).items).toEqual([]);
  });
});

describe("a lost phone", () => {
  test("is solved by switching the second step off, which lets its owner in with the password", async () => {
    const viewer = await on.member("Fay Phoneless");
    const { uri } = await on.identity.twoFactor.begin(viewer, { password: goodPassword });
    const code = await appCode(new URL(uri).searchParams.get("secret") ?? "");
    await on.identity.twoFactor.turnOn(viewer, code);
    expect((await signIn(viewer)).viewer).toBeNull();
    expect(await on.administration.show(viewer.id)).toMatchObject({ secondStep: true });
    await on.administration.turnSecondStepOff(viewer.email);
    expect((await signIn(viewer)).viewer?.id).toBe(viewer.id);
    expect(await on.administration.show(viewer.id)).toMatchObject({ secondStep: false });
  });
});

describe("the list", () => {
  test("pages through everybody, newest first, each once", async () => {
    const made = await on.members(5);
    const all = await everyPage((cursor) => on.administration.list({ cursor, limit: 3 }));
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(0, 5)).toEqual(made.map(({ id }) => id).toReversed());
  });

  test("finds by a part of username, name or email, and does not read it as a pattern", async () => {
    const viewer = await on.member("Zoë Filterable");
    const found = async (filter: string) =>
      (await on.administration.list({ filter })).items.map(({ id }) => id);
    expect(await found("FILTERABLE")).toEqual([viewer.id]);
    expect(await found(viewer.email.slice(0, 9))).toEqual([viewer.id]);
    expect(await found("%")).toEqual([]);
    expect(await found("\\")).toEqual([]);
    expect(await found("x'; drop table accounts; --")).toEqual([]);
    expect(await found("zo\0ë filter")).toEqual([viewer.id]);
  });

  test("shows who is suspended and who is leaving", async () => {
    const [suspended, leaving] = [await on.member("Ina Active"), await on.member("Lea Ving")];
    await on.administration.suspend(suspended.id);
    await on.deletion.requestFor(leaving.id);
    const ids = async (state: "active" | "suspended" | "leaving") =>
      (await on.administration.list({ state, limit: 1000 })).items.map(({ id }) => id);
    expect(await ids("suspended")).toContain(suspended.id);
    expect(await ids("leaving")).toEqual([leaving.id]);
    expect(await ids("active")).not.toContain(suspended.id);
    expect(await ids("active")).not.toContain(leaving.id);
  });
});

describe("showing an account", () => {
  test("shows what an operator needs, with former names", async () => {
    const viewer = await on.member("Dee Tails");
    await on.photoPost(viewer);
    await on.settings.changeUsername(viewer, "dee_now");
    const details = await on.administration.show(viewer.username);
    expect(details).toMatchObject({
      username: "dee_now",
      formerUsernames: [viewer.username],
      name: "Dee Tails",
      email: viewer.email,
      posts: 1,
      sessions: 1,
      waysIn: ["password"],
      secondStep: false,
    });
    expect(details.pictureBytes).toBeGreaterThan(0);
    expect(JSON.stringify(details)).not.toMatch(/argon2|token/);
  });

  test.each([
    "",
    "nobody",
    "nobody@example.org",
    "00000000-0000-7000-8000-000000000000",
    "a\0b",
    "%",
  ])("that is not there is refused with a sentence (%j)", async (address) => {
    await expect(on.administration.show(address)).rejects.toMatchObject({ code: "not-found" });
  });
});
