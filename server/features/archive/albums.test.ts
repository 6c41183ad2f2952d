import { describe, expect, test } from "vitest";
import { newId } from "#server/platform/db/ids.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { archiveFiles, archiveTest, contentsOf } from "#server/test/archives.ts";
import { everyPage } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { AlbumAudience } from "#shared/albums.ts";
import type { Viewer } from "#shared/views.ts";

const { db, on, archives } = await archiveTest();

async function add(author: Viewer, id: string, caption: string) {
  const imageId = await on.upload(author);
  return on.albums.addPhoto(author, id, { imageId, caption, clientKey: null });
}

/** Ada's album: two photos of hers and one of Bob's, put in order, and a post of hers that is for her followers. */
async function summer(audience: AlbumAudience = "everyone") {
  const [ada, bob, eve] = (await on.members(3)) as [Viewer, Viewer, Viewer];
  await on.follows.follow(bob, ada.id);
  const album = await on.albums.create(ada, {
    title: "Summer",
    description: "By the sea",
    audience,
  });
  await on.albumMembers.put(ada, album.id, bob.username, "contributor");
  const first = await add(ada, album.id, "hers");
  const his = await add(bob, album.id, "his");
  const last = await add(ada, album.id, "hers, too");
  const pictures = [{ imageId: await on.upload(ada), alt: "" }];
  const put = await on.publish(ada, { caption: "put in", pictures, audience: "followers" });
  await on.albums.putPost(ada, album.id, { address: ada.username, number: put.number });
  await on.albums.move(ada, album.id, { item: last.id, after: null });
  await on.albums.setCover(ada, album.id, first.id);
  return { ada, bob, eve, id: album.id, first, his, last, put };
}

/** What the viewer sees of the owner's albums, with what is in them, in its order. */
async function albumsOf(viewer: Viewer | null, owner: Viewer) {
  const tiles = await everyPage((cursor) => on.albums.of(viewer, owner.id, cursor));
  return Promise.all(
    tiles.map(async ({ id }) => {
      const album = await on.albums.get(viewer, id);
      const photos = await everyPage((cursor) => on.albums.photos(viewer, id, cursor));
      const { title, description, audience, order, createdAt, photoCount } = album;
      const cover = photos.find(({ picture }) => picture?.key === album.cover?.key)?.caption;
      const captions = photos.map(({ caption }) => caption);
      return { title, description, audience, order, createdAt, photoCount, cover, captions };
    }),
  );
}

const captionsOf = async (viewer: Viewer | null, owner: Viewer) =>
  (await albumsOf(viewer, owner)).map(({ captions }) => captions);
const consistent = async () => expect(await reconcileCounters(db)).toEqual([]);

