import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import * as queries from "#server/features/archive/device-imports.queries.ts";
import { endImport } from "#server/features/archive/end-import.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { testApp } from "#server/test/app.ts";
import { archiveFiles, archivesOf, contentsOf } from "#server/test/archives.ts";
import { freshDatabase } from "#server/test/database.ts";
import { deviceOf } from "#server/test/device-imports.ts";
import { everyPage } from "#server/test/factories.ts";
import { scene } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { newId } from "#server/platform/db/ids.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const app = await testApp(db);
const { features: on } = app;
const archives = archivesOf(on);
let photo: Buffer;
/** Who brings photos, a follower who is a close friend as well, another follower, and a visitor. */
let ada: Viewer, fay: Viewer, ben: Viewer;

beforeAll(async () => {
  photo = await (await scene(48, 32)).jpeg().toBuffer();
});
beforeEach(async () => {
  [ada, fay, ben] = (await on.members(3)) as [Viewer, Viewer, Viewer];
  for (const follower of [fay, ben]) await on.follows.follow(follower, ada.id);
  await on.closeFriends.put(ada, fay.id);
});

const most = limits.archive.newestShown;
const hour = 3_600_000;
const day = Date.UTC(2019, 6, 1);
/** Not the order in which they happened. */
const shuffled = (count: number) =>
  Array.from({ length: count }, (_, nth) => (nth * 7 + 3) % count);

const captions = (items: { caption: string }[]) => items.map(({ caption }) => caption);
const feedOf = async (viewer: Viewer) =>
  captions(await everyPage((cursor) => on.feed.home(viewer, cursor)));
/** From now on the viewer's home is read from a list. */
async function listFor(viewer: Viewer): Promise<void> {
  on.homeLists.refreshSoon(viewer.id);
  await on.homeLists.work();
}
const entriesOf = async ({ id }: Viewer) =>
  (
    await query<{ caption: string }>(
      db,
      `select caption from home_entries e join posts p on p.author_id = e.author_id and p.id = e.post_id
      where e.account_id = $1 order by p.id desc`,
      [id],
    )
  ).map(({ caption }) => caption);
const pending = () => query(db, "select from home_pending where author_id = $1", [ada.id]);
const deviceFor = () => deviceOf(app, ada, photo);

/** Number 0 is the oldest, and every fourth is for nobody else. */
const audienceOf = (nth: number): Audience =>
  (["everyone", "followers", "close-friends", "only-me"] as const)[nth % 4] ?? "everyone";
const names = (numbers: number[]) => numbers.map((nth) => `number ${nth}`);

async function bringArchive(count: number, showNewest: boolean): Promise<string> {
  const posts = shuffled(count).map((nth) => ({
    id: newId(),
    number: nth + 1,
    time: day + nth * hour,
    caption: `number ${nth}`,
    audience: audienceOf(nth),
    pictures: [],
  }));
  const upload = await archives.uploaded(await archives.zipOf(archiveFiles(posts)));
  await on.imports.start(ada, upload, { showNewest });
  expect((await on.jobs.runDue()).failed).toEqual([]);
  return (await on.imports.latest(ada))!.id;
}

