import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { newId, timeOf } from "#server/platform/db/ids.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { archiveFiles, archiveTest, type Archives } from "#server/test/archives.ts";
import { everyPage } from "#server/test/factories.ts";
import { scene } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { filesBelow, keysIn, namesIn, sha256 } from "#server/test/traces.ts";
import { extraInputsOf } from "#shared/extra-fields.ts";
import { audiences } from "#shared/posts.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

const { db, on, archives } = await archiveTest();

const imported: Archives["imported"] = (...given) => archives.imported(...given);
const exported: Archives["exported"] = (...given) => archives.exported(...given);
const uploaded: Archives["uploaded"] = (...given) => archives.uploaded(...given);
const zipOf: Archives["zipOf"] = (...given) => archives.zipOf(...given);

/** Everything a profile shows of posts: their texts, times, and the hashes of their originals. */
async function contentsOf(viewer: Viewer) {
  const [photos, texts] = [
    await everyPage((cursor) => on.posts.photosOf(viewer, viewer.id, cursor)),
    await everyPage((cursor) => on.posts.textsOf(viewer, viewer.id, cursor)),
  ];
  const contents = [];
  for (const { number } of [...photos, ...texts]) {
    const post = (await on.posts.get(viewer, viewer.username, number)) as FeedPost;
    const originals = [];
    for (const { key, alt } of post.pictures) {
      const original = await on.store.openOriginal(key);
      originals.push([sha256(await buffer(original?.read() as never)), alt]);
    }
    contents.push({ caption: post.caption, createdAt: post.createdAt, originals });
  }
  return contents.toSorted((a, b) => a.createdAt - b.createdAt);
}

/** An image that no other test has, in this format. */
async function imageFile(format: "jpeg" | "png" | "webp" | "gif", width: number) {
  const path = join(on.folder, `image-${width}.${format}`);
  const bytes = await (await scene(width, 60)).toFormat(format).toBuffer();
  await writeFile(path, bytes);
  return { path, bytes: bytes.length, filename: "p", mediaType: `image/${format}` };
}

