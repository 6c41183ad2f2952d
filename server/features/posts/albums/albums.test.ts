import { beforeAll, describe, expect, test } from "vitest";
import { describeIn } from "#server/features/talk/index.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { AlbumAudience } from "#shared/albums.ts";
import { limits } from "#shared/limits.ts";
import type { AlbumPhoto, AlbumView, Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let ada: Viewer, bob: Viewer, cleo: Viewer, eve: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

/** Ada's album; Bob contributes, Cleo follows Ada, Eve is a stranger. */
async function album(audience: AlbumAudience = "members"): Promise<AlbumView> {
  [ada, bob, cleo, eve] = (await on.members(4)) as [Viewer, Viewer, Viewer, Viewer];
  for (const follower of [bob, cleo]) await on.follows.follow(follower, ada.id);
  const made = await on.albums.create(ada, { title: "Summer", audience });
  await on.albumMembers.put(ada, made.id, bob.username, "contributor");
  return made;
}

async function add(author: Viewer, id: string, caption = ""): Promise<AlbumPhoto> {
  const imageId = await on.upload(author);
  return on.albums.addPhoto(author, id, { imageId, caption, clientKey: null });
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: { code: string }) => code,
  );
const captions = async (viewer: Viewer | null, id: string) =>
  (await everyPage((cursor) => on.albums.photos(viewer, id, cursor))).map(({ caption }) => caption);
const at = ({ author, number }: AlbumPhoto) => ({ address: author.username, number });
const pageOf = (viewer: Viewer | null, { author, number }: AlbumPhoto) =>
  on.posts.get(viewer, author.username, number);
const audienceOf = async (viewer: Viewer, photo: AlbumPhoto) =>
  (await pageOf(viewer, photo))?.audience;
const consistent = async () => expect(await reconcileCounters(db)).toEqual([]);

