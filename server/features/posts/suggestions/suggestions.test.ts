import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeEach(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

const suggestedTo = async (viewer: Viewer) =>
  (await on.suggestions.list(viewer)).map(({ name }) => name);

describe("people to follow", () => {
  test("have posts, can be seen and are not followed yet", async () => {
    const viewer = await on.member("Viewer");
    const [writer, gone] = [await on.member("Writer"), await on.member("Gone")];
    await on.member("Silent");
    for (const one of [viewer, writer, gone]) await on.textPost(one);
    await on.suspend(gone);
    expect(await suggestedTo(viewer)).toEqual(["Writer"]);
    await on.follows.follow(viewer, writer.id);
    expect(await suggestedTo(viewer)).toEqual([]);
    await on.follows.unfollow(viewer, writer.id);
    await on.posts.remove(writer, writer.username, 1);
    expect(await suggestedTo(viewer)).toEqual([]);
  });

  test("never include oneself, or people whom the viewer blocked or muted or who blocked the viewer", async () => {
    const viewer = await on.member("Viewer");
    const [blocked, blocking, muted] = [
      await on.member("Blocked"),
      await on.member("Blocking"),
      await on.member("Muted"),
    ];
    for (const one of [viewer, blocked, blocking, muted]) await on.photoPost(one);
    expect(await suggestedTo(viewer)).toHaveLength(3);
    await on.blocks.block(viewer, blocked.id);
    await on.blocks.block(blocking, viewer.id);
    await on.blocks.mute(viewer, muted.id);
    expect(await suggestedTo(viewer)).toEqual([]);
  });

  test("include people who hide their photos; their cards show no photos", async () => {
    const viewer = await on.member("Viewer");
    const [shy, hidden, open] = [
      await on.member("Shy"),
      await on.member("Hidden"),
      await on.member("Open"),
    ];
    await on.photoPost(shy);
    const { postId } = await on.photoPost(hidden);
    await on.photoPost(open, "", ["a boat"]);
    await on.settings.change(shy, { showInExplore: false });
    await on.explore.setHidden({ authorId: hidden.id, postId }, true);
    await on.operatorSettings.set("explore", "nobody");
    const cards = (await on.suggestions.list(viewer)).map(({ name, photos }) => [
      name,
      photos.map(({ alt }) => alt),
    ]);
    expect(cards).toEqual([
      ["Open", ["a boat"]],
      ["Shy", []],
      ["Hidden", []],
    ]);
  });

  test("are first those whom one's followed people follow, then those whom most follow", async () => {
    const viewer = await on.member("Viewer");
    const [friend, known, famous, other] = [
      await on.member("Friend"),
      await on.member("Known"),
      await on.member("Famous"),
      await on.member("Other"),
    ];
    for (const one of [known, famous, other]) await on.textPost(one);
    await on.follows.follow(viewer, friend.id);
    await on.follows.follow(friend, known.id);
    for (const fan of [known, other]) await on.follows.follow(fan, famous.id);
    expect(await suggestedTo(viewer)).toEqual(["Known", "Famous", "Other"]);
    // people who follow the viewer rank the same
    await on.follows.follow(other, viewer.id);
    await on.follows.follow(friend, other.id);
    expect(await suggestedTo(viewer)).toEqual(["Other", "Known", "Famous"]);
  });

  test("are twelve at most", async () => {
    const viewer = await on.member("Viewer");
    for (const one of await on.members(14)) await on.textPost(one);
    expect(await suggestedTo(viewer)).toHaveLength(12);
  });

  test("say which of one's followed people follow them, where somebody does", async () => {
    const viewer = await on.member("Viewer");
    const [ada, bob, muted, known, strange] = [
      await on.member("Ada"),
      await on.member("Bob"),
      await on.member("Muted"),
      await on.member("Known"),
      await on.member("Strange"),
    ];
    for (const one of [known, strange]) await on.textPost(one);
    for (const friend of [ada, bob, muted]) {
      await on.follows.follow(viewer, friend.id);
      await on.follows.follow(friend, known.id);
    }
    await on.follows.follow(ada, strange.id);
    await on.follows.unfollow(ada, strange.id);
    await on.blocks.mute(viewer, muted.id);
    const said = async () =>
      (await on.suggestions.list(viewer)).map(({ name, followedBy }) => [name, followedBy]);
    expect(await said()).toEqual([
      ["Known", { name: "Bob", others: 1 }],
      ["Strange", null],
    ]);
    await on.blocks.block(viewer, bob.id);
    expect(await said()).toEqual([
      ["Known", { name: "Ada", others: 0 }],
      ["Strange", null],
    ]);
    await on.suspend(ada);
    expect((await said())[0]).toEqual(["Known", null]);
  });

  test("show their three newest photos, the first of each post, and a line of their bio", async () => {
    const viewer = await on.member("Viewer");
    const [words, photos] = [await on.member("Words"), await on.member("Photos")];
    await on.textPost(words);
    for (const alt of ["one", "two", "three", "four"])
      await on.photoPost(photos, "", [alt, "more"]);
    await on.textPost(photos);
    await query(db, "update accounts set bio = $2 where id = $1", [
      photos.id,
      "\n  Boats, mostly.\nAnd geese.",
    ]);
    const suggested = await on.suggestions.list(viewer);
    expect(suggested.map(({ name }) => name)).toEqual(["Photos", "Words"]);
    const [first, second] = suggested;
    expect(first?.photos.map(({ alt }) => alt)).toEqual(["four", "three", "two"]);
    expect(first).toMatchObject({ bio: "Boats, mostly.", following: false });
    expect(second).toMatchObject({ bio: "", photos: [] });
  });

  test("put accounts created within a day behind others with photos, however many there are", async () => {
    const viewer = await on.member("Viewer");
    const [settled, ...fresh] = [await on.member("Settled"), ...(await on.members(3))];
    for (const one of [settled as Viewer, ...fresh]) await on.photoPost(one);
    for (const one of fresh) {
      for (const other of fresh) if (one !== other) await on.follows.follow(one, other.id);
    }
    await query(db, "update accounts set created_at = now() - interval '2 days' where id = $1", [
      settled?.id,
    ]);
    expect((await suggestedTo(viewer))[0]).toBe("Settled");
    expect(await suggestedTo(viewer)).toHaveLength(4);
  });
});

describe("dismissing somebody", () => {
  test("hides them, from this member alone, until a later follow of theirs has ended", async () => {
    const [viewer, other] = [await on.member("Viewer"), await on.member("Other")];
    const [one, two] = [await on.member("One"), await on.member("Two")];
    for (const writer of [one, two]) await on.textPost(writer);
    await on.suggestions.dismiss(viewer, one.id);
    await on.suggestions.dismiss(viewer, one.id.toUpperCase());
    expect(await suggestedTo(viewer)).toEqual(["Two"]);
    expect(await suggestedTo(other)).toEqual(["Two", "One"]);
    await on.follows.follow(viewer, one.id);
    await on.follows.unfollow(viewer, one.id);
    expect(await suggestedTo(viewer)).toEqual(["Two", "One"]);
  });

  test("is refused for oneself and for unknown people", async () => {
    const viewer = await on.member("Viewer");
    for (const id of [viewer.id, "0197f3a0-0000-7000-8000-000000000000", "nobody"]) {
      await expect(on.suggestions.dismiss(viewer, id), id).rejects.toMatchObject({
        code: "not-found",
      });
    }
  });

  test("stores the newest 500 of a member", async () => {
    const viewer = await on.member("Viewer");
    const [first, ...more] = await insertAccounts(db, 502);
    for (const { id } of [first as Viewer, ...more]) await on.suggestions.dismiss(viewer, id);
    const kept = await query<{ dismissed_id: string }>(
      db,
      "select dismissed_id from dismissed_suggestions where account_id = $1 order by id",
      [viewer.id],
    );
    expect(kept.map(({ dismissed_id }) => dismissed_id)).toEqual(more.slice(1).map(({ id }) => id));
  });
});