describe("export, wipe, import", () => {
  test("brings back edits, their earlier versions, and posts of several photos in their order", async () => {
    const [ada, grace] = [await on.member("Ada Edits"), await on.member("Grace Edits")];
    const uploads = [];
    for (const width of [91, 92, 93]) {
      uploads.push(await on.images.upload(ada, await imageFile("png", width)));
    }
    const pictures = uploads.map(({ imageId }, index) => ({ imageId, alt: `alt ${index}` }));
    const { number } = await on.publish(ada, { caption: "Teh sea", language: "en-gb", pictures });
    const [first, , third] = uploads.map(({ picture }) => ({ key: picture.key }));
    const where = [ada, ada.username, number] as const;
    await on.posts.edit(...where, {
      version: 0,
      caption: "The sea",
      pictures: [{ ...third!, focalPoint: [0.25, -0.5] }, first!],
    });
    await on.posts.edit(...where, { version: 1, caption: "The sea!", warning: "Waves" });
    await on.posts.edit(...where, { version: 2, warning: "High waves" });
    await on.publish(ada, { caption: "As it was posted" });
    const said = await on.posts.earlierVersions(...where);
    const before = (await on.posts.get(...where)) as FeedPost;

    await imported(grace, await exported(ada));

    const after = (await on.posts.get(grace, grace.username, number)) as FeedPost;
    expect(after).toMatchObject({ caption: "The sea!", editedAt: before.editedAt, imported: true });
    expect(after).toMatchObject({ warning: "High waves", sensitive: true });
    expect(after.language).toBe("en-GB");
    expect(after.pictures.map(({ alt }) => alt)).toEqual(["alt 2", "alt 0"]);
    expect(after.pictures.map((one) => one.focalPoint)).toEqual([[0.25, -0.5], null]);
    expect(after.pictures[0]?.focus).toBe(before.pictures[0]?.focus);
    expect(await contentsOf(grace)).toEqual(await contentsOf(ada));
    const theirs = [grace, grace.username, number] as const;
    expect(await on.posts.earlierVersions(...theirs)).toEqual(
      // An archive does not say which of the photos each had.
      said.map((version) => ({ ...version, keys: null })),
    );
    expect(said.map(({ caption }) => caption)).toEqual(["The sea!", "The sea", "Teh sea"]);
    expect(said.map(({ warning }) => warning)).toEqual(["Waves", null, null]);
    const plain = await on.posts.get(grace, grace.username, number + 1);
    expect(plain).toMatchObject({ editedAt: null, version: 0 });
    // further edits start from there
    await on.posts.edit(...theirs, { version: after.version, caption: "Another sea" });
    expect(await on.posts.earlierVersions(...theirs)).toHaveLength(4);
  });

  test("brings back what a post shows about a photo, and forgets what it does not show", async () => {
    const [ada, grace] = [await on.member("Ada Shows"), await on.member("Grace Shows")];
    const path = join(on.folder, "taken.jpg");
    const taken = {
      IFD0: { Model: "Q3" },
      IFD3: {
        GPSLatitudeRef: "N",
        GPSLatitude: "43/1 28/1 0/1",
        GPSLongitudeRef: "E",
        GPSLongitude: "11/1 53/1 0/1",
      },
    };
    await (await scene(90, 70)).withExif(taken).jpeg().toFile(path);
    const numbers = [];
    for (const shows of [true, false]) {
      const { imageId } = await on.images.upload(ada, { path });
      const pictures = [{ imageId, alt: "" }];
      const words = { caption: "", timeZone: "UTC", clientKey: null };
      const chosen = { showCamera: shows, showPlace: shows };
      numbers.push((await on.posts.publish(ada, { ...words, pictures, ...chosen })).number);
    }
    await imported(grace, await exported(ada));
    const shown = await Promise.all(
      numbers.map((number) => on.posts.details(null, grace.username, number)),
    );
    expect(shown).toMatchObject([
      { photos: [{ camera: { model: "Q3" }, place: { latitude: 43.47, longitude: 11.88 } }] },
      { showCamera: false, showPlace: false, photos: [] },
    ]);
    const locations = await db.query<{ latitude: number | null }>(sql`
      select latitude
      from images
      where account_id = ${grace.id} and claimed_at is not null
      order by id
    `);
    // the first is the avatar
    expect(locations.map(({ latitude }) => latitude)).toEqual([null, 4347, null]);
  });

  test("makes the account private where the archive's was, before its posts come, and never public", async () => {
    const [ada, grace] = [await on.member("Ada Private"), await on.member("Grace Private")];
    await on.textPost(ada, "For those who follow me");
    const open = await exported(ada);
    await on.privacy.set(ada, true);
    const isPrivate = async () => (await on.profiles.get(null, grace.id))?.isPrivate;
    await imported(grace, open);
    expect(await isPrivate()).toBe(false);
    await imported(grace, await exported(ada));
    expect(await isPrivate()).toBe(true);
    await imported(grace, open);
    expect(await isPrivate()).toBe(true);
  });

  test("keeps photos veiled where they were, and where it is not known whether they were", async () => {
    const [ada, grace] = [await on.member("Ada Veils"), await on.member("Grace Veils")];
    await on.publish(ada, { caption: "Plain" });
    await on.publish(ada, { caption: "Veiled", sensitive: true });
    await imported(grace, await exported(ada));
    const veiled = async () =>
      (await on.posts.textsOf(grace, grace.id, null)).items.map((post) => [
        post.caption,
        post.sensitive,
        post.warning,
      ]);
    const both = [
      ["Veiled", true, null],
      ["Plain", false, null],
    ];
    expect(await veiled()).toEqual(both);
    const one = { number: 1, time: 0, caption: "Old", pictures: [] };
    const long = { warning: "x".repeat(201) };
    const others = [{ warning: " Waves " }, { sensitive: "perhaps" }, long].map((how) => ({
      ...one,
      id: newId(),
      ...how,
    }));
    const { skipped } = await imported(grace, await zipOf(archiveFiles(others)));
    expect(skipped).toHaveLength(1);
    // The two of one moment are in either order.
    const old = [
      ["Old", true, null],
      ["Old", true, "Waves"],
    ];
    expect(new Set(await veiled())).toEqual(new Set([...both, ...old]));
  });

  test("keeps comments closed where they were closed", async () => {
    const [ada, grace] = [await on.member("Ada Closes"), await on.member("Grace Closes")];
    for (const commentsFrom of ["everyone", "following", "nobody"] as const) {
      await on.publish(ada, { caption: commentsFrom, commentsFrom });
    }
    await imported(grace, await exported(ada));
    const texts = (await on.posts.textsOf(grace, grace.id, null)).items;
    expect(texts).toHaveLength(3);
    for (const { caption, commentsFrom } of texts) expect(commentsFrom).toBe(caption);
  });

  test("keeps every post for whom it was, and one for an unknown audience for its author alone", async () => {
    const [ada, grace] = [await on.member("Ada Narrows"), await on.member("Grace Narrows")];
    const fay = await on.member("Fay Follows");
    await on.follows.follow(fay, grace.id);
    for (const audience of audiences) {
      const pictures = [{ imageId: await on.upload(ada), alt: "" }];
      await on.publish(ada, { caption: `#narrow ${audience}`, audience, pictures });
    }
    await imported(grace, await exported(ada));
    const numbers = [1, 2, 3, 4];
    const seenBy = async (viewer: Viewer | null) => {
      const read = (number: number) => on.posts.get(viewer, grace.username, number);
      const seen = await Promise.all(numbers.map(read));
      return seen.flatMap((post) => (post ? [[post.caption, post.audience]] : []));
    };
    const all = audiences.map((audience) => [`#narrow ${audience}`, audience]);
    expect(await seenBy(grace)).toEqual(all);
    expect(await seenBy(fay)).toEqual(all.slice(0, 2));
    expect(await seenBy(null)).toEqual(all.slice(0, 1));
    const tagged = await on.tags.posts(grace, "narrow", null);
    expect(tagged.items.map(({ id }) => id)).toHaveLength(2);
    const recent = await db.query(sql`select from recent_photos where author_id = ${grace.id}`);
    expect(recent).toEqual([]);
    expect((await on.posts.nextAudience(grace)).audience).toBe("everyone");

    const one = { number: 1, time: 1, timeZone: "UTC", caption: "x", pictures: [] };
    const posts = [
      { ...one, id: newId(), audience: "town" },
      { ...one, id: newId(), audience: null },
      { ...one, id: newId() },
    ];
    await imported(fay, await zipOf(archiveFiles(posts)));
    const texts = (await on.posts.textsOf(fay, fay.id, null)).items;
    expect(texts.map(({ audience }) => audience).toSorted()).toEqual([
      "everyone",
      "only-me",
      "only-me",
    ]);
  });

  test("brings back every photo and every text, by their hashes, with their times", async () => {
    const ada = await on.member("Ada Again");
    await on.profiles.edit(ada, {
      firstName: "Ada",
      secondName: "Again",
      bio: "Ünïcode 👩‍🎨\nבית",
      website: "https://example.org/ada",
      ...extraInputsOf([{ name: "Pronouns", value: "she/her" }]),
    });
    for (const [index, format] of (["jpeg", "png", "webp", "gif"] as const).entries()) {
      const { imageId } = await on.images.upload(ada, await imageFile(format, 70 + index));
      const caption = `A ${format} & "quotes" <b>\n\tשלום 👨‍👩‍👧‍👦`;
      await on.publish(ada, { caption, pictures: [{ imageId, alt: `alt of ${format}` }] });
    }
    await on.textPost(ada, "x".repeat(2200));
    const before = await contentsOf(ada);
    expect(before).toHaveLength(5);
    expect(new Set(before.flatMap(({ originals }) => originals.map(([hash]) => hash))).size).toBe(
      4,
    );
    const archive = await exported(ada);

    await on.deletion.requestFor(ada.id, 0);
    await on.deletion.deleteDue();
    const next = await on.member("");
    const { state, taken, known, skipped } = await imported(next, archive);
    expect({ state, taken, known, skipped }).toEqual({
      state: "done",
      taken: 5,
      known: 0,
      skipped: [],
    });
    expect(await contentsOf(next)).toEqual(before);
    expect(await on.profiles.get(null, next.id)).toMatchObject({
      account: { name: "Ada Again" },
      bio: "Ünïcode 👩‍🎨\nבית",
      website: "https://example.org/ada",
      extraFields: [{ name: "Pronouns", value: "she/her", verifiedAt: null }],
      counts: { posts: 5 },
    });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("marks imported posts, numbers them in their order, and shows them at their own time", async () => {
    const [from, to] = [await on.member("From"), await on.member("To")];
    await on.textPost(from, "first");
    await on.photoPost(from, "second");
    const own = await on.textPost(to, "my own");
    await imported(to, await exported(from));
    const posts = await everyPage((cursor) => on.posts.textsOf(to, to.id, cursor));
    expect(posts.map(({ caption, number, imported: mark }) => [caption, number, mark])).toEqual([
      ["my own", own.number, false],
      ["first", 2, true],
    ]);
    for (const { id, createdAt } of posts) expect(timeOf(id)).toBe(createdAt);
  });
});

describe("importing more than there is room for", () => {
  test("imports what fits, says what was skipped, and leaves no file of it", async () => {
    const [from, to] = [await on.member("Room From"), await on.member("Room To")];
    await on.photoPost(from, "one");
    await on.photoPost(from, "two");
    await on.textPost(from, "words");
    const archive = await exported(from);
    const { bytes } = await on.storage.of(to);
    const photo = (await on.photo()).bytes;
    await on.storage.setQuota(to.id, bytes + photo);
    const files = (await keysIn(on.store)).length;
    const { state, taken, skipped } = await imported(to, archive);
    expect({ state, taken, skipped }).toEqual({
      state: "done",
      taken: 2,
      skipped: [expect.stringMatching(/^Post \d was left out: Your storage is full/)],
    });
    expect(await on.storage.of(to)).toMatchObject({ bytes: bytes + photo });
    expect(await keysIn(on.store)).toHaveLength(files + 1);
    expect(await reconcileCounters(db)).toEqual([]);
  });
});

describe("importing twice", () => {
  test("makes nothing twice, and says what was there already", async () => {
    const [from, to] = [await on.member("Twice From"), await on.member("Twice To")];
    await on.photoPost(from, "one", ["a", "b"]);
    await on.textPost(from, "two");
    const archive = await exported(from);
    await imported(to, archive);
    const before = await contentsOf(to);
    const files = await keysIn(on.store);
    expect(await imported(to, archive)).toMatchObject({ state: "done", taken: 0, known: 2 });
    expect(await contentsOf(to)).toEqual(before);
    // into the account it was made from
    expect(await imported(from, archive)).toMatchObject({ taken: 0, known: 2 });
    expect((await contentsOf(from)).map(({ caption }) => caption)).toEqual(["one", "two"]);
    expect(await keysIn(on.store)).toEqual(files);
    expect(await namesIn(on.files, "imports/")).toEqual([]);
  });

  test("does not overwrite what the account says about itself", async () => {
    const [from, to] = [await on.member("Names From"), await on.member("Names To")];
    await on.profiles.edit(from, { firstName: "X", secondName: "Y", bio: "theirs" });
    await on.profiles.edit(to, { firstName: "Names", secondName: "To", bio: "mine" });
    await imported(to, await exported(from));
    expect(await on.profiles.get(null, to.id)).toMatchObject({
      account: { name: "Names To" },
      bio: "mine",
    });
  });

  test("continues where it was interrupted", async () => {
    const [from, to] = [await on.member("Stop From"), await on.member("Stop To")];
    for (let nth = 1; nth <= 4; nth += 1) await on.photoPost(from, `post ${nth}`);
    const archive = await exported(from);
    await on.imports.start(to, await uploaded(archive));
    const { openOriginal: _, put } = on.store;
    let stored = 0;
    on.store.put = (...args) => {
      stored += 1;
      return stored === 3 ? Promise.reject(new Error("the power went")) : put(...args);
    };
    expect((await on.jobs.runDue()).failed).toHaveLength(1);
    on.store.put = put;
    expect(await on.imports.latest(to)).toMatchObject({ state: "waiting", done: 2, total: 4 });
    await expect(on.imports.checkMayStart(to)).rejects.toMatchObject({ code: "import-running" });
    expect((await on.jobs.runDue({ later: true })).failed).toEqual([]);
    expect(await on.imports.latest(to)).toMatchObject({ state: "done", taken: 4, known: 0 });
    expect((await contentsOf(to)).map(({ caption }) => caption)).toEqual([
      "post 1",
      "post 2",
      "post 3",
      "post 4",
    ]);
  });
});

const postId = (nth: number) => `018f0000-0000-7000-8000-${String(nth).padStart(12, "0")}`;
const post = (fields: object = {}) => ({
  id: postId(1),
  number: 1,
  time: 1_700_000_000_000,
  timeZone: "UTC",
  caption: "words",
  pictures: [],
  ...fields,
});

const image = (file: string, bytes: Buffer) => ({ file, sha256: sha256(bytes), alt: "" });

/** The same length everywhere, so that only the name changes in a zip. */
const renamed = (zip: Buffer, from: string, to: string) =>
  Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");

describe("times", () => {
  test("are never in the future", async () => {
    const to = await on.member("Future");
    const time = Date.now() + 10 * 365 * 86_400_000;
    expect(await imported(to, await zipOf(archiveFiles([post({ time })])))).toMatchObject({
      taken: 1,
    });
    const [only] = await contentsOf(to);
    expect(only?.createdAt).toBeLessThanOrEqual(Date.now());
  });
});

describe("a hostile or broken archive", () => {
  const wrong: [what: string, make: () => Promise<Buffer>, sentence: RegExp][] = [
    [
      "no zip",
      async () => Buffer.from("hello"),
      /^This isn't a zip file, or part of it is missing\.$/,
    ],
    ["an empty file", async () => Buffer.alloc(0), /^This isn't a zip file/],
    ["another zip", () => zipOf({ "holiday.txt": "sun" }), /^We don't know this zip file/],
    [
      "half a zip",
      async () => (await zipOf(archiveFiles([post()]))).subarray(0, 300),
      /^This isn't a zip file, or part of it is missing\.$/,
    ],
    [
      "a path that leaves the folder",
      async () =>
        renamed(await zipOf(archiveFiles([post()], { "aa/bb/cc": "x" })), "aa/bb/cc", "../../cc"),
      /^A file in this archive has a name that points outside it\.$/,
    ],
    [
      "an absolute path",
      async () =>
        renamed(await zipOf(archiveFiles([post()], { "aa/bb/cc": "x" })), "aa/bb/cc", "/etc/ccc"),
      /points outside it/,
    ],
    [
      "a symbolic link",
      () =>
        zipOf(archiveFiles([post()]), (zip) =>
          zip.addBuffer(Buffer.from("/etc/passwd"), "pictures/1-1.jpg", { mode: 0o120777 }),
        ),
      /^pictures\/1-1\.jpg in this archive is a link or a device, not a file\.$/,
    ],
    [
      "a file twice",
      () =>
        zipOf(archiveFiles([post()]), (zip) => zip.addBuffer(Buffer.from("{}"), "profile.json")),
      /^profile\.json is in this archive twice\.$/,
    ],
    [
      "a bomb",
      () => zipOf(archiveFiles([], { "posts/0001.json": Buffer.alloc(30 * 1024 * 1024, " ") })),
      /^posts\/0001\.json in this archive is too large\.$/,
    ],
    [
      "no JSON",
      () => zipOf(archiveFiles([], { "posts/0001.json": "{" })),
      /^posts\/0001\.json in this archive isn't valid JSON\.$/,
    ],
    [
      "endlessly nested JSON",
      () => zipOf(archiveFiles([], { "posts/0001.json": "[".repeat(1_000_000) })),
      /^posts\/0001\.json in this archive is nested too deeply\.$/,
    ],
    [
      "JSON of another shape",
      () => zipOf(archiveFiles([post({ caption: { evil: true } })])),
      /^posts\/0001\.json \(posts\.0\.caption\) in this archive doesn't match the format\.$/,
    ],
    [
      "bytes that are not text",
      () => zipOf(archiveFiles([], { "profile.json": Buffer.from([0xff, 0xfe, 0xfd]) })),
      /^profile\.json in this archive is damaged and can't be read\.$/,
    ],
    [
      "an image outside of its folder",
      () =>
        zipOf(
          archiveFiles([
            post({ pictures: [{ file: "../secrets.json", sha256: "0".repeat(64), alt: "" }] }),
          ]),
        ),
      /posts\.0\.pictures\.0\.file/,
    ],
    [
      "an image that is missing",
      () =>
        zipOf(
          archiveFiles([
            post({ pictures: [{ file: "pictures/1-1.jpg", sha256: "0".repeat(64), alt: "" }] }),
          ]),
        ),
      /^pictures\/1-1\.jpg is missing from this archive\.$/,
    ],
    [
      "a post twice",
      () => zipOf(archiveFiles([post(), post()])),
      /^posts\/0001\.json in this archive has the same post twice\.$/,
    ],
    [
      "a later version",
      () =>
        zipOf(
          archiveFiles([], {
            "postcard.json": JSON.stringify({
              format: "postcard-archive",
              version: 2,
              files: { profile: "profile.json", posts: [] },
            }),
          }),
        ),
      /comes from a newer version of Postcard/,
    ],
    [
      "a key for the prototype",
      () =>
        zipOf(
          archiveFiles([], {
            "postcard.json": '{"__proto__":{"format":"postcard-archive"},"version":1}',
          }),
        ),
      /^postcard\.json \(format\) in this archive doesn't match the format\.$/,
    ],
  ];

  test.each(wrong)(
    "(%s) is refused with a sentence, and nothing of it stays",
    async (_what, make, sentence) => {
      const viewer = await on.member("Hosti Le");
      const outcome = await imported(viewer, await make());
      expect(outcome.state).toBe("failed");
      expect(outcome.problem).toMatch(sentence);
      expect(await contentsOf(viewer)).toEqual([]);
      expect(await namesIn(on.files, "imports/")).toEqual([]);
      expect(
        (await filesBelow(join(on.folder, "tmp"))).filter((file) => /import/.test(file)),
      ).toEqual([]);
    },
  );

  test("with single posts that cannot be imported skips and names those, and imports the others", async () => {
    const viewer = await on.member("Partly Good");
    const good = await readFile((await imageFile("jpeg", 90)).path);
    const page = Buffer.from("<script>alert(1)</script>");
    const outcome = await imported(
      viewer,
      await zipOf(
        archiveFiles(
          [
            post({ id: postId(1), number: 1, pictures: [image("pictures/1-1.jpg", page)] }),
            post({ id: postId(2), number: 2, caption: "x".repeat(2201) }),
            post({ id: postId(3), number: 3, caption: " \n" }),
            post({ id: postId(4), number: 4, pictures: [image("pictures/4-1.jpg", page)] }),
            post({ id: postId(5), number: 5, pictures: [image("pictures/5-1.jpg", good)] }),
            post({ id: postId(6), number: 6, timeZone: "Mars/Olympus" }),
          ],
          { "pictures/1-1.jpg": page, "pictures/4-1.jpg": good, "pictures/5-1.jpg": good },
        ),
      ),
    );
    expect(outcome).toMatchObject({ state: "done", taken: 2, done: 6, total: 6 });
    expect(outcome.skipped).toEqual([
      "Post 1 was left out: pictures/1-1.jpg: We can't use this file. Choose a JPEG, PNG, WebP, AVIF, HEIC or GIF.",
      "Post 2 was left out: A caption can have 2,200 characters; this is 1 too many.",
      "Post 3 was left out: it has nothing to show",
      "Post 4 was left out: pictures/4-1.jpg in this archive isn't the original picture.",
    ]);
    expect((await contentsOf(viewer)).map(({ caption }) => caption)).toEqual(["words", "words"]);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("of scripts and unusual characters is text and nothing else", async () => {
    const viewer = await on.member("Odd Texts");
    const caption = "<script>alert(1)</script>\u0000\u202e שלום";
    await imported(viewer, await zipOf(archiveFiles([post({ caption })])));
    const [only] = await contentsOf(viewer);
    expect(only?.caption).toContain("<script>alert(1)</script>");
    expect(only?.caption).not.toContain("\u0000");
  });
});

describe("uploading an archive", () => {
  test("is possible one at a time and a few times a day, and needs a file", async () => {
    const viewer = await on.member("Many Imports");
    await expect(on.imports.start(viewer, null)).rejects.toMatchObject({
      code: "archive-required",
    });
    await on.imports.start(viewer, await uploaded(Buffer.from("no zip")));
    await expect(
      on.imports.start(viewer, await uploaded(Buffer.from("no zip"))),
    ).rejects.toMatchObject({ code: "import-running" });
    await on.jobs.runDue();
    await query(
      db,
      `insert into imports (account_id, id, state)
      select $1, gen_random_uuid(), 'done' from generate_series(1, 4)`,
      [viewer.id],
    );
    await expect(on.imports.checkMayStart(viewer)).rejects.toMatchObject({
      code: "import-limit",
      retryAfter: expect.any(Number),
    });
  });
});
