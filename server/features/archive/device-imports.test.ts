import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { testApp } from "#server/test/app.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { deviceOf, type Device } from "#server/test/device-imports.ts";
import { archiveFiles, archivesOf } from "#server/test/archives.ts";
import { scene } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { until } from "#server/test/until.ts";
import { everyPage } from "#server/test/factories.ts";
import { keysIn } from "#server/test/traces.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const app = await testApp(db, {}, { rateLimits: true });
const { features: on, call } = app;
const archives = archivesOf(on);

let photo: Buffer;
let ada: Viewer, eve: Viewer;
let device: Device;

beforeAll(async () => {
  photo = await (await scene(48, 32)).jpeg().toBuffer();
});

/** New here. */
beforeEach(async () => {
  [ada, eve] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
  device = deviceOf(app, ada, photo);
});

const day = Date.UTC(2015, 6, 1);
const captionsOf = async (viewer: Viewer, of = viewer) => [
  ...(await everyPage((cursor) => on.posts.photosOf(viewer, of.id, cursor))).map(
    ({ caption }) => caption,
  ),
  ...(await everyPage((cursor) => on.posts.textsOf(viewer, of.id, cursor))).map(
    ({ caption }) => caption,
  ),
];
const latest = () => on.imports.latest(ada);
const sentences = (number: number, length = 3) => Array<string>(number).fill("x".repeat(length));
const ended = { skipped: [], leftOut: [] };