describe("the newest posts of an import", () => {
  test("are in home on their days, for whom they are, from lists and without, until it is undone", async () => {
    await on.textPost(ada, "today");
    await listFor(fay);
    const id = await bringArchive(20, true);
    // 19, 15, 11 … are for nobody else.
    const ten = names([18, 17, 16, 14, 13, 12, 10, 9, 8, 6]);
    const forFollowers = names([17, 16, 13, 12, 9, 8]);
    for (const listed of [false, true]) {
      if (listed) await on.homeLists.work();
      expect(await feedOf(fay), `${listed}`).toEqual(["today", ...ten]);
      expect(await feedOf(ben), `${listed}`).toEqual(["today", ...forFollowers]);
    }
    expect(await entriesOf(fay)).toEqual(["today", ...forFollowers]);
    expect(await pending()).toEqual([]);
    const [oldest] = (await on.feed.home(fay, null)).items.slice(-1);
    expect(oldest).toMatchObject({ createdAt: day + 6 * hour, imported: true });
    const archived = (await contentsOf(await archives.exported(ada))).get("posts/0001.json");
    const { posts } = JSON.parse(String(archived)) as { posts: { imported: boolean }[] };
    expect(posts.filter(({ imported }) => !imported)).toHaveLength(1);

    await on.imports.undo(ada, id);
    expect((await on.jobs.runDue()).failed).toEqual([]);
    for (const viewer of [fay, ben]) expect(await feedOf(viewer)).toEqual(["today"]);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("notify nobody, and are no new posts for whoever has home open", async () => {
    const top = await on.textPost(ada, "today");
    await on.feed.visit(fay, 20);
    const id = await deviceFor().begin({ showNewest: true });
    const caption = `Hello @${ben.username}`;
    await deviceFor().post(id, { key: 1, time: day, caption });
    await deviceFor().end(id, {});
    expect(await feedOf(fay)).toEqual(["today", caption]);
    expect(await on.feed.newerCount(fay, top.postId)).toBe(0);
    for (const viewer of [fay, ben])
      expect((await on.notifications.list(viewer, "all", null)).items).toEqual([]);
  });

  test("are in Explore and in apps as any post of their day, the others are not", async () => {
    const id = await deviceFor().begin({ showNewest: true });
    for (const nth of shuffled(most + 3)) {
      const pictures = [{ imageId: await deviceFor().send(id) }];
      await deviceFor().post(id, { key: nth, time: day + nth * hour, caption: `${nth}`, pictures });
    }
    const recent = () =>
      query<{ caption: string }>(
        db,
        "select caption from recent_photos r join posts p on p.id = r.post_id where p.author_id = $1",
        [ada.id],
      );
    expect(await recent()).toEqual([]);
    await deviceFor().end(id, {});
    const shown = Array.from({ length: most }, (_, nth) => `${most + 2 - nth}`);
    const inExplore = shown.slice(0, limits.explore.perAccount);
    expect(captions(await recent()).toSorted()).toEqual(inExplore.toSorted());
    const own = await on.feed.written(ada, null, 20);
    expect(captions(own.items.map(({ post }) => post))).toEqual(shown);
  });

  test("stay out of feeds where nobody chose that, and where an import of the same posts makes none", async () => {
    await bringArchive(3, false);
    expect(await feedOf(fay)).toEqual([]);
    const bring = async () => {
      const id = await deviceFor().begin({ showNewest: false });
      await deviceFor().post(id, { key: 1, time: day, caption: "brought" });
      await deviceFor().end(id, {});
    };
    await bring();
    const again = await deviceFor().begin({ showNewest: true });
    expect(await deviceFor().post(again, { key: 1, time: day, caption: "brought" })).toBe("known");
    await deviceFor().end(again, {});
    expect(await feedOf(fay)).toEqual([]);
    expect(await pending()).toEqual([]);
  });

  test("are those of the whole import, from two devices in any order, once it is over", async () => {
    const [phone, desk] = [deviceFor(), deviceFor()];
    const id = await phone.begin({ showNewest: true });
    const all = shuffled(most + 5);
    const bring = async (device: typeof phone, numbers: number[]) => {
      for (const nth of numbers)
        await device.post(id, { key: nth, time: day + nth * hour, caption: `number ${nth}` });
    };
    await bring(phone, all.slice(0, 6));
    // What is chosen last counts, and this is the choice that the other device is shown.
    expect(await desk.begin({ showNewest: false })).toBe(id);
    expect(await on.imports.latest(ada)).toMatchObject({ showNewest: false });
    expect(await desk.begin({ showNewest: true })).toBe(id);
    // one that cannot come
    expect(await desk.post(id, { key: 99, time: Date.now() + 24 * hour, caption: "later" })).toBe(
      "not-importable",
    );
    await Promise.all([bring(phone, all), bring(desk, all)]);
    expect(await feedOf(fay)).toEqual([]);
    await Promise.all([phone.end(id, {}), desk.end(id, {}), phone.end(id, {})]);
    const expected = names(Array.from({ length: most }, (_, nth) => most + 4 - nth));
    expect(await feedOf(fay)).toEqual(expected);
    await desk.end(id, {});
    expect(await feedOf(fay)).toEqual(expected);
  });

  test("are all that came where a device never goes on, after a week", async () => {
    const id = await deviceFor().begin({ showNewest: true });
    await deviceFor().post(id, { key: 1, time: day, caption: "came" });
    const later = new Date(Date.now() + (limits.archive.openDays + 1) * 24 * hour);
    await on.deviceImports.sweep(later);
    expect(await on.imports.latest(ada)).toMatchObject({ state: "failed", taken: 1 });
    expect(await feedOf(fay)).toEqual(["came"]);
  });

  test("are shown with its end, or not at all where a server dies before both are written", async () => {
    const id = await deviceFor().begin({ showNewest: true });
    await deviceFor().post(id, { key: 1, time: day, caption: "came" });
    const key = { accountId: ada.id, id };
    const dying: Database = { ...db, query: () => Promise.reject(new Error("killed")) };
    const result = { skipped: [], leftOut: [], known: 0 };
    const end = endImport(dying, ada.id, () => queries.endOpen(dying, key, result));
    await expect(end).rejects.toThrow("killed");
    expect(await on.imports.latest(ada)).toMatchObject({ state: "arriving" });
    expect(await feedOf(fay)).toEqual([]);
    await deviceFor().end(id, {});
    expect(await feedOf(fay)).toEqual(["came"]);
  });

  test("include one that was written just before its end", async () => {
    await listFor(ben);
    for (let nth = 0; nth < 8; nth += 1) {
      const id = await deviceFor().begin({ showNewest: true });
      const post = deviceFor().post(id, { key: nth, time: day + nth, caption: `${nth}` });
      await Promise.all([post, deviceFor().end(id, {}), on.homeLists.work()]);
    }
    await on.homeLists.work();
    const written = await query<{ caption: string }>(
      db,
      "select caption from posts where author_id = $1 order by id desc",
      [ada.id],
    );
    expect(await feedOf(fay)).toEqual(captions(written));
    expect(await feedOf(ben)).toEqual(captions(written));
    expect(await entriesOf(ben)).toEqual(captions(written));
  });
});
