import { AsyncLocalStorage } from "node:async_hooks";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let sent: string[] = [];
let rollbacks = 0;

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => {
    sent.push(text);
    rollbacks += Number(text === "rollback");
  }));
  on = testFeatures(db);
});

async function privatePair(): Promise<[Viewer, Viewer]> {
  const [asking, asked] = [await on.member("Ada"), await on.member("Bob")];
  await on.privacy.set(asked, true);
  return [asking, asked];
}

const namesOf = (viewer: Viewer) =>
  everyPage((cursor) => on.followRequests.list(viewer, cursor)).then((items) =>
    items.map(({ id }) => id),
  );
const kindsOf = async (viewer: Viewer) =>
  (await on.notifications.list(viewer, "all", null)).items.map(({ kind }) => kind);
const followersOf = async ({ id }: Viewer) =>
  (
    await query<{ id: string }>(
      db,
      "select follower_id as id from followers where followee_id = $1",
      [id],
    )
  ).map((row) => row.id);

/** No request stands beside a follow or a block, and all counters are right. */
async function expectOrder(): Promise<void> {
  expect(
    await query(
      db,
      `select r.* from follow_requests r where exists (
        select from follows where follower_id = r.requester_id and followee_id = r.account_id
      ) or exists (
        select from blocks where account_id = r.account_id and other_id = r.requester_id
      )`,
    ),
  ).toEqual([]);
  expect(
    await query(
      db,
      `select f.* from follows f
      join blocks b on b.account_id = f.follower_id and b.other_id = f.followee_id`,
    ),
  ).toEqual([]);
  expect(
    await query(
      db,
      `select n.* from notifications n where n.kind = 'request' and not exists (
        select from follow_requests r
        join notification_acts act on act.account_id = r.account_id and act.id = r.id
        where act.account_id = n.account_id and act.notification_id = n.id
      )`,
    ),
    "a notification of a request that does not wait",
  ).toEqual([]);
  expect(await reconcileCounters(db)).toEqual([]);
}

/** A private account, and those who ask it. */
async function askedBy(count: number): Promise<[Viewer, Viewer[]]> {
  const star = await on.member("Star");
  await on.privacy.set(star, true);
  const people = await insertAccounts(db, count);
  for (const one of people) await on.follows.follow(one, star.id);
  return [star, people];
}

/** Runs `first` in a transaction that stays open until `second` waits for its locks. */
async function overtaking<Result>(
  first: () => Promise<unknown>,
  second: () => Promise<Result>,
): Promise<PromiseSettledResult<Result>> {
  const elsewhere = AsyncLocalStorage.snapshot();
  let outcome: Promise<PromiseSettledResult<Result>[]> = Promise.resolve([]);
  await db.transaction(async () => {
    await first();
    sent = [];
    outcome = elsewhere(() => Promise.allSettled([second()]));
    await expect.poll(() => sent.at(-1)).toContain("for no key update");
  });
  const [result] = await outcome;
  if (!result) throw new Error("nothing was awaited");
  return result;
}

