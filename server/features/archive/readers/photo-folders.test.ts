import { describe, expect, test } from "vitest";
import { openReader } from "#server/features/archive/readers/open-reader.ts";
import { archiveTest, type Archives } from "#server/test/archives.ts";
import { everyPage } from "#server/test/factories.ts";
import { scene } from "#server/test/images.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

const { on, archives } = await archiveTest();

type Files = Parameters<Archives["zipOf"]>[0];

let width = 50;
/** A photo unlike every other; `taken` as EXIF has it. */
async function photo(taken?: string) {
  const image = (await scene((width += 1), 30)).jpeg();
  return taken
    ? image
        .withExif({ IFD0: { DateTime: "2022:01:01 00:00:00" }, IFD2: { DateTimeOriginal: taken } })
        .toBuffer()
    : image.toBuffer();
}

/** What comes over, oldest first, and what does not, without importing it. */
async function readOf(files: Files) {
  const { path } = await archives.uploaded(await archives.zipOf(files));
  const archive = await openReader(path);
  try {
    const posts = [];
    for await (const list of archive.posts()) posts.push(...list.map((prepare) => prepare()));
    const { leftOut } = await archive.check();
    return { kind: archive.kind, posts, leftOut };
  } finally {
    archive.close();
  }
}

const saidOf = ({ posts }: { posts: Awaited<ReturnType<typeof readOf>>["posts"] }) =>
  posts.map((post) =>
    "skipped" in post
      ? post.skipped
      : [post.pictures[0]?.file, post.caption, new Date(post.time).toISOString(), post.audience],
  );

async function postsOf(viewer: Viewer) {
  const tiles = await everyPage((cursor) => on.posts.photosOf(viewer, viewer.id, cursor));
  const posts = await Promise.all(
    tiles.map(({ number }) => on.posts.get(viewer, viewer.username, number)),
  );
  return posts as FeedPost[];
}

const sidecar = (seconds: number | string, fields: object = {}) =>
  JSON.stringify({
    title: "IMG.jpg",
    description: "",
    photoTakenTime: { timestamp: String(seconds), formatted: "…" },
    geoData: { latitude: 0, longitude: 0 },
    ...fields,
  });
const flickrInfo = (id: string, fields: object) =>
  JSON.stringify({
    id,
    name: "",
    description: "",
    date_taken: "2010-05-01 12:00:00",
    privacy: "public",
    ...fields,
  });
// The shape of a sidecar, with its title, description and times, is that of gist.github.com/jrstrunk
// (4fc7a6baf90f9a4b5e1d62b1d4fdc94a); immich-app/immich has the newer name in its discussion 21392.
describe("a Takeout of Google Photos", () => {
  const folder = "Takeout/Google Photos/Photos from 2019";
  const at = Date.parse("2019-05-03T08:00:00Z") / 1000;
  const long = `${"x".repeat(60)}.jpg`;

  test("has its days and descriptions beside each photo, under any of its names", async () => {
    const read = await readOf({
      [`${folder}/a.jpg`]: "a",
      [`${folder}/a.jpg.json`]: sidecar(at, { description: "Café 🌊" }),
      [`${folder}/b.jpg`]: "bb",
      [`${folder}/b.jpg.supplemental-metadata.json`]: sidecar(at + 1, { description: "new name" }),
      [`${folder}/c.HEIC`]: "ccc",
      [`${folder}/c.HEIC.supplemental-metad.json`]: sidecar(at + 2),
      [`${folder}/d(1).jpg`]: "dddd",
      [`${folder}/d.jpg(1).json`]: sidecar(at + 3, { description: "the second d" }),
      [`${folder}/e(2).jpg`]: "eeeee",
      [`${folder}/e.jpg.supplemental-metadata(2).json`]: sidecar(at + 4),
      [`${folder}/${long}`]: "ffffff",
      [`${folder}/${long.slice(0, 46)}.json`]: sidecar(at + 5, { description: "long" }),
      [`${folder}/g-edited.jpg`]: "ggggggg",
      [`${folder}/g.jpg.json`]: sidecar(at + 6, { archived: true }),
      [`${folder}/trash.jpg`]: "hhhhhhhh",
      [`${folder}/trash.jpg.json`]: sidecar(at + 7, { trashed: true }),
      [`${folder}/metadata.json`]: JSON.stringify({ title: "Photos from 2019" }),
      [`${folder}/film.mp4`]: "film",
      [`${folder}/film.mp4.json`]: sidecar(at + 8),
      // in an album again
      "Takeout/Google Photos/Sea/a.jpg": "a",
      "Takeout/Google Photos/Sea/a.jpg.json": sidecar(at, { description: "Café 🌊" }),
    });
    expect(read.kind).toBe("google-photos");
    const time = (more: number) => new Date((at + more) * 1000).toISOString();
    expect(saidOf(read)).toEqual([
      ["Takeout/Google Photos/Sea/a.jpg", "Café 🌊", time(0), "everyone"],
      [`${folder}/b.jpg`, "new name", time(1), "everyone"],
      [`${folder}/c.HEIC`, "", time(2), "everyone"],
      [`${folder}/d(1).jpg`, "the second d", time(3), "everyone"],
      [`${folder}/e(2).jpg`, "", time(4), "everyone"],
      [`${folder}/${long}`, "long", time(5), "everyone"],
      [`${folder}/g-edited.jpg`, "", time(6), "only-me"],
    ]);
    expect(read.leftOut).toEqual(["1 video: Postcard has photos and words"]);
  });

  test("of more photos than one file may bring leaves out the newest, and says so", async () => {
    const files: Files = {};
    for (let nth = 0; nth < 2003; nth += 1) {
      files[`${folder}/${nth}.jpg`] = `${nth}`;
      files[`${folder}/${nth}.jpg.json`] = sidecar(at + nth);
    }
    const { posts, leftOut } = await readOf(files);
    expect(posts).toHaveLength(2000);
    expect(leftOut).toEqual([
      "3 posts: one file brings the oldest 2,000. Put the rest into another",
    ]);
  });
});