describe("an album", () => {
  test.each([
    ["members", ["ada", "bob"]],
    ["followers", ["ada", "bob", "cleo"]],
    ["everyone", ["ada", "bob", "cleo", "eve", "visitor"]],
  ] as const)(
    "for %s is there for them, with its photos, and for nobody else",
    async (audience, who) => {
      const { id } = await album(audience);
      const photos = [await add(ada, id, "hers"), await add(bob, id, "his")];
      const people = { ada, bob, cleo, eve, visitor: null };
      for (const [name, viewer] of Object.entries(people)) {
        const may = who.some((one) => one === name);
        expect(await outcome(on.albums.get(viewer, id)), name).toBe(may ? "done" : "not-found");
        for (const photo of photos) expect((await pageOf(viewer, photo)) !== null, name).toBe(may);
        const listed = (await on.albums.of(viewer, ada.id, null)).items;
        expect(
          listed.map(({ photoCount }) => photoCount),
          name,
        ).toEqual(may ? [2] : []);
        if (may) expect(await captions(viewer, id)).toEqual(["hers", "his"]);
        else expect(await outcome(on.albums.photos(viewer, id, null))).toBe("not-found");
      }
      expect(await audienceOf(bob, photos[0]!)).toBe("album");
      expect((await pageOf(bob, photos[0]!))?.album).toEqual({ id, title: "Summer" });
    },
  );

  test("changes whom it is for at once, and 'everyone' of a private account is followers", async () => {
    const { id } = await album("everyone");
    const photo = await add(bob, id);
    await on.privacy.set(ada, true);
    expect([await pageOf(eve, photo), await pageOf(null, photo)]).toEqual([null, null]);
    expect(await audienceOf(cleo, photo)).toBe("album");
    await on.privacy.set(ada, false);
    expect(await audienceOf(eve, photo)).toBe("album");
    await on.albums.edit(ada, id, { audience: "members" });
    expect([await pageOf(eve, photo), await pageOf(cleo, photo)]).toEqual([null, null]);
    expect(await outcome(on.albums.edit(bob, id, { title: "Mine" }))).toBe("not-yours");
    expect(await outcome(on.albums.edit(eve, id, { title: "Mine" }))).toBe("not-found");
  });

  test("is closed, with everybody's photos, to whom its owner blocked, and each author's to whom they did", async () => {
    const { id } = await album("everyone");
    const photos = [await add(ada, id, "hers"), await add(bob, id, "his")] as const;
    await on.blocks.block(ada, eve.id);
    await on.blocks.block(cleo, bob.id);
    expect(await outcome(on.albums.get(eve, id))).toBe("not-found");
    expect([await pageOf(eve, photos[0]), await pageOf(eve, photos[1])]).toEqual([null, null]);
    expect([await pageOf(cleo, photos[0]), await pageOf(cleo, photos[1])]).toMatchObject([
      {},
      null,
    ]);
    expect(await captions(cleo, id)).toEqual(["hers"]);
    expect(await on.albums.get(cleo, id)).toMatchObject({ photoCount: 1, contributors: [] });
    expect((await on.albums.get(null, id)).photoCount).toBe(2);
  });

  test("is in no list of its photos' authors, and in none of their numbers", async () => {
    const { id } = await album("everyone");
    await add(ada, id, "in the album #album @somebody");
    const own = await on.publish(ada, { caption: "only mine", audience: "only-me" });
    for (const viewer of [ada, cleo, null]) {
      expect((await on.posts.photosOf(viewer, ada.id, null)).items).toEqual([]);
      const { counts } = (await on.profiles.get(viewer, ada.id))!;
      expect([counts.posts, counts.photos]).toEqual([viewer === ada ? 1 : 0, 0]);
    }
    expect((await on.feed.home(cleo, null)).items).toEqual([]);
    const { items } = await on.feed.written(ada, null, 20);
    expect(items.map(({ post }) => post.id)).toEqual([own.postId]);
    expect((await on.explore.recent(eve, null)).items).toEqual([]);
    expect((await on.tags.posts(eve, "album", null)).items).toEqual([]);
    await consistent();
  });

  test("sent again with the same key is made once, and so is a photo", async () => {
    await album();
    const again = () => on.albums.create(ada, { title: "Twice", clientKey: "a" });
    const { id } = await again();
    expect((await again()).id).toBe(id);
    const imageId = await on.upload(ada);
    const photo = () => on.albums.addPhoto(ada, id, { imageId, clientKey: "b" });
    expect((await photo()).id).toBe((await photo()).id);
    expect((await on.albums.get(ada, id)).photoCount).toBe(1);
  });
});