describe("following a private account", () => {
  test("asks it, says so everywhere, and shows nothing until it accepts", async () => {
    const [ada, bob] = await privatePair();
    await on.textPost(bob, "for friends");
    const waiting = {
      following: false,
      requested: true,
      counts: { posts: 0, photos: 0, followers: 0, following: 0 },
    };
    expect(await on.follows.follow(ada, bob.id)).toEqual(waiting);
    expect(await on.follows.follow(ada, { address: bob.username })).toEqual(waiting);
    expect(await on.profiles.get(ada, bob.id)).toMatchObject({ following: false, requested: true });
    expect(await on.profiles.get(bob, ada.id)).toMatchObject({ requested: false });
    expect(await on.relations.relations(ada, [bob.id])).toMatchObject([{ requested: true }]);
    const found = await on.search.accounts(ada, bob.username, null);
    expect(found.items).toMatchObject([{ id: bob.id, following: false, requested: true }]);
    expect(await namesOf(bob)).toEqual([ada.id]);
    expect(await on.followRequests.count(bob)).toBe(1);
    expect(await kindsOf(bob)).toEqual(["request"]);
    expect((await on.posts.textsOf(ada, bob.id, null)).items).toEqual([]);

    expect(await on.followRequests.accept(bob, ada.id)).toEqual({ follower: true });
    expect(await on.followRequests.accept(bob, ada.id)).toEqual({ follower: true });
    expect(await on.profiles.get(ada, bob.id)).toMatchObject({
      following: true,
      requested: false,
      counts: { posts: 1, followers: 1 },
    });
    expect(await kindsOf(bob), "the request's is gone").toEqual([]);
    expect(await kindsOf(ada)).toEqual(["accepted"]);
    expect(await namesOf(bob)).toEqual([]);
    // a follower's number, and a stranger's
    expect(await on.follows.follow(ada, bob.id)).toMatchObject({
      following: true,
      counts: { posts: 1, followers: 1 },
    });
    expect(await on.follows.unfollow(ada, bob.id)).toMatchObject({
      following: false,
      counts: { posts: 0, followers: 0 },
    });
    await expectOrder();
  });

  test("is withdrawn by unfollowing, and refused without a word", async () => {
    const [ada, bob] = await privatePair();
    for (const end of [
      () => on.follows.unfollow(ada, bob.id),
      () => on.followRequests.refuse(bob, ada.id),
      () => on.followRequests.refuseAll(bob),
    ]) {
      await on.follows.follow(ada, bob.id);
      expect(await kindsOf(bob)).toEqual(["request"]);
      await end();
      expect(await on.profiles.get(ada, bob.id)).toMatchObject({
        following: false,
        requested: false,
      });
      expect([await kindsOf(bob), await kindsOf(ada)]).toEqual([[], []]);
      await expect(on.followRequests.accept(bob, ada.id)).rejects.toMatchObject({
        code: "not-found",
      });
      expect(await on.followRequests.refuse(bob, ada.id)).toEqual({ follower: false });
    }
    await expectOrder();
  });

  test("of somebody else is nobody's to answer", async () => {
    const [ada, bob] = await privatePair();
    const cleo = await on.member("Cleo");
    await on.follows.follow(ada, bob.id);
    for (const viewer of [cleo, ada]) {
      await expect(on.followRequests.accept(viewer, ada.id)).rejects.toMatchObject({
        code: "not-found",
      });
      await on.followRequests.acceptAll(viewer);
    }
    for (const id of ["", "x", newId(), bob.id]) {
      await expect(on.followRequests.accept(bob, id), id).rejects.toMatchObject({
        code: "not-found",
      });
    }
    expect(await followersOf(bob)).toEqual([]);
  });

  test("counts as a follow among what one may write in an hour", async () => {
    const limited = testFeatures(db, { rateLimits: true });
    const ada = await on.member("Ada");
    const people = await insertAccounts(db, 101);
    await query(db, "update accounts set private_at = now() where id = any($1)", [
      people.map(({ id }) => id),
    ]);
    const last = people.pop();
    for (const { id } of people) await limited.follows.follow(ada, id);
    await expect(limited.follows.follow(ada, last?.id ?? "")).rejects.toMatchObject({
      code: "too-many-writes",
    });
    expect(await on.followRequests.list(ada, null)).toEqual({ items: [], nextCursor: null });
  });

  test("is hidden while who asked is suspended, and stays away from what is accepted at once", async () => {
    const [ada, bob] = await privatePair();
    const cleo = await on.member("Cleo");
    for (const viewer of [ada, cleo]) await on.follows.follow(viewer, bob.id);
    await on.suspend(ada);
    expect(await namesOf(bob)).toEqual([cleo.id]);
    expect(await on.followRequests.count(bob)).toBe(1);
    await expect(on.followRequests.accept(bob, ada.id)).rejects.toMatchObject({
      code: "not-found",
    });
    await on.followRequests.acceptAll(bob);
    expect(await followersOf(bob)).toEqual([cleo.id]);
    await on.identity.suspension.end(ada.id);
    expect(await namesOf(bob)).toEqual([ada.id]);
  });

  test("ends with a block in either direction, its notification too", async () => {
    for (const by of [0, 1]) {
      const pair = await privatePair();
      const [ada, bob] = pair;
      await on.follows.follow(ada, bob.id);
      await on.blocks.block(pair[by] as Viewer, pair[1 - by]?.id ?? "");
      await on.blocks.unblock(pair[by] as Viewer, pair[1 - by]?.id ?? "");
      expect(await namesOf(bob)).toEqual([]);
      expect(await kindsOf(bob)).toEqual([]);
      expect(await on.profiles.get(ada, bob.id)).toMatchObject({ requested: false });
    }
    await expectOrder();
  });
});

