import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { client } from "#server/test/identity.ts";
import { query } from "#server/test/query.ts";
import type { AlbumAudience } from "#shared/albums.ts";
import type { AlbumPhoto, Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let moderator: Viewer;
let ada: Viewer, bob: Viewer, eve: Viewer;
let photo: AlbumPhoto;

const spam = { reason: "spam", words: "" } as const;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  moderator = { ...(await on.member("Mo Derator")), moderator: true };
  await on.administration.setRole(moderator.id, "moderator");
});
beforeEach(() => query(db, "delete from moderation_cases"));

/** Ada's album with a photo of Bob's, who contributes; Eve follows nobody. */
async function album(audience: AlbumAudience = "everyone") {
  [ada, bob, eve] = (await on.members(3)) as [Viewer, Viewer, Viewer];
  await on.follows.follow(bob, ada.id);
  const words = { title: "Cheap coins", description: "Call me", audience };
  const { id } = await on.albums.create(ada, words);
  await on.albumMembers.put(ada, id, bob.username, "contributor");
  const imageId = await on.upload(bob);
  photo = await on.albums.addPhoto(bob, id, { imageId, alt: "a coin", clientKey: null });
  return { id, about: { kind: "album" as const, albumId: id } };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: { code: string }) => code,
  );

async function decide(act: "clear-words" | "take-down" | "suspend", takeDown = false) {
  const [waiting] = (await on.moderation.queue(moderator, null)).items;
  const verdict = { act, reason: "Spam", days: act === "suspend" ? 1 : null, takeDown };
  await on.moderation.decide(moderator, waiting!.id, verdict);
  return on.moderation.find(moderator, waiting!.id);
}

const ownVerdict = async () => (await on.moderation.verdicts(ada, null)).items[0]!;

describe("a reported album", () => {
  test("is shown to moderators with its words, cover and owner as they were", async () => {
    const { id, about } = await album("members");
    expect(await codeOf(on.reports.report(eve, about, spam))).toBe("not-found");
    expect(await codeOf(on.reports.report(ada, about, spam))).toBe("self-report");
    await on.reports.report(bob, about, spam);
    await on.albums.edit(ada, id, { title: "Nice weather", description: "" });
    const [row] = (await on.moderation.queue(moderator, null)).items;
    expect(row).toMatchObject({ subject: "album", account: { id: ada.id }, pictures: 1 });
    const found = await on.moderation.find(moderator, row!.id);
    expect(found).toMatchObject({
      said: "Cheap coins\nCall me",
      images: [{ alt: "a coin" }],
      // it is for its members
      path: null,
      reportedBy: [{ account: { id: bob.id } }],
    });
    expect(await on.moderation.find(null, row!.id)).toMatchObject({ path: `/album/${id}` });
    expect(await codeOf(on.albums.get(moderator, id))).toBe("not-found");
  });

  test("can be reported by whom its owner blocked, and by a guest of somebody who sees it", async () => {
    const { id, about } = await album();
    await on.blocks.block(ada, eve.id);
    expect(await codeOf(on.albums.get(eve, id))).toBe("not-found");
    await on.reports.report(eve, about, spam);
    await on.reports.reportAsGuest({ makerId: bob.id, about }, spam, client().ip);
    const [row] = (await on.moderation.queue(moderator, null)).items;
    expect(row).toMatchObject({ subject: "album", reports: 2 });
    const never = { kind: "album" as const, albumId: newId() };
    expect(await codeOf(on.reports.report(eve, never, spam))).toBe("not-found");
  });

  test("that is removed leaves each photo to its author alone; its owner is told and may appeal", async () => {
    const { id, about } = await album();
    expect(await on.posts.get(eve, bob.username, photo.number)).not.toBeNull();
    await on.reports.report(bob, about, spam);
    const found = await decide("take-down");
    expect(found).toMatchObject({ path: null, verdict: { act: "take-down", takenDown: true } });
    expect(await codeOf(on.albums.get(ada, id))).toBe("not-found");
    expect(await on.posts.get(eve, bob.username, photo.number)).toBeNull();
    expect(await on.posts.get(bob, bob.username, photo.number)).toMatchObject({
      audience: "only-me",
    });
    const verdict = await ownVerdict();
    expect(verdict).toMatchObject({ subject: "album", takenDown: true, mayAnswer: true });
    await on.moderation.answer(ada.id, verdict.id, { words: "They are real" });
    const [again] = (await on.moderation.queue(moderator, null)).items;
    expect(again).toMatchObject({ id: found.id, state: "answered" });
    const { items } = await on.moderation.log(moderator, null);
    expect(items.slice(0, 2).map(({ act }) => act)).toEqual(["answer", "take-down"]);
    expect(items[1]).toMatchObject({ subject: "album", subjectId: id });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("that loses its words keeps its photos", async () => {
    const { id, about } = await album();
    await on.reports.report(bob, about, spam);
    expect((await decide("clear-words")).verdict).toMatchObject({ takenDown: false });
    expect(await on.albums.get(eve, id)).toMatchObject({
      title: "Album",
      description: "",
      photoCount: 1,
    });
    expect(await ownVerdict()).toMatchObject({ act: "clear-words", said: "Cheap coins\nCall me" });
    expect((await on.reports.list(bob, null)).items[0]).toMatchObject({ outcome: "acted" });
  });

  test("goes with a suspension where moderators say so", async () => {
    const { id, about } = await album();
    await on.reports.report(bob, about, spam);
    await decide("suspend", true);
    expect(await query(db, "select id from albums where id = $1", [id])).toEqual([]);
    expect(await ownVerdict()).toMatchObject({ act: "suspend", takenDown: true });
  });

  test("is the only thing whose words are removed", async () => {
    await album();
    await on.reports.report(bob, { kind: "account", accountId: ada.id }, spam);
    expect(await codeOf(decide("clear-words"))).toBe("input-invalid");
  });

  test("is not said to be removed by a release that does not know albums", async () => {
    const { id, about } = await album();
    await on.reports.report(bob, about, spam);
    const verdict = `insert into verdicts (account_id, id, case_id, act, taken_down, reason)
      select account_id, $1, id, 'take-down', true, 'Spam' from moderation_cases`;
    await expect(query(db, verdict, [newId()])).rejects.toThrow("this album is not taken down");
    expect(await on.albums.get(eve, id)).toMatchObject({ title: "Cheap coins" });
  });
});