describe("what is in an album", () => {
  test("is added by its owner and contributors alone", async () => {
    const { id } = await album("everyone");
    await on.albumMembers.put(ada, id, cleo.username, "member");
    expect(await outcome(add(cleo, id))).toBe("not-contributor");
    expect(await outcome(add(eve, id))).toBe("not-contributor");
    expect(await outcome(add(bob, id))).toBe("done");
  });

  test("counts and shows a post that was put into it to whom that is for", async () => {
    const { id } = await album("everyone");
    const pictures = [{ imageId: await on.upload(bob), alt: "" }];
    const post = await on.publish(bob, { caption: "put", audience: "only-me", pictures });
    const put = () => on.albums.putPost(bob, id, { address: bob.username, number: post.number });
    await put();
    await put();
    const seen = async (viewer: Viewer) => [
      (await on.albums.get(viewer, id)).photoCount,
      (await captions(viewer, id)).length,
    ];
    expect([await seen(bob), await seen(ada)]).toEqual([
      [1, 1],
      [0, 0],
    ]);
    await on.posts.edit(bob, bob.username, post.number, { version: 0, audience: "everyone" });
    expect([await seen(bob), await seen(ada)]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    await on.albums.takeOut(ada, id, { address: bob.username, number: post.number });
    expect(await seen(bob)).toEqual([0, 0]);
    expect(await on.posts.get(eve, bob.username, post.number)).toMatchObject({ caption: "put" });
    const words = await on.textPost(bob);
    const putWords = on.albums.putPost(bob, id, { address: bob.username, number: words.number });
    expect(await outcome(putWords)).toBe("album-photos-only");
    await consistent();
  });

  test("becomes a post for only its author where it leaves, and one of theirs where they choose", async () => {
    const { id } = await album("followers");
    const [out, wide, narrow] = [await add(bob, id), await add(bob, id), await add(bob, id)];
    await on.albums.takeOut(ada, id, at(out));
    expect([await audienceOf(bob, out), await audienceOf(ada, out)]).toEqual([
      "only-me",
      undefined,
    ]);
    await on.posts.edit(bob, bob.username, wide.number, { version: 0, audience: "everyone" });
    expect(await audienceOf(eve, wide)).toBe("everyone");
    await on.posts.edit(bob, bob.username, narrow.number, { version: 0, caption: "still" });
    expect(await audienceOf(ada, narrow)).toBe("album");
    await on.posts.edit(bob, bob.username, narrow.number, { version: 1, audience: "only-me" });
    expect(await audienceOf(ada, narrow)).toBeUndefined();
    expect((await on.albums.get(cleo, id)).photoCount).toBe(1);
    expect((await on.albums.get(bob, id)).photoCount).toBe(2);
    await consistent();
  });

  test("goes along with who leaves, is removed, is blocked or deletes their account", async () => {
    const ends: Record<string, (id: string) => Promise<unknown>> = {
      leaves: (id) => on.albumMembers.leave(bob, id),
      "is removed": (id) => on.albumMembers.remove(ada, id, bob.username),
      "is blocked": () => on.blocks.block(ada, bob.id),
      blocks: () => on.blocks.block(bob, ada.id),
      "is blocked by the release before": () =>
        query(
          db,
          "insert into blocks (account_id, other_id, own, id) values ($1, $2, true, $3), ($2, $1, false, $3)",
          [ada.id, bob.id, newId()],
        ),
    };
    for (const [name, end] of Object.entries(ends)) {
      const { id } = await album("followers");
      await add(ada, id, "hers");
      const photo = await add(bob, id);
      const pictures = [{ imageId: await on.upload(bob), alt: "" }];
      const post = await on.publish(bob, { caption: "put", pictures });
      await on.albums.putPost(bob, id, { address: bob.username, number: post.number });
      await end(id);
      expect(await captions(cleo, id), name).toEqual(["hers"]);
      expect((await on.albums.get(cleo, id)).photoCount, name).toBe(1);
      expect(await audienceOf(bob, photo), name).toBe("only-me");
      expect(await pageOf(cleo, photo), name).toBeNull();
      expect(await on.posts.get(eve, bob.username, post.number), name).not.toBeNull();
    }
    const { id } = await album("followers");
    await add(bob, id);
    await on.deletion.requestFor(bob.id, 0);
    await on.deletion.deleteDue();
    expect((await on.albums.get(cleo, id)).photoCount).toBe(0);
    await consistent();
  });

  test("is away while its author, or the album's owner, is suspended", async () => {
    const { id } = await album("everyone");
    const photo = await add(bob, id);
    await on.suspend(bob);
    expect([await pageOf(ada, photo), await captions(ada, id)]).toEqual([null, []]);
    expect(await on.albums.get(ada, id)).toMatchObject({ photoCount: 0, cover: null });
    await query(db, "update accounts set suspended_at = null where id = $1", [bob.id]);
    await on.suspend(ada);
    expect([await pageOf(cleo, photo), await pageOf(bob, photo)]).toMatchObject([null, {}]);
    expect(await outcome(on.albums.get(bob, id))).toBe("not-found");
  });

  test("is sent in one go at a time", async () => {
    const { id } = await album();
    const send = async (batch: string, last = false) => {
      const imageId = await on.upload(bob);
      return outcome(on.albums.addPhoto(bob, id, { imageId, clientKey: null, batch, last }));
    };
    expect([await send("a"), await send("b"), await send("a")]).toEqual([
      "done",
      "album-batch-running",
      "done",
    ]);
    expect([await send("a", true), await send("b"), await send("a")]).toEqual([
      "done",
      "done",
      "album-batch-running",
    ]);
    await query(db, "update album_batches set until = now() - interval '1 second'");
    expect(await send("c")).toBe("done");
  });

  test("ends at the limit", async () => {
    const { id } = await album();
    await add(ada, id);
    await query(db, "update album_counts set items = $2 where album_id = $1", [
      id,
      limits.albums.items - 1,
    ]);
    expect(await outcome(add(bob, id))).toBe("done");
    expect(await outcome(add(bob, id))).toBe("album-full");
    await query(db, "update album_counts set items = 1 where album_id = $1", [id]);
  });
});

describe("the order of an album", () => {
  test("by hand moves one row, loses nothing to two tabs, and survives many moves", async () => {
    const { id } = await album();
    const photos: AlbumPhoto[] = [];
    for (const name of ["a", "b", "c", "d"]) photos.push(await add(ada, id, name));
    const [a, b, c, d] = photos as [AlbumPhoto, AlbumPhoto, AlbumPhoto, AlbumPhoto];
    await Promise.all([
      on.albums.move(ada, id, { item: d.id, after: null }),
      on.albums.move(bob, id, { item: a.id, after: c.id }),
    ]);
    expect(await captions(ada, id)).toEqual(["d", "b", "c", "a"]);
    for (let n = 0; n < 130; n += 1) {
      await on.albums.move(ada, id, { item: n % 2 ? b.id : c.id, after: d.id });
    }
    expect(await captions(ada, id)).toEqual(["d", "b", "c", "a"]);
    const [row] = await query<{ digits: number }>(
      db,
      "select max(scale(position)) as digits from album_items where album_id = $1",
      [id],
    );
    expect(row?.digits).toBeLessThan(101);
    expect(await outcome(on.albums.move(ada, id, { item: newId(), after: null }))).toBe(
      "not-found",
    );
  });

  test("goes on page by page, by hand and by date", async () => {
    const { id } = await album();
    const [first, second, third] = [
      await add(ada, id, "1"),
      await add(ada, id, "2"),
      await add(bob, id, "3"),
    ];
    await on.albums.move(ada, id, { item: third.id, after: first.id });
    expect(await captions(bob, id)).toEqual(["1", "3", "2"]);
    await on.albums.edit(ada, id, { order: "date" });
    expect(await captions(bob, id)).toEqual(["1", "2", "3"]);
    expect((await on.albums.get(bob, id)).cover?.key).toBe(first.picture?.key);
    await on.albums.setCover(ada, id, second.id);
    expect((await on.albums.get(bob, id)).cover?.key).toBe(second.picture?.key);
    expect(await outcome(on.albums.setCover(ada, id, newId()))).toBe("not-found");
    await on.albums.takeOut(ada, id, at(second));
    expect((await on.albums.get(bob, id)).cover?.key).toBe(first.picture?.key);
  });
});

describe("the members of an album", () => {
  test("are followers whom its owner invites, and who has its link", async () => {
    const { id } = await album();
    const put = (whom: Viewer) => outcome(on.albumMembers.put(ada, id, whom.username, "member"));
    expect([await put(eve), await put(cleo)]).toEqual(["not-follower", "done"]);
    const { token } = await on.albumMembers.makeLink(ada, id, "contributor");
    expect(await on.albumMembers.invitation(null, token)).toMatchObject({
      title: "Summer",
      role: "contributor",
      joined: null,
    });
    expect(await on.albumMembers.join(eve, token)).toEqual({ id });
    expect(await on.albumMembers.join(cleo, token)).toEqual({ id });
    const { items, hasLink } = await on.albumMembers.list(ada, id);
    expect(hasLink).toBe(true);
    expect(items.map(({ username, role }) => [username, role])).toEqual([
      [ada.username, "owner"],
      [eve.username, "contributor"],
      [cleo.username, "member"],
      [bob.username, "contributor"],
    ]);
    const renewed = (await on.albumMembers.makeLink(ada, id, "member")).token;
    expect(await outcome(on.albumMembers.join(eve, token))).toBe("not-found");
    await on.albumMembers.endLink(ada, id);
    expect(await outcome(on.albumMembers.invitation(eve, renewed))).toBe("not-found");
    const [stored] = await query<{ all: string }>(
      db,
      "select count(*) as all from album_invitations where encode(token_hash, 'escape') like $1",
      [`%${token}%`],
    );
    expect(Number(stored?.all)).toBe(0);
  });

  test("are told of an invitation, and once a day of what is added", async () => {
    const { id } = await album();
    expect(await on.albumMembers.invitable(ada, [bob.id, cleo.id, eve.id])).toEqual(
      new Set([bob.id, cleo.id]),
    );
    await on.albumMembers.put(ada, id, cleo.username, "member");
    for (let n = 0; n < 3; n += 1) await add(bob, id);
    const told = async (viewer: Viewer) =>
      (await on.notifications.list(viewer, "all", null)).items
        .filter(({ kind }) => kind === "album" || kind === "invited")
        .map(({ kind, people, album: of }) => [kind, people[0]?.id, of?.title, of?.photos]);
    expect(await told(cleo)).toEqual([
      ["album", bob.id, "Summer", 3],
      ["invited", ada.id, "Summer", 0],
    ]);
    expect(await told(ada)).toEqual([["album", bob.id, "Summer", 3]]);
    await on.albumMembers.leave(cleo, id);
    expect(await told(cleo)).toEqual([]);
  });
});

test("what several added is one notification: two names, a number, and all their photos of that day", async () => {
  const { id } = await album();
  const [dan, fay] = (await on.members(2)) as [Viewer, Viewer];
  for (const one of [cleo, eve, dan, fay]) {
    await on.follows.follow(one, ada.id);
    await on.albumMembers.put(ada, id, one.username, "contributor");
  }
  for (const [author, count] of [
    [bob, 2],
    [eve, 3],
    [dan, 1],
    [ada, 1],
    [cleo, 1],
  ] as const) {
    for (let n = 0; n < count; n += 1) await add(author, id);
  }
  const told = async (viewer: Viewer) => {
    const { items } = await on.notifications.list(viewer, "all", null);
    const views = items.filter(({ kind }) => kind === "album");
    return views.map((view) => describeIn("en", view));
  };
  expect(await told(fay)).toEqual([
    `${cleo.name}, ${ada.name} and 3 others added 8 photos to “Summer”`,
  ]);
  expect(await told(cleo)).toEqual([
    `${ada.name}, ${dan.name} and 2 others added 7 photos to “Summer”`,
  ]);
  await on.blocks.block(cleo, dan.id);
  expect(await told(cleo)).toEqual([
    `${ada.name}, ${eve.name} and 1 other added 6 photos to “Summer”`,
  ]);
  const later =
    "update album_items set added_at = now() + interval '25 hours' where author_id = $1";
  await query(db, later, [eve.id]);
  expect(await told(cleo)).toEqual([`${ada.name} and ${bob.name} added 3 photos to “Summer”`]);
});

describe("an album that is deleted", () => {
  test.each(["keep", "delete"] as const)("with '%s' loses nothing of others", async (photos) => {
    const { id } = await album("followers");
    const [hers, his] = [await add(ada, id), await add(bob, id)];
    await on.albums.remove(ada, id, photos);
    expect(await outcome(on.albums.get(bob, id))).toBe("not-found");
    expect(await audienceOf(bob, his)).toBe("only-me");
    expect(await audienceOf(ada, hers)).toBe(photos === "keep" ? "only-me" : undefined);
    expect((await on.profiles.get(ada, ada.id))?.counts.posts).toBe(photos === "keep" ? 1 : 0);
    await consistent();
  });
});
