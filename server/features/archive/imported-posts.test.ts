import { describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { newId } from "#server/platform/db/ids.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { archiveFiles, archiveTest } from "#server/test/archives.ts";
import { everyPage } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { keysIn } from "#server/test/traces.ts";
import type { Viewer } from "#shared/views.ts";

// every batch is a turn
const { db, on, archives } = await archiveTest({ importTurnMs: 0 });

const hour = 3_600_000;
const archived = (fields: object = {}) => ({
  id: newId(),
  number: 1,
  time: Date.now() - hour,
  caption: "brought",
  pictures: [],
  ...fields,
});

const bring = async (viewer: Viewer, posts: object[]) =>
  archives.imported(viewer, await archives.zipOf(archiveFiles(posts)));

const captionsOf = async (viewer: Viewer, of: Viewer) =>
  (await everyPage((cursor) => on.posts.textsOf(viewer, of.id, cursor))).map(
    (post) => post.caption,
  );

describe("imported posts", () => {
  test("stand in the profile on their days, are in no feed, and notify nobody", async () => {
    const [ada, fay, mia] = await on.members(3);
    await on.follows.follow(fay!, ada!.id);
    const before = await on.textPost(ada!, "news");
    const caption = `brought @${mia!.username}`;
    await bring(ada!, [
      archived({ caption }),
      archived({ caption: "for followers", audience: "followers" }),
    ]);
    await on.closeFriends.put(ada!, fay!.id);
    await bring(ada!, [archived({ caption: "for friends", audience: "close-friends" })]);

    expect((await captionsOf(fay!, ada!)).toSorted()).toEqual(
      [caption, "for followers", "for friends", "news"].toSorted(),
    );
    const feed = async () =>
      (await everyPage((cursor) => on.feed.home(fay!, cursor))).map(({ id }) => id);
    expect(await feed()).toEqual([before.postId]);
    await on.homeLists.work();
    expect(await feed()).toEqual([before.postId]);
    const pending = sql`select from home_pending where author_id = ${ada!.id} and post_id <> ${before.postId}`;
    expect(await db.query(pending)).toEqual([]);
    expect((await on.notifications.list(mia!, "all", null)).items).toEqual([]);
    expect((await on.notifications.list(fay!, "all", null)).items).toEqual([]);
  });
});

describe("undoing an import", () => {
  test("removes its posts and no others, in batches, with their files, and says before what goes", async () => {
    const [ada, eve] = await on.members(2);
    const own = await on.textPost(ada!, "my own");
    const other = await bring(ada!, [archived({ caption: "of another import" })]);
    const files = (await keysIn(on.store)).length;
    const from = (await on.members(1))[0]!;
    await on.photoPost(from, "a photo");
    for (let nth = 0; nth < 25; nth += 1) await on.textPost(from, `post ${nth}`);
    const archive = await archives.exported(from);
    const { id, taken } = await archives.imported(ada!, archive);
    expect(taken).toBe(26);
    const [commented] = await query<{ id: string; number: number }>(
      db,
      "select id, number from posts where author_id = $1 and import_id = $2 order by id limit 1",
      [ada!.id, id],
    );
    const ref = { authorId: ada!.id, postId: commented!.id };
    await on.comments.add(eve!, ref, "How nice", null);
    await on.comments.add(ada!, own, "x", null);

    expect(await on.imports.questionBeforeUndo(ada!, id)).toMatchObject({
      posts: 26,
      commented: 1,
    });
    expect(await on.imports.questionBeforeUndo(eve!, id)).toBeNull();
    await expect(on.imports.undo(eve!, id)).rejects.toMatchObject({ code: "not-found" });
    await expect(on.imports.undo(ada!, "x")).rejects.toMatchObject({ code: "not-found" });

    await on.imports.undo(ada!, id);
    expect(await on.imports.latest(ada!)).toMatchObject({ undoing: true, undone: 0 });
    await expect(on.imports.checkMayStart(ada!)).rejects.toMatchObject({ code: "import-undoing" });
    await expect(on.imports.undo(ada!, id)).rejects.toMatchObject({ code: "not-found" });
    expect((await on.jobs.runDue()).failed).toEqual([]);
    expect(await on.imports.latest(ada!)).toMatchObject({ undoing: false, undone: 26 });
    expect(await captionsOf(ada!, ada!)).toEqual(["my own", "of another import"]);
    expect((await on.imports.undoable(ada!)).map((each) => each.id)).toEqual([other.id]);
    // what the other account has stays
    expect(await keysIn(on.store)).toHaveLength(files + 2);
    expect(await reconcileCounters(db)).toEqual([]);

    expect(await archives.imported(ada!, archive)).toMatchObject({ taken: 26, known: 0 });
  });

  test("takes its albums along, but not one with other photos in it", async () => {
    const [ada, from] = await on.members(2);
    for (const title of ["Summer", "Winter"]) {
      const { id } = await on.albums.create(from!, { title });
      const imageId = await on.upload(from!);
      await on.albums.addPhoto(from!, id, { imageId, caption: "", clientKey: null });
    }
    const { id } = await archives.imported(ada!, await archives.exported(from!));
    const titles = async () => (await on.albums.of(ada!, ada!.id, null)).items;
    const winter = (await titles()).find(({ title }) => title === "Winter");
    const imageId = await on.upload(ada!);
    await on.albums.addPhoto(ada!, winter!.id, { imageId, caption: "of mine", clientKey: null });
    await on.imports.undo(ada!, id);
    expect((await on.jobs.runDue()).failed).toEqual([]);
    expect(await titles()).toMatchObject([{ title: "Winter", photoCount: 1 }]);
  });

  test("is possible for thirty days", async () => {
    const [ada] = await on.members(1);
    const { id } = await bring(ada!, [archived()]);
    await query(db, "update imports set created_at = now() - interval '31 days' where id = $1", [
      id,
    ]);
    expect(await on.imports.undoable(ada!)).toEqual([]);
    expect(await on.imports.questionBeforeUndo(ada!, id)).toBeNull();
    await expect(on.imports.undo(ada!, id)).rejects.toMatchObject({ code: "not-found" });
    expect(await captionsOf(ada!, ada!)).toEqual(["brought"]);
  });
});
