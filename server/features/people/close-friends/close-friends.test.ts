import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

/** As pairs of a name and whether it is on the list. */
const candidatesOf = async (viewer: Viewer, typed = "") =>
  (await everyPage((cursor) => on.closeFriends.list(viewer, typed, cursor))).map(
    ({ name, close }) => [name, close],
  );

describe("close friends", () => {
  test("are put on the list and taken off it, each as often as one likes", async () => {
    const [ada, bob, cleo] = [
      await on.member("Ada"),
      await on.member("Bob"),
      await on.member("Cleo"),
    ];
    expect(await candidatesOf(ada)).toEqual([]);
    for (const friend of [bob, cleo, bob]) {
      expect(await on.closeFriends.put(ada, friend.id.toUpperCase())).toEqual({ close: true });
    }
    expect(await candidatesOf(ada)).toEqual([
      ["Cleo", true],
      ["Bob", true],
    ]);
    expect(await candidatesOf(bob)).toEqual([]);
    for (let times = 0; times < 2; times += 1) {
      expect(await on.closeFriends.remove(ada, cleo.id)).toEqual({ close: false });
    }
    expect(await candidatesOf(ada)).toEqual([["Bob", true]]);
  });

  test("are chosen among followers, the list first, and among all whom a search finds", async () => {
    const star = await on.member("Star");
    const fans = await insertAccounts(db, 70);
    await insertFollows(db, fans, [star]);
    const stranger = await on.member("Zebulon Unique");
    const [first, last] = [fans[0] as Viewer, fans.at(-1) as Viewer];
    await on.closeFriends.put(star, first.id);
    await on.closeFriends.put(star, stranger.id);
    const all = await everyPage((cursor) => on.closeFriends.list(star, " ", cursor));
    expect(all.map(({ id }) => id)).toEqual([
      stranger.id,
      first.id,
      ...fans
        .slice(1)
        .map(({ id }) => id)
        .reverse(),
    ]);
    expect(all.map(({ close }) => close)).toEqual(all.map((_, index) => index < 2));
    expect(await candidatesOf(star, "zebulon")).toEqual([["Zebulon Unique", true]]);
    expect(await candidatesOf(first, "zebulon")).toEqual([["Zebulon Unique", false]]);
    expect(await candidatesOf(star, "Star"), "not oneself").toEqual([]);
    await on.suspend(stranger);
    await on.blocks.block(last, star.id);
    const ids = (await everyPage((cursor) => on.closeFriends.list(star, "", cursor))).map(
      ({ id }) => id,
    );
    expect(ids).not.toContain(stranger.id);
    expect(ids).not.toContain(last.id);
    expect(ids).toHaveLength(69);
  });

  test("learn nothing of it", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const seen = async () => [
      await on.profiles.get(bob, ada.id),
      await on.relations.relations(bob, [ada.id]),
      await on.relations.details(bob, [ada.id]),
      await on.notifications.list(bob, "all", null),
    ];
    const before = await seen();
    await on.closeFriends.put(ada, bob.id);
    expect(await seen()).toEqual(before);
    await on.closeFriends.remove(ada, bob.id);
    expect(await seen()).toEqual(before);
  });

  test("are nobody who may not be seen, and not oneself", async () => {
    const [ada, bob, gone] = [
      await on.member("Ada"),
      await on.member("Bob"),
      await on.member("Gone"),
    ];
    await on.blocks.block(bob, ada.id);
    await on.suspend(gone);
    for (const id of ["", "x", newId(), ada.id, bob.id, gone.id]) {
      await expect(on.closeFriends.put(ada, id), id).rejects.toMatchObject({ code: "not-found" });
    }
  });

  test("end with a block in either direction, for good", async () => {
    for (const by of [0, 1]) {
      const pair = [await on.member("Ada"), await on.member("Bob")] as const;
      const [ada, bob] = pair;
      await on.closeFriends.put(ada, bob.id);
      await on.closeFriends.put(bob, ada.id);
      await on.blocks.block(pair[by] as Viewer, pair[1 - by]?.id ?? "");
      await on.blocks.unblock(pair[by] as Viewer, pair[1 - by]?.id ?? "");
      expect([await candidatesOf(ada), await candidatesOf(bob)]).toEqual([[], []]);
    }
  });

  test("never stand beside a block that is made at the same moment", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
      await Promise.allSettled([
        on.closeFriends.put(ada, bob.id),
        on.blocks.block(bob, ada.id),
        on.closeFriends.put(bob, ada.id),
        on.closeFriends.put(ada, bob.id),
      ]);
      const left = await query(db, "select from close_friends where account_id in ($1, $2)", [
        ada.id,
        bob.id,
      ]);
      expect(left).toEqual([]);
    }
  });

  test(`are ${limits.closeFriends} at most, also where many are put at once`, async () => {
    const ada = await on.member("Ada");
    const people = await insertAccounts(db, limits.closeFriends + 3);
    const rest = people.splice(limits.closeFriends - 2);
    await query(
      db,
      `insert into close_friends (account_id, friend_id, id)
      select $1, id, gen_random_uuid() from unnest($2::uuid[]) id`,
      [ada.id, people.map(({ id }) => id)],
    );
    const outcomes = await Promise.allSettled(rest.map(({ id }) => on.closeFriends.put(ada, id)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected")
        expect(outcome.reason).toMatchObject({ code: "close-friends-full" });
    }
    expect(await on.closeFriends.put(ada, people[0]?.id ?? ""), "it is there").toEqual({
      close: true,
    });
  });
});