const postId = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, "0")}`;
const words = (n: number, fields: object = {}) => ({
  id: postId(n),
  number: n,
  time: 1_700_000_000_000 + n,
  caption: `post ${n}`,
  pictures: [],
  ...fields,
});

/** An archive with these albums, as anybody could write it. */
function archiveWith(albums: object[], posts: object[] = []) {
  const files = {
    profile: "profile.json",
    posts: ["posts/0001.json"],
    albums: ["albums/0001.json"],
  };
  return archives.zipOf(
    archiveFiles(posts, {
      "postcard.json": JSON.stringify({ format: "postcard-archive", version: 1, files }),
      "albums/0001.json": JSON.stringify({ albums }),
    }),
  );
}
const albumNamed = (title: string, fields: object = {}) => ({
  id: newId(),
  time: 1_700_000_000_000,
  title,
  ...fields,
});

describe("an archive", () => {
  test("has the account's albums in their order, with others' photos by their names alone", async () => {
    const { ada, bob, id, first, last, put } = await summer();
    const files = await contentsOf(await archives.exported(ada));
    const json = (name: string) => JSON.parse(String(files.get(name)));
    expect(json("postcard.json")).toMatchObject({
      counts: { albums: 1 },
      files: { albums: ["albums/0001.json"] },
    });
    const named = { username: bob.username, name: expect.any(String) };
    const [album] = json("albums/0001.json").albums;
    expect(album).toEqual({
      id,
      time: expect.any(Number),
      title: "Summer",
      description: "By the sea",
      audience: "everyone",
      order: "manual",
      cover: first.id,
      contributors: [named],
      items: [
        { post: last.number, id: last.id, uploaded: true },
        { post: first.number, id: first.id, uploaded: true },
        { post: null, ...named },
        { post: put.number, id: put.postId, uploaded: false },
      ],
    });
    const posts = json("posts/0001.json").posts as { number: number; album: unknown }[];
    const of = (number: number) => posts.find((post) => post.number === number)?.album;
    expect(of(first.number)).toEqual({ id, title: "Summer", owner: ada.username });
    expect(of(put.number)).toBeNull();
    expect([...files.keys()].filter((name) => name.startsWith("pictures/")).length).toBe(4);
    expect(String(files.get("index.html"))).toContain("pages/albums.html");
    expect(String(files.get("pages/albums.html"))).toContain("album-1.html");
    const page = String(files.get("pages/album-1.html"));
    expect(page).toMatch(/hers, too[^]*hers[^]*@[^]*put in/);
    expect(page).not.toMatch(/>his</);
  });

  test("says of which album of somebody else's a photo is, while that can be seen", async () => {
    const { ada, bob, id, his } = await summer();
    const albumOf = async () => {
      const files = await contentsOf(await archives.exported(bob));
      expect(files.has("albums/0001.json")).toBe(false);
      const { posts } = JSON.parse(String(files.get("posts/0001.json")));
      expect(posts[0]).toMatchObject({ id: his.id, audience: "only-me" });
      return posts[0].album;
    };
    expect(await albumOf()).toEqual({ id, title: "Summer", owner: ada.username });
    await on.suspend(ada);
    expect(await albumOf()).toBeNull();
  });
});

describe("an import", () => {
  test("brings albums back with words, audience, order and cover, and once", async () => {
    const { ada, bob, eve, his } = await summer();
    const grace = await on.member("Grace");
    const archive = await archives.exported(ada);
    const before = await albumsOf(eve, ada);
    expect(before).toMatchObject([{ photoCount: 3, captions: ["hers, too", "hers", "his"] }]);

    const { skipped, taken, problem } = await archives.imported(grace, archive);
    expect(problem).toBeNull();
    expect(taken).toBe(3);
    expect(skipped).toEqual([
      `Album “Summer” is here without its contributors and their photos: @${bob.username}. You can invite them again.`,
    ]);
    const after = await albumsOf(eve, grace);
    expect(after).toEqual([
      { ...before[0], photoCount: 2, captions: before[0]!.captions.filter((one) => one !== "his") },
    ]);
    expect(await captionsOf(grace, grace)).toEqual([["hers, too", "hers", "put in"]]);
    const { items } = await on.albumMembers.list(
      grace,
      (await on.albums.mine(grace, null)).items[0]!.id,
    );
    expect(items.map(({ role }) => role)).toEqual(["owner"]);
    expect(await on.posts.get(bob, bob.username, his.number)).not.toBeNull();

    expect(await archives.imported(grace, archive)).toMatchObject({ known: 3, skipped: [] });
    expect(await albumsOf(grace, grace)).toHaveLength(1);
    expect(await archives.imported(ada, archive)).toMatchObject({ known: 3, skipped: [] });
    expect(await captionsOf(eve, ada)).toEqual([before[0]!.captions]);
    await consistent();
  });

  test("leaves what its owner changed since as it is", async () => {
    const { ada, id, first } = await summer();
    const archive = await archives.exported(ada);
    await on.albums.edit(ada, id, { title: "Autumn", audience: "members" });
    await on.albums.takeOut(ada, id, { address: ada.username, number: first.number });
    await archives.imported(ada, archive);
    expect(await albumsOf(ada, ada)).toMatchObject([
      { title: "Autumn", audience: "members", captions: ["hers, too", "his", "put in"] },
    ]);
  });

  test("of a deleted album makes it again, and opens no post that was here", async () => {
    const { ada, eve, id } = await summer();
    const archive = await archives.exported(ada);
    await on.albums.remove(ada, id, "keep");
    await archives.imported(ada, archive);
    expect(await captionsOf(ada, ada)).toEqual([["hers, too", "hers", "put in"]]);
    expect(await captionsOf(eve, ada)).toEqual([[]]);
    const [again] = (await on.albums.mine(ada, null)).items;
    await on.albums.remove(ada, again!.id, "delete");
    await on.deletion.deleteDue();
    await consistent();
  });

  test("of a deleted album and its photos brings back both", async () => {
    const { ada, eve, id } = await summer();
    const archive = await archives.exported(ada);
    await on.albums.remove(ada, id, "delete");
    await archives.imported(ada, archive);
    expect(await captionsOf(eve, ada)).toEqual([["hers, too", "hers"]]);
    await consistent();
  });

  test("of a private account's album for everyone shows it to followers alone", async () => {
    const { ada, eve } = await summer();
    const grace = await on.member("Grace");
    await on.privacy.set(ada, true);
    await archives.imported(grace, await archives.exported(ada));
    expect(await captionsOf(grace, grace)).toHaveLength(1);
    expect(await captionsOf(eve, grace)).toEqual([]);
    expect(await captionsOf(null, grace)).toEqual([]);
  });

  test("of photos of somebody else's album leaves them for their author alone", async () => {
    const { bob, eve } = await summer();
    const grace = await on.member("Grace");
    expect(await archives.imported(grace, await archives.exported(bob))).toMatchObject({
      taken: 1,
    });
    expect(await on.posts.get(grace, grace.username, 1)).toMatchObject({ audience: "only-me" });
    expect(await on.posts.get(eve, grace.username, 1)).toBeNull();
  });

  test("says which post an album that is full by now has no room for", async () => {
    const { ada } = await summer();
    const grace = await on.member("Grace");
    const archive = await archives.exported(ada);
    await archives.imported(grace, archive);
    const before = await captionsOf(grace, grace);
    const { items } = await on.albums.mine(grace, null);
    const [photo] = (await on.albums.photos(grace, items[0]?.id ?? "", null)).items;
    await on.posts.remove(grace, grace.username, photo?.number ?? 0);
    const fill = (by: number) =>
      query(db, "update album_counts set items = items + $2 where owner_id = $1", [grace.id, by]);
    await fill(limits.albums.items);
    const { skipped } = await archives.imported(grace, archive);
    await fill(-limits.albums.items);
    expect(skipped.join()).toMatch(
      /Post \d+ is here, but not in the album “.+”: it has 1000 photos at most\./,
    );
    expect(before.flat()).toContain(photo?.caption);
    expect((await captionsOf(grace, grace)).flat()).not.toContain(photo?.caption);
    await consistent();
  });

  test("has no more albums and items than there may be, and says what is left out", async () => {
    const [ada, grace] = [await on.member("Ada"), await on.member("Grace")];
    const many = Array.from({ length: limits.albums.ofOne + 3 }, (_, n) =>
      albumNamed(`Album ${n}`),
    );
    const { skipped } = await archives.imported(ada, await archiveWith(many));
    expect(skipped).toEqual(["3 albums were left out: an account has 100 at most."]);
    expect(await everyPage((cursor) => on.albums.mine(ada, cursor))).toHaveLength(100);
    const items = Array.from({ length: limits.albums.items + 2 }, () => ({ id: newId() }));
    const full = albumNamed("Full", { items });
    expect((await archives.imported(grace, await archiveWith([full]))).skipped).toEqual([
      "Album “Full” is here without 2 of its photos: it has 1000 at most.",
    ]);
    await archives.imported(grace, await archiveWith(many.slice(0, 98)));
    const more = [albumNamed("Fits"), albumNamed("Too many")];
    expect((await archives.imported(grace, await archiveWith(more))).skipped).toEqual([
      "Album “Too many” was left out: an account has 100 albums at most.",
    ]);
  });
});

describe("albums that somebody wrote into an archive", () => {
  test.each<[what: string, album: () => object, sentence: RegExp]>([
    [
      "of 100,000 items",
      () => albumNamed("Many", { items: Array.from({ length: 100_000 }, () => ({})) }),
      /^albums\/0001\.json \(albums\.0\.items\) in this archive doesn't match the format\.$/,
    ],
    [
      "with a title of a megabyte",
      () => albumNamed("a".repeat(1024 * 1024)),
      /^albums\/0001\.json \(albums\.0\.title\) in this archive doesn't match the format\.$/,
    ],
  ])("%s are refused with the archive", async (_, album, sentence) => {
    const ada = await on.member("Ada");
    const { state, problem } = await archives.imported(ada, await archiveWith([album()]));
    expect([state, problem]).toEqual(["failed", expect.stringMatching(sentence)]);
    expect((await on.albums.mine(ada, null)).items).toEqual([]);
  });

  test("twice are refused with the archive", async () => {
    const ada = await on.member("Ada");
    const one = albumNamed("One");
    expect((await archives.imported(ada, await archiveWith([one, one]))).problem).toBe(
      "albums/0001.json in this archive has the same album twice.",
    );
  });

  test("with long titles, unknown audiences, unknown posts and items twice lose no post", async () => {
    const ada = await on.member("Ada");
    const photos = { uploaded: true };
    const albums = [
      albumNamed("x".repeat(500)),
      albumNamed("Odd", {
        audience: "the world",
        order: "backwards",
        cover: "none",
        items: [
          { id: newId(), ...photos },
          { id: postId(1), uploaded: "yes" },
          { id: postId(1), ...photos },
          { id: postId(2), ...photos },
          { post: 7 },
        ],
      }),
    ];
    const archive = await archiveWith(albums, [words(1), words(2, { audience: "only-me" })]);
    const { taken, skipped } = await archives.imported(ada, archive);
    expect(taken).toBe(2);
    expect(skipped).toEqual([expect.stringMatching(/^Album “x{60}” was left out: A title/)]);
    // words alone are in no album
    expect(await albumsOf(ada, ada)).toMatchObject([
      { title: "Odd", audience: "members", order: "manual", captions: [] },
    ]);
  });

  test("open no post that was here before, though they name it", async () => {
    const [ada, eve] = [await on.member("Ada"), await on.member("Eve")];
    const pictures = [{ imageId: await on.upload(ada), alt: "" }];
    const own = await on.publish(ada, { caption: "mine alone", pictures, audience: "only-me" });
    const items = [{ id: own.postId, uploaded: true }];
    const album = albumNamed("Open", { audience: "everyone", items, cover: own.postId });
    const known = words(1, { id: own.postId, audience: "only-me" });
    await archives.imported(ada, await archiveWith([album], [known]));
    expect(await captionsOf(ada, ada)).toEqual([["mine alone"]]);
    expect(await on.posts.get(eve, ada.username, own.number)).toBeNull();
    expect(await albumsOf(eve, ada)).toMatchObject([{ photoCount: 0, captions: [] }]);
    const rows = await query(db, "select album_id from posts where id = $1", [own.postId]);
    expect(rows).toEqual([{ album_id: null }]);
  });
});