describe("many requests", () => {
  test("are listed newest first, once each, and answered together", async () => {
    const [star, people] = await askedBy(130);
    expect(await namesOf(star)).toEqual(people.map(({ id }) => id).reverse());
    await on.followRequests.acceptAll(star);
    expect((await followersOf(star)).length, "the first at once").toBe(100);
    const late = await on.member("Late");
    await on.follows.follow(late, star.id);
    expect(await on.jobs.runDue()).toMatchObject({ failed: [] });
    expect((await followersOf(star)).toSorted()).toEqual(people.map(({ id }) => id).toSorted());
    expect(await namesOf(star), "who asked later waits").toEqual([late.id]);
    expect(await kindsOf(star)).toEqual(["request"]);
    expect((await on.profiles.get(null, star.id))?.counts.followers).toBe(130);
    await expectOrder();
  });

  test("are refused together", async () => {
    const [star] = await askedBy(130);
    await on.followRequests.refuseAll(star);
    expect(await on.jobs.runDue()).toMatchObject({ failed: [] });
    expect(await namesOf(star)).toEqual([]);
    expect(await followersOf(star)).toEqual([]);
    expect(await kindsOf(star)).toEqual([]);
    await expectOrder();
  });

  test("are all accepted once the account is public, those of suspended accounts too", async () => {
    const [star, people] = await askedBy(130);
    const [first, withdrawn] = people as [Viewer, Viewer];
    await on.suspend(first);
    await on.privacy.set(star, false);
    await on.follows.unfollow(withdrawn, star.id);
    // a follow of a public account answers the request
    const last = people.at(-1) as Viewer;
    expect(await on.follows.follow(last, star.id)).toMatchObject({ following: true });
    expect(await on.profiles.get(people[5] ?? null, star.id)).toMatchObject({ requested: false });
    expect(await on.jobs.runDue()).toMatchObject({ failed: [] });
    const left = people.filter((one) => one !== withdrawn).map(({ id }) => id);
    expect((await followersOf(star)).toSorted()).toEqual(left.toSorted());
    expect(await query(db, "select from follow_requests where account_id = $1", [star.id])).toEqual(
      [],
    );
    await expectOrder();
  });
});