describe("an import from a device", () => {
  test("writes each post on its day, in no feed, with its photos, and says how far it is", async () => {
    await on.follows.follow(eve, ada.id);
    const id = await device.begin({ posts: 3 });
    expect(await latest()).toMatchObject({ id, state: "arriving", kind: "instagram", total: 3 });
    const pictures = [
      { imageId: await device.send(id), alt: "the sea", focalPoint: [0.5, 0] },
      { imageId: await device.send(id), alt: "" },
    ];
    const post = { time: day, caption: "Old #sea", language: "EN-gb", warning: "Waves" };
    expect(await device.post(id, { ...post, key: 1, pictures })).toBe("taken");
    expect(await device.post(id, { key: 2, time: day + 1, caption: "later" })).toBe("taken");
    expect(await latest()).toMatchObject({ state: "arriving", done: 2, total: 3, taken: 2 });

    const [one, two] = (await on.posts.photosOf(ada, ada.id, null)).items;
    expect(two).toBeUndefined();
    const seen = await on.posts.get(eve, ada.username, one!.number);
    expect(seen).toMatchObject({
      caption: "Old #sea",
      createdAt: day,
      imported: true,
      language: "en-GB",
      warning: "Waves",
      sensitive: true,
    });
    expect(seen?.pictures.map(({ alt, focalPoint }) => [alt, focalPoint ?? null])).toEqual([
      ["the sea", [0.5, 0]],
      ["", null],
    ]);
    expect((await everyPage((cursor) => on.feed.home(eve, cursor))).length).toBe(0);

    expect(await device.end(id, { skipped: ["One"], leftOut: ["3 videos"], known: 4 })).toBe(
      "done",
    );
    expect(await latest()).toMatchObject({
      state: "done",
      done: 7,
      total: 7,
      taken: 2,
      known: 4,
      skipped: ["One"],
      leftOut: ["3 videos"],
      problem: null,
    });
    // the answer was lost
    expect(await device.end(id, ended)).toBe("done");
    expect(await latest()).toMatchObject({ skipped: ["One"], known: 4 });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("makes one post of what comes twice, also at the same time, and keeps only its photos", async () => {
    const id = await device.begin();
    const words = { key: 1, time: day, caption: "once" };
    const pictures = [{ imageId: await device.send(id) }];
    const other = [{ imageId: await device.send(id) }];
    const outcomes = await Promise.all([
      device.post(id, { ...words, pictures }),
      device.post(id, { ...words, pictures: other }),
      device.post(id, { ...words, pictures }),
    ]);
    expect(outcomes).toEqual(["taken", "taken", "taken"]);
    expect(await device.post(id, words)).toBe("taken");
    expect(await captionsOf(ada)).toEqual(["once"]);
    expect(await latest()).toMatchObject({ taken: 1, done: 1 });
    expect(await device.known([1, 2])).toEqual([1]);
    expect(await device.knownBefore([1, 2])).toBe(0);
    const unused = "select id from images where account_id = $1 and claimed_at is null";
    expect(await query(db, unused, [ada.id])).toHaveLength(1);
    await device.end(id, ended);
    expect(await query(db, unused, [ada.id])).toEqual([]);
    const again = await device.begin();
    expect(again).not.toBe(id);
    expect(await device.knownBefore([1, 2])).toBe(1);
    expect(await device.post(again, words)).toBe("known");
    expect(await latest()).toMatchObject({ taken: 0, done: 0 });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("is gone on with by another device or after a reload, and counts what is still to come", async () => {
    const id = await device.begin({ posts: 10 });
    for (const key of [1, 2, 3]) await device.post(id, { key, time: day + key, caption: `${key}` });
    expect(await device.begin({ posts: 6, audience: "only-me" })).toBe(id);
    expect(await latest()).toMatchObject({ done: 3, total: 9 });
    await device.post(id, { key: 4, time: day, caption: "not for her" });
    expect((await captionsOf(eve, ada)).toSorted()).toEqual(["1", "2", "3"]);
    const begun = await Promise.all([device.begin(), device.begin(), device.begin()]);
    expect(new Set(begun)).toEqual(new Set([id]));
    await device.end(id, ended);
    const both = await Promise.all([device.begin(), device.begin()]);
    expect(new Set(both).size).toBe(1);
    expect(both[0]).not.toBe(id);
  });

  test("narrows whom a post is for, and widens nothing", async () => {
    const id = await device.begin({ audience: "followers" });
    const audiences = ["everyone", "followers", "close-friends", "only-me"] as const;
    for (const [key, audience] of audiences.entries()) {
      await device.post(id, { key, time: day + key, caption: audience, audience });
    }
    const rows = await query<{ caption: string; audience: string }>(
      db,
      "select caption, audience from posts where author_id = $1",
      [ada.id],
    );
    expect(Object.fromEntries(rows.map(({ caption, audience }) => [caption, audience]))).toEqual({
      everyone: "followers",
      followers: "followers",
      "close-friends": "close-friends",
      "only-me": "only-me",
    });
    await on.privacy.set(eve, true);
    const hers = deviceOf(app, eve, photo);
    const other = await hers.begin({ audience: null });
    await hers.post(other, { key: 1, time: day, caption: "of a private account" });
    expect(await captionsOf(ada, eve)).toEqual([]);
  });

  test("is one thing with archives: one at a time, undone alike", async () => {
    const id = await device.begin();
    const archive = await archives.zipOf(archiveFiles([]));
    const start = async () => on.imports.start(ada, await archives.uploaded(archive));
    await expect(start()).rejects.toMatchObject({ code: "import-open" });
    expect(await device.begin({ kind: "mastodon" })).toBe("import-open");
    for (const key of [1, 2]) {
      const pictures = [{ imageId: await device.send(id) }];
      await device.post(id, { key, time: day + key, caption: `${key}`, pictures });
    }
    expect(await on.imports.undoable(ada)).toEqual([]);
    await expect(on.imports.undo(ada, id)).rejects.toMatchObject({ code: "not-found" });
    await device.end(id, ended);
    expect(await on.imports.undoable(ada)).toMatchObject([{ id, posts: 2, kind: "instagram" }]);
    await on.imports.undo(ada, id);
    expect(await device.begin()).toBe("import-undoing");
    expect(await device.post(id, { key: 3, time: day, caption: "late" })).toBe("import-ended");
    expect((await on.jobs.runDue()).failed).toEqual([]);
    expect(await captionsOf(ada)).toEqual([]);
    expect(await latest()).toMatchObject({ undone: 2, undoing: false });
    expect(await reconcileCounters(db)).toEqual([]);

    await start();
    expect(await device.begin()).toBe("import-running");
    expect((await on.jobs.runDue()).failed).toEqual([]);
    const later = await device.begin();
    expect(await device.post(later, { key: 1, time: day, caption: "again" })).toBe("taken");
  });

  test("takes a post that arrives at its end whole, or not at all", async () => {
    for (let nth = 0; nth < 8; nth += 1) {
      const id = await device.begin();
      const pictures = [{ imageId: await device.send(id) }];
      const post = device.post(id, { key: nth, time: day + nth, caption: "at the end", pictures });
      const [outcome] = await Promise.all([post, device.end(id, ended)]);
      expect(["taken", "import-ended", "picture-unknown"]).toContain(outcome);
      const { taken } = (await latest())!;
      expect(taken).toBe(outcome === "taken" ? 1 : 0);
      const made = "select id from posts where import_id = $1";
      expect(await query(db, made, [id])).toHaveLength(taken);
    }
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("ends by itself after a week without a post, and its unused photos go", async () => {
    const id = await device.begin({ posts: 2 });
    await device.post(id, { key: 1, time: day, caption: "came" });
    await device.send(id);
    const files = (await keysIn(on.store)).length;
    const ago = (days: number) =>
      query(
        db,
        "update imports set device_seen_at = now() - make_interval(days => $1) where id = $2",
        [days, id],
      );
    await ago(limits.archive.openDays - 1);
    await on.deviceImports.sweep();
    expect(await latest()).toMatchObject({ state: "arriving" });
    expect(await keysIn(on.store)).toHaveLength(files);
    await ago(limits.archive.openDays + 1);
    await on.deviceImports.sweep();
    expect(await latest()).toMatchObject({
      state: "failed",
      taken: 1,
      problem: expect.any(String),
    });
    expect(await keysIn(on.store)).toHaveLength(files - 1);
    expect(await device.post(id, { key: 2, time: day, caption: "late" })).toBe("import-ended");
    expect(await device.upload(id)).toBe("import-ended");
    expect(await on.imports.undoable(ada)).toMatchObject([{ id, posts: 1 }]);
  });
});

describe("photos for an import", () => {
  test("are counted by themselves, for newcomers alike, and wait for tomorrow", async () => {
    const id = await device.begin();
    await query(db, "delete from rate_limits");
    await device.send(id);
    const counted = () =>
      query(db, "select points from rate_limits where key like 'writes-importUploads:%'");
    expect(await counted()).toEqual([{ points: 1 }]);
    expect(await query(db, "select 1 from rate_limits where key like 'writes-uploads:%'")).toEqual(
      [],
    );
    const { newcomer } = limits.writes.importUploads;
    await query(db, "update rate_limits set points = $1", [newcomer - 1]);
    expect(await device.upload(id)).toMatch(/^\/api\/uploads\//);
    expect(await device.upload(id)).toBe("too-many-writes");
  });

  test("are for this import alone", async () => {
    const id = await device.begin();
    const imageId = await device.send(id);
    const publish = on.publish(ada, { pictures: [{ imageId, alt: "" }] });
    await expect(publish).rejects.toMatchObject({ code: "picture-unknown" });
    const album = (await on.albums.create(ada, { title: "Summer" })).id;
    const add = on.albums.addPhoto(ada, album, { imageId, clientKey: null });
    await expect(add).rejects.toMatchObject({ code: "picture-unknown" });
    // hers cannot take it, nor an import after this one
    const hers = deviceOf(app, eve, photo);
    const pictures = [{ imageId }];
    expect(await hers.post(await hers.begin(), { key: 1, time: day, pictures })).toBe(
      "picture-unknown",
    );
    await query(db, "update imports set state = 'done' where id = $1", [id]);
    const next = await device.begin();
    expect(await device.post(next, { key: 1, time: day, pictures })).toBe("picture-unknown");
    expect(await captionsOf(ada)).toEqual([]);
    expect(await latest()).toMatchObject({ taken: 0 });
  });

  test("are refused before the first byte for what is not open, and where there is no room", async () => {
    const id = await device.begin();
    expect(await deviceOf(app, eve, photo).upload(id)).toBe("not-found");
    expect(await device.upload("none")).toBe("not-found");
    await on.storage.setQuota(ada.id, 1000);
    expect(await device.upload(id)).toBe("storage-full");
    expect(await device.begin({ bytes: 1001 })).toBe("storage-full");
    expect(await device.begin({ bytes: 1000 })).toBe(id);
    await on.storage.setQuota(ada.id, null);
    await device.end(id, ended);
    expect(await device.upload(id)).toBe("import-ended");
  });

  test("say where they were taken only if that was chosen", async () => {
    const taken = {
      IFD0: { Model: "Q3" },
      IFD3: {
        GPSLatitudeRef: "N",
        GPSLatitude: "43/1 28/1 0/1",
        GPSLongitudeRef: "E",
        GPSLongitude: "11/1 53/1 0/1",
      },
    };
    const placed = await (await scene(90, 70)).withExif(taken).jpeg().toBuffer();
    const camera = deviceOf(app, ada, placed);
    const id = await camera.begin();
    for (const showPlace of [true, false]) {
      const pictures = [{ imageId: await camera.send(id) }];
      await camera.post(id, { key: Number(showPlace), time: day, showPlace, pictures });
    }
    const stored = "select latitude from images where account_id = $1 order by latitude";
    expect(await query(db, stored, [ada.id])).toEqual([{ latitude: 4347 }, { latitude: null }]);
  });
});

describe("what a device may not send", () => {
  test.each([
    ["a day before photos were on the web", { time: Date.UTC(1989, 11, 31) }],
    ["the year 0", { time: Date.UTC(0, 0, 1) - 1900 * 366 * 24 * 3_600_000 }],
    ["tomorrow", { time: Date.now() + 24 * 3_600_000 }],
    ["the year 9999", { time: Date.UTC(9999, 11, 31) }],
    ["nothing to show", { caption: " \u0000\u200B " }],
    ["a caption that is too long", { caption: "x".repeat(limits.caption + 1) }],
    ["a warning that is too long", { warning: "x".repeat(limits.warning.graphemes + 1) }],
  ])("%s: the sentence names the post and says why", async (_, fields) => {
    const id = await device.begin();
    const answer = await device.answer(id, { key: 1, time: day, caption: "words", ...fields });
    expect(answer.json()).toMatchObject({
      error: {
        code: "not-importable",
        message: expect.stringMatching(
          /^(The post of .+ \d{1,4}|A post without a day).* was left out: .+/,
        ),
      },
    });
    expect(answer.statusCode).toBe(422);
    expect(await latest()).toMatchObject({ taken: 0 });
  });

  test.each([
    ["a key of another service", { key: `mastodon:${"0".repeat(32)}` }],
    ["a key of an archive", { key: "import:018f0000-0000-7000-8000-000000000000" }],
    ["a key that is longer", { key: `instagram:${"0".repeat(33)}` }],
    ["a time that is none", { time: 8.64e15 + 1 }],
    ["half a millisecond", { time: 0.5 }],
    ["eleven photos", { pictures: Array.from({ length: 11 }, () => ({ imageId: "x" })) }],
    ["an audience that nobody knows", { audience: "all" }],
    ["a text of 66 kB", { caption: "x".repeat(66_000) }],
  ])("%s", async (_, fields) => {
    const id = await device.begin();
    expect(await device.post(id, { key: 1, time: day, caption: "words", ...fields })).toBe(
      "input-invalid",
    );
    expect(await captionsOf(ada)).toEqual([]);
  });

  test("photos that are nobody's, somebody else's, used, or named twice", async () => {
    const id = await device.begin();
    const mine = await device.send(id);
    const other = await on.upload(eve);
    await device.post(id, { key: 0, time: day, pictures: [{ imageId: mine }] });
    for (const ids of [["none"], [other], [mine], [ada.id]]) {
      const pictures = ids.map((imageId) => ({ imageId }));
      expect(await device.post(id, { key: 1, time: day, pictures })).toBe("picture-unknown");
    }
    const twice = await device.send(id);
    const pictures = [{ imageId: twice }, { imageId: twice }];
    expect(await device.post(id, { key: 1, time: day, pictures })).toBe("picture-unknown");
    expect(await device.post(id, { key: 1, time: day, pictures: [{ imageId: twice }] })).toBe(
      "taken",
    );
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("anything for an import of somebody else, of an archive, or that never was", async () => {
    const hers = deviceOf(app, eve, photo);
    const theirs = await hers.begin();
    const { id: read } = await archives.imported(ada, await archives.zipOf(archiveFiles([])));
    for (const id of [theirs, read, eve.id, "x"]) {
      expect(await device.post(id, { key: 1, time: day, caption: "x" })).toBe("not-found");
      expect(await device.end(id, ended)).toBe("not-found");
      expect(await device.upload(id)).toBe("not-found");
    }
    expect(await hers.known([1])).toEqual([]);
    expect((await on.imports.latest(eve))?.state).toBe("arriving");
  });

  test("more imports than a day has, more keys at once, more sentences, longer ones", async () => {
    const { deviceImportsADay: most, keysAtOnce, leftOut } = limits.archive;
    for (let nth = 0; nth < most; nth += 1) await device.end(await device.begin(), ended);
    expect(await device.begin()).toBe("import-limit");
    // archives are counted apart
    await on.imports.checkMayStart(ada);
    await query(db, "update imports set created_at = now() - interval '25 hours'");
    const id = await device.begin();
    const keys = Array.from({ length: keysAtOnce + 1 }, (_, nth) => nth);
    expect(await device.known(keys)).toBe("input-invalid");
    expect(await device.known(keys.slice(1))).toEqual([]);
    expect(await device.end(id, { skipped: sentences(leftOut + 1) })).toBe("input-invalid");
    expect(await device.end(id, { leftOut: sentences(101) })).toBe("input-invalid");
    expect(await device.end(id, { skipped: sentences(1, 501) })).toBe("input-invalid");
    expect(
      await device.end(id, { skipped: ["a\u0000b \uD800", ...sentences(leftOut - 1, 500)] }),
    ).toBe("done");
    expect((await latest())?.skipped[0]).toBe("ab \uFFFD");
  });

  test("more posts than a day has", async () => {
    const id = await device.begin();
    await device.post(id, { key: 1, time: day, caption: "one" });
    await query(db, "update rate_limits set points = $1 where key like 'writes-importedPosts:%'", [
      limits.writes.importedPosts.newcomer,
    ]);
    expect(await device.post(id, { key: 2, time: day, caption: "two" })).toBe("too-many-writes");
    expect(await captionsOf(ada)).toEqual(["one"]);
    expect(await latest()).toMatchObject({ taken: 1 });
  });

  test("anything while it is suspended, or when its account is gone", async () => {
    const id = await device.begin();
    await device.send(id);
    await on.suspend(ada);
    const refused = await device.answer(id, { key: 1, time: day, caption: "x" });
    expect(refused.json()).toMatchObject({ error: { code: "sign-in-required" } });
    expect(await query(db, "select id from posts where author_id = $1", [ada.id])).toEqual([]);
    await on.deletion.requestFor(eve.id, 0);
    const hers = deviceOf(app, eve, photo);
    expect(await hers.begin()).not.toMatch(/^[\da-f-]{36}$/);
  });
});

test("a device that is cut off anywhere goes on, and brings everything once", async () => {
  /** Which of its calls is the last: made, or lost on the way. */
  const places = 1 + 1 + 2 * 4 + 1;
  for (let place = 1; place <= places; place += 1) {
    for (const lost of [true, false]) {
      [ada] = (await insertAccounts(db, 1)) as [Viewer];
      let calls = 0;
      const cut: typeof call = async (...given) => {
        calls += 1;
        if (calls === place && lost) throw new Error("cut");
        const answer = await call(...given);
        if (calls === place) throw new Error("cut");
        return answer;
      };
      const bring = async (through: typeof call) => {
        const one = deviceOf({ call: through }, ada, photo);
        const known = new Set(await one.known([1, 2]));
        const keys = [1, 2].filter((key) => !known.has(key));
        const id = await one.begin({ posts: keys.length });
        for (const key of keys) {
          const pictures = [{ imageId: await one.send(id) }];
          await one.post(id, { key, time: day + key, caption: `${key}`, pictures });
        }
        await one.end(id, { ...ended, known: known.size });
      };
      await expect(bring(cut)).rejects.toThrow("cut");
      await bring(call);
      expect((await captionsOf(ada)).toSorted(), `${place} ${lost}`).toEqual(["1", "2"]);
      expect(await latest(), `${place} ${lost}`).toMatchObject({ state: "done" });
      expect((await latest())!.done).toBe((await latest())!.total);
      const unused = "select id from images where account_id = $1 and claimed_at is null";
      // One whose upload was cut off may be decoded only after the end: the sweep takes it.
      await until(async () => {
        await on.deviceImports.sweep();
        return (await query(db, unused, [ada.id])).length === 0;
      });
    }
  }
  expect(await reconcileCounters(db)).toEqual([]);
});