// As tagspaces/flickr-export-organizer reads it (flickr-export.js).
test("an export of Flickr comes over with titles, descriptions and days, and what was not public stays private", async () => {
  const read = await readOf({
    "sunset_12345678901_o.jpg": "a",
    "photo_12345678901.json": flickrInfo("12345678901", {
      name: "Sunset",
      description: 'Seen from <a href="https://example.org/pier">the pier</a>',
    }),
    "img_1234_22345678901_o.jpg": "bb",
    "photo_22345678901.json": flickrInfo("22345678901", {
      name: "IMG_1234",
      date_taken: "2010-05-02 12:00:00",
      privacy: "friends & family",
    }),
    "albums.json": JSON.stringify({ albums: [] }),
  });
  expect(read.kind).toBe("flickr");
  expect(saidOf(read)).toEqual([
    [
      "sunset_12345678901_o.jpg",
      "Sunset\n\nSeen from https://example.org/pier",
      "2010-05-01T12:00:00.000Z",
      "everyone",
    ],
    ["img_1234_22345678901_o.jpg", "", "2010-05-02T12:00:00.000Z", "only-me"],
  ]);
});

test("a folder of photos comes over on the days they were taken, for whom their owner chooses", async () => {
  const ada = await on.member("Ada Folder");
  const zip = await archives.zipOf({
    "Holiday/one.jpg": await photo("2018:07:01 10:20:30"),
    "Holiday/IMG_20190503_101500.jpg": await photo(),
    "Holiday/IMG-20200229-WA0001.jpg": await photo(),
    "Holiday/no day.jpg": await photo(),
    "__MACOSX/Holiday/._one.jpg": "resource fork",
  });
  await on.imports.start(ada, await archives.uploaded(zip), { audience: "only-me" });
  expect((await on.jobs.runDue()).failed).toEqual([]);
  const outcome = await on.imports.latest(ada);
  expect(outcome).toMatchObject({ state: "done", kind: "folder", taken: 3, total: 4 });
  expect(outcome?.skipped).toEqual([
    "A post without a day was left out: Holiday/no day.jpg: we can't tell its day, or it can't be right",
  ]);
  const posts = await postsOf(ada);
  expect(
    posts.map(({ createdAt, audience }) => [new Date(createdAt).toISOString(), audience]),
  ).toEqual([
    ["2020-02-29T12:00:00.000Z", "only-me"],
    ["2019-05-03T10:15:00.000Z", "only-me"],
    ["2018-07-01T10:20:30.000Z", "only-me"],
  ]);
});

test("a folder's days are of the time zone that its owner's posts are of", async () => {
  const ada = await on.member("Ada Away");
  const words = { caption: "here", pictures: [], clientKey: null };
  await on.posts.publish(ada, { ...words, timeZone: "Asia/Tokyo" });
  const zip = await archives.zipOf({ "one.jpg": await photo("2018:07:01 23:20:30") });
  await on.imports.start(ada, await archives.uploaded(zip), { audience: "only-me" });
  expect((await on.jobs.runDue()).failed).toEqual([]);
  const [post] = await postsOf(ada);
  expect(post && new Date(post.createdAt).toISOString()).toBe("2018-07-01T14:20:30.000Z");
});
