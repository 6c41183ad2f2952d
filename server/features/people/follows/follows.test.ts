import { AsyncLocalStorage } from "node:async_hooks";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
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

async function pair(): Promise<[Viewer, Viewer]> {
  return [await on.member("Ada"), await on.member("Bob")];
}

describe("following", () => {
  test("changes both sides' counts and answers those of the other", async () => {
    const [ada, bob] = await pair();
    const followed = {
      following: true,
      requested: false,
      counts: { posts: 0, photos: 0, followers: 1, following: 0 },
    };
    expect(await on.follows.follow(ada, bob.id)).toEqual(followed);
    expect(await on.follows.follow(ada, bob.id)).toEqual(followed);
    expect(await on.profiles.get(ada, bob.id)).toMatchObject({
      following: true,
      followsViewer: false,
    });
    expect(await on.profiles.get(bob, ada.id)).toMatchObject({
      following: false,
      followsViewer: true,
      counts: { following: 1, followers: 0 },
    });
  });

  test("is undone by unfollowing, also twice", async () => {
    const [ada, bob] = await pair();
    const apart = {
      following: false,
      requested: false,
      counts: { posts: 0, photos: 0, followers: 0, following: 0 },
    };
    expect(await on.follows.unfollow(ada, bob.id)).toEqual(apart);
    await on.follows.follow(ada, bob.id);
    await on.follows.follow(bob, ada.id);
    const counts = { posts: 0, photos: 0, followers: 0, following: 1 };
    expect(await on.follows.unfollow(ada, bob.id)).toEqual({ ...apart, counts });
    expect(await on.follows.unfollow(ada, bob.id)).toEqual({ ...apart, counts });
    expect(await on.profiles.get(ada, bob.id)).toMatchObject({
      following: false,
      followsViewer: true,
    });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("is three statements of a transaction, by id and by address: locks, the follow, and the notification", async () => {
    const [ada, bob] = await pair();
    for (const at of [bob.id, { address: bob.username }]) {
      for (const act of [on.follows.follow, on.follows.unfollow]) {
        const following = act === on.follows.follow;
        for (const again of [false, true]) {
          sent = [];
          const answer = await act(ada, at);
          expect(sent.slice(1, -1), `${following} ${again}`).toHaveLength(again ? 2 : 3);
          expect([sent[0], sent.at(-1)]).toEqual(["begin", "commit"]);
          expect(answer).toMatchObject({ following, counts: { followers: Number(following) } });
        }
        const { items } = await on.notifications.list(bob, "all", null);
        expect(items.map(({ kind }) => kind)).toEqual(following ? ["follow"] : []);
      }
    }
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("of somebody whose counters are locked waits for them, and makes one notification", async () => {
    for (const held of [0, 1]) {
      const [ada, bob] = await pair();
      const holder = await db.pool.connect();
      await holder.query("begin");
      await holder.query("select from account_counters where account_id = $1 for no key update", [
        [ada, bob][held]?.id,
      ]);
      sent = [];
      const followed = on.follows.follow(ada, { address: bob.username });
      await expect.poll(() => sent.at(-1)).toContain("for no key update");
      await holder.query("rollback");
      holder.release();
      expect(await followed).toMatchObject({ following: true, counts: { followers: 1 } });
      expect((await on.notifications.list(bob, "all", null)).items).toHaveLength(1);
      expect(await reconcileCounters(db)).toEqual([]);
    }
  });

  test("nobody follows across a block that is made while the follow waits for it", async () => {
    const [ada, bob] = await pair();
    let followed: Promise<unknown> = Promise.resolve();
    const elsewhere = AsyncLocalStorage.snapshot();
    await db.transaction(async () => {
      await on.blocks.block(bob, ada.id);
      sent = [];
      followed = elsewhere(() => on.follows.follow(ada, bob.id));
      followed.catch(() => undefined);
      await expect.poll(() => sent.at(-1)).toContain("for no key update");
    });
    await expect(followed).rejects.toMatchObject({ code: "not-found" });
    expect(await query(db, "select from follows where follower_id = $1", [ada.id])).toEqual([]);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("oneself is refused, in any letter case of the id", async () => {
    const ada = await on.member();
    for (const id of [ada.id, ada.id.toUpperCase()]) {
      await expect(on.follows.follow(ada, id)).rejects.toMatchObject({ code: "self-follow" });
    }
    for (const act of [on.follows.follow, on.follows.unfollow]) {
      const own = act(ada, { address: ada.username });
      await expect(own).rejects.toMatchObject({ code: "self-follow" });
    }
  });

  test("nobody is refused", async () => {
    const ada = await on.member();
    const gone = await on.member();
    await on.suspend(gone);
    const wrong = ["", "x", "a\u0000", "00000000-0000-7000-8000-000000000000", gone.id];
    for (const id of wrong) {
      const refused = { code: "not-found" };
      await expect(on.follows.follow(ada, id), id).rejects.toMatchObject(refused);
      await expect(on.follows.unfollow(ada, id), id).rejects.toMatchObject(refused);
      await expect(on.follows.followers(ada, id, null), id).rejects.toMatchObject(refused);
      await expect(on.follows.following(ada, id, null), id).rejects.toMatchObject(refused);
    }
  });
});

describe("many at once", () => {
  test("50 people who follow one, clicking twice, are 50 followers", async () => {
    const star = await on.member("Star");
    const people = await insertAccounts(db, 50);
    await Promise.all([...people, ...people].map((one) => on.follows.follow(one, star.id)));
    expect((await on.profiles.get(null, star.id))?.counts.followers).toBe(50);
    expect(await reconcileCounters(db)).toEqual([]);
    await Promise.all([...people, ...people].map((one) => on.follows.unfollow(one, star.id)));
    expect((await on.profiles.get(null, star.id))?.counts.followers).toBe(0);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("rapid following and unfollowing ends with correct counts", async () => {
    const [ada, bob] = await pair();
    const storm = Array.from({ length: 50 }, (_, i) =>
      i % 3 === 0 ? on.follows.unfollow(ada, bob.id) : on.follows.follow(ada, bob.id),
    );
    await Promise.all(storm);
    expect(await reconcileCounters(db)).toEqual([]);
    await on.follows.follow(ada, bob.id);
    expect((await on.profiles.get(ada, bob.id))?.counts.followers).toBe(1);
  });

  test("several members' four at once each end with counts and notifications as the follows are", async () => {
    const star = await on.member("Star");
    const people = await insertAccounts(db, 6);
    const { follow, unfollow } = on.follows;
    for (const acts of [
      [follow, unfollow, follow, unfollow],
      [unfollow, follow, unfollow, follow],
    ]) {
      await Promise.all(people.flatMap((one) => acts.map((act) => act(one, star.id))));
      const notified =
        "select actor_id as id from notification_acts where account_id = $1 order by 1";
      const following = "select follower_id as id from followers where followee_id = $1 order by 1";
      const follows = await query(db, following, [star.id]);
      expect(await query(db, notified, [star.id])).toEqual(follows);
      expect((await on.profiles.get(null, star.id))?.counts.followers).toBe(follows.length);
      expect(await reconcileCounters(db)).toEqual([]);
    }
  });

  // A deadlock would be rolled back and tried again, unnoticed.
  test("people who follow each other at the same moment never deadlock", async () => {
    const before = rollbacks;
    const people = await insertAccounts(db, 6);
    const everyPair = people.flatMap((one) =>
      people.filter((other) => other !== one).map((other) => [one, other] as const),
    );
    for (const change of [on.follows.follow, on.follows.unfollow, on.follows.follow]) {
      await Promise.all(everyPair.map(([one, other]) => change(one, other.id)));
    }
    expect((await on.profiles.get(null, people[0]?.id ?? ""))?.counts).toEqual({
      posts: 0,
      photos: 0,
      followers: 5,
      following: 5,
    });
    expect(await reconcileCounters(db)).toEqual([]);
    expect(rollbacks).toBe(before);
  });
});

describe("the lists", () => {
  test("are latest first and say whom the viewer follows", async () => {
    const [ada, bob] = await pair();
    const cleo = await on.member("Cleo");
    await on.follows.follow(bob, ada.id);
    await on.follows.follow(cleo, ada.id);
    await on.follows.follow(cleo, bob.id);
    const seenBy = async (viewer: Viewer | null) =>
      (await on.follows.followers(viewer, ada.id, null)).items.map((one) => [
        one.name,
        one.following,
      ]);
    expect(await seenBy(cleo)).toEqual([
      ["Cleo", false],
      ["Bob", true],
    ]);
    expect(await seenBy(null)).toEqual([
      ["Cleo", false],
      ["Bob", false],
    ]);
    const following = await on.follows.following(null, cleo.id, null);
    expect(following.items.map(({ name }) => name)).toEqual(["Bob", "Ada"]);
    expect(await on.follows.following(null, ada.id, null)).toEqual({ items: [], nextCursor: null });
  });

  const many = everything ? 10_000 : 1_000;

  test(`show ${many} followers once each, whoever follows or unfollows meanwhile`, async () => {
    const star = await on.member("Star");
    const fans = await insertAccounts(db, many);
    await insertFollows(db, fans, [star]);
    expect(await reconcileCounters(db)).toEqual([]);
    const late = await on.member("Late");
    let turn = 0;
    const seen = await everyPage(async (cursor) => {
      turn += 1;
      if (turn % 2 === 0) await on.follows.follow(late, star.id);
      else await on.follows.unfollow(late, star.id);
      return on.follows.followers(fans[0] ?? null, star.id, cursor);
    });
    expect(seen.map(({ id }) => id)).toEqual(fans.map(({ id }) => id).reverse());
  });
});