describe("at the same moment", () => {
  test("a request that is withdrawn while it is accepted is either, never both", async () => {
    const [ada, bob] = await privatePair();
    await on.follows.follow(ada, bob.id);
    const late = await overtaking(
      () => on.follows.unfollow(ada, bob.id),
      () => on.followRequests.accept(bob, ada.id),
    );
    expect(late).toMatchObject({ status: "rejected", reason: { code: "not-found" } });
    expect(await followersOf(bob)).toEqual([]);
    await on.follows.follow(ada, bob.id);
    const unfollowed = await overtaking(
      () => on.followRequests.accept(bob, ada.id),
      () => on.follows.unfollow(ada, bob.id),
    );
    expect(unfollowed).toMatchObject({ value: { following: false, counts: { followers: 0 } } });
    await expectOrder();
  });

  test("nobody is accepted across a block that is made while the answer waits for it", async () => {
    const [ada, bob] = await privatePair();
    await on.follows.follow(ada, bob.id);
    for (const answer of [
      async () => void (await on.followRequests.accept(bob, ada.id)),
      async () => void (await on.follows.follow(ada, bob.id)),
    ]) {
      const late = await overtaking(() => on.blocks.block(ada, bob.id), answer);
      expect(late).toMatchObject({ status: "rejected", reason: { code: "not-found" } });
      await expectOrder();
      await on.blocks.unblock(ada, bob.id);
      await on.follows.follow(ada, bob.id);
    }
  });

  test("who asks while the account becomes public follows it, and who follows while it becomes private asks", async () => {
    const [ada, bob] = await privatePair();
    const followed = await overtaking(
      () => on.privacy.set(bob, false),
      () => on.follows.follow(ada, bob.id),
    );
    expect(followed).toMatchObject({ value: { following: true, requested: false } });
    await on.follows.unfollow(ada, bob.id);
    const asked = await overtaking(
      () => on.privacy.set(bob, true),
      () => on.follows.follow(ada, bob.id),
    );
    expect(asked).toMatchObject({ value: { following: false, requested: true } });
    const opened = await overtaking(
      () => on.follows.unfollow(ada, bob.id).then(() => on.follows.follow(ada, bob.id)),
      () => on.privacy.set(bob, false),
    );
    expect(opened).toMatchObject({ status: "fulfilled" });
    await on.jobs.runDue();
    expect(await followersOf(bob), "asked before it was public").toEqual([ada.id]);
    await expectOrder();
  });

  test("everything at once ends in order, without a deadlock", async () => {
    const star = await on.member("Star");
    const people = await insertAccounts(db, 6);
    for (let round = 0; round < 4; round += 1) {
      await on.privacy.set(star, true);
      const before = rollbacks;
      const outcomes = await Promise.allSettled([
        ...people.flatMap((one, index) => [
          on.follows.follow(one, star.id),
          on.follows.unfollow(one, star.id),
          on.follows.follow(one, star.id),
          on.followRequests.accept(star, one.id),
          on.follows.follow(star, one.id),
          ...(index === round ? [on.blocks.block(one, star.id)] : []),
        ]),
        on.followRequests.acceptAll(star),
        on.followRequests.refuseAll(star),
        on.privacy.set(star, round % 2 === 0),
      ]);
      const refused = outcomes.filter(({ status }) => status === "rejected");
      for (const each of refused) expect(each).toMatchObject({ reason: { code: "not-found" } });
      // A deadlock would be rolled back and tried again, unnoticed.
      expect(rollbacks - before).toBe(refused.length);
      await on.jobs.runDue();
      await expectOrder();
    }
  });
});

describe("removing a follower", () => {
  test("ends the follow and the close friendship, without a word", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    await on.follows.follow(ada, bob.id);
    await on.follows.follow(bob, ada.id);
    await on.closeFriends.put(bob, ada.id);
    expect(await on.follows.removeFollower(bob, { address: ada.username })).toEqual({
      follower: false,
    });
    expect(await on.follows.removeFollower(bob, ada.id)).toEqual({ follower: false });
    expect(await on.profiles.get(ada, bob.id)).toMatchObject({
      following: false,
      followsViewer: true,
      counts: { followers: 0, following: 1 },
    });
    expect(await query(db, "select from close_friends where account_id = $1", [bob.id])).toEqual(
      [],
    );
    expect(await kindsOf(bob), "of the follow").toEqual([]);
    expect(await kindsOf(ada)).toEqual(["follow"]);
    await expectOrder();
  });

  test("refuses oneself and nobody", async () => {
    const ada = await on.member("Ada");
    await expect(on.follows.removeFollower(ada, ada.id)).rejects.toMatchObject({
      code: "self-follow",
    });
    for (const id of ["", "x", newId()]) {
      await expect(on.follows.removeFollower(ada, id), id).rejects.toMatchObject({
        code: "not-found",
      });
    }
  });
});
