import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { mendText } from "#shared/exports/mend-text.ts";
import { archiveTest, type Archives } from "#server/test/archives.ts";
import { everyPage } from "#server/test/factories.ts";
import { scene } from "#server/test/images.ts";
import { sha256 } from "#server/test/traces.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

const { db, on, archives } = await archiveTest();

type Files = Parameters<Archives["zipOf"]>[0];
const imported = async (viewer: Viewer, files: Files) =>
  archives.imported(viewer, await archives.zipOf(files));

/** As Instagram writes text: every byte of UTF-8 as a character. */
const asWritten = (text: string) => Buffer.from(text).toString("latin1");
const day = (text: string) => Date.parse(text) / 1000;

let width = 40;
/** A photo unlike every other. */
const photo = async (format: "jpeg" | "webp" = "jpeg") =>
  (await scene((width += 1), 30)).toFormat(format).toBuffer();

/** What a profile shows, oldest first. */
async function shownTo(viewer: Viewer) {
  const tiles = await everyPage((cursor) => on.posts.photosOf(viewer, viewer.id, cursor));
  const posts = await Promise.all(
    tiles.map(({ number }) => on.posts.get(viewer, viewer.username, number)),
  );
  return (posts as FeedPost[]).toSorted((one, other) => one.createdAt - other.createdAt);
}

async function originalsOf({ pictures }: FeedPost) {
  const hashes = [];
  for (const { key } of pictures) {
    const original = await on.store.openOriginal(key);
    hashes.push(sha256(await buffer(original?.read() as never)));
  }
  return hashes;
}

const captions = [
  "Café",
  "日本の海 🌊",
  "Привет, море",
  "שלום ים",
  "مرحبا بالبحر",
  "สวัสดีทะเล",
  "नमस्ते समुद्र",
  "안녕 바다",
  "plain words",
  "👨‍👩‍👧‍👦",
];

describe("text that was read as Latin-1", () => {
  test.each(captions)("is mended, and right text stays: %s", (caption) => {
    expect(mendText(asWritten(caption))).toBe(caption);
    expect(mendText(caption)).toBe(caption);
  });

  test("stays where only some of it could be mended", () => {
    for (const text of ["Ã", "Café Ã©", "naïve", "Ã© 日本", "¿Qué?"])
      expect(mendText(text)).toBe(text);
  });
});

// posts_1.json, also of one post alone, is read like this by pixelfed/pixelfed
// (resources/assets/components/AccountImport.vue); media.json by ryanmonro/instagram-data-download-json-tool, and
// its folders are in PersonalDataPipeline/pdpl-cli (src/imports/instagram-2018-import/README.md).
const photoName = (nth: number) => `media/posts/202001/${nth}.jpg`;

/** An export of one photo. */
const one = async (more: Files = {}) => ({
  [photoName(1)]: await photo(),
  "content/posts_1.json": JSON.stringify([
    { media: [{ uri: photoName(1), creation_timestamp: day("2020-01-01"), title: "" }] },
  ]),
  ...more,
});

describe("an export of Instagram", () => {
  test.each([
    ["today's", "your_instagram_activity/media/"],
    ["2023's", "your_instagram_activity/content/"],
    ["2021's", "content/"],
    ["one in a folder of its own", "instagram-ada-2024/your_instagram_activity/media/"],
  ])("comes over with captions, days, order and photos: %s", async (_which, folder) => {
    const ada = await on.member("Ada Insta");
    const root = folder.startsWith("instagram-") ? "instagram-ada-2024/" : "";
    const [one, two, three] = [await photo(), await photo("webp"), await photo()];
    const files = {
      [`${root}media/posts/201905/one.jpg`]: one,
      [`${root}media/posts/201906/two.webp`]: two,
      [`${root}media/posts/201906/three.jpg`]: three,
    };
    const set = ["two.webp", "three.jpg"].map((name) => ({
      uri: `media/posts/201906/${name}`,
      creation_timestamp: day("2019-06-01T10:00:00Z"),
      title: "",
    }));
    const first = {
      uri: "media/posts/201905/one.jpg",
      creation_timestamp: day("2019-05-03T08:00:00Z"),
      title: asWritten("Café 🌊"),
      media_metadata: { photo_metadata: { exif_data: [{ latitude: 1, longitude: 2 }] } },
    };
    const outcome = await imported(ada, {
      ...files,
      [`${folder}posts_1.json`]: JSON.stringify([
        {
          media: set,
          title: asWritten("Two of the sea"),
          creation_timestamp: set[0]!.creation_timestamp,
        },
        { media: [first] },
      ]),
    });
    expect(outcome).toMatchObject({
      state: "done",
      kind: "instagram",
      taken: 2,
      total: 2,
      skipped: [],
      leftOut: [],
    });
    const shown = await shownTo(ada);
    expect(shown.map(({ caption, createdAt }) => [caption, createdAt])).toEqual([
      ["Café 🌊", Date.parse("2019-05-03T08:00:00Z")],
      ["Two of the sea", Date.parse("2019-06-01T10:00:00Z")],
    ]);
    expect(await originalsOf(shown[1]!)).toEqual([sha256(two), sha256(three)]);
    expect(await originalsOf(shown[0]!)).toEqual([sha256(one)]);
    expect(shown.map(({ number, imported: mark }) => [number, mark])).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("of before 2020 comes over from media.json, sets together", async () => {
    const ada = await on.member("Ada Old");
    const taken = { caption: asWritten("Früher"), taken_at: "2018-12-31T08:05:13" };
    const outcome = await imported(ada, {
      "photos/201812/a.jpg": await photo(),
      "photos/201812/b.jpg": await photo(),
      "photos/201812/c.jpg": await photo(),
      "media.json": JSON.stringify({
        stories: [{ ...taken, path: "stories/201812/s.jpg" }],
        photos: [
          { ...taken, path: "photos/201812/a.jpg", location: "West End" },
          { ...taken, path: "photos/201812/b.jpg" },
          { caption: "Later", taken_at: "2019-01-01T00:00:00+00:00", path: "photos/201812/c.jpg" },
        ],
        videos: [{ ...taken, path: "videos/201812/v.mp4" }],
        profile: [{ ...taken, path: "profile/p.jpg", is_active_profile: true }],
      }),
    });
    expect(outcome).toMatchObject({ state: "done", taken: 2, skipped: [] });
    expect(outcome.leftOut).toEqual([
      "1 story: stories are no posts",
      "1 video or reel: Postcard has photos and words",
    ]);
    expect(
      (await shownTo(ada)).map((one) => [one.caption, one.pictures.length, one.createdAt]),
    ).toEqual([
      ["Früher", 2, Date.parse("2018-12-31T08:05:13Z")],
      ["Later", 1, Date.parse("2019-01-01T00:00:00Z")],
    ]);
  });

  test("divides sets of more than ten, keeps archived posts to their author, and counts what it leaves out", async () => {
    const ada = await on.member("Ada Sets");
    const names = Array.from({ length: 13 }, (_, nth) => `media/posts/202001/${nth}.jpg`);
    const files: Files = {};
    for (const name of names) files[name] = await photo();
    files["media/posts/202002/archived.jpg"] = await photo();
    const at = { creation_timestamp: day("2020-01-05T00:00:00Z"), title: "" };
    const media = [...names, "media/posts/202001/film.mp4"].map((uri) => ({ uri, ...at }));
    const one = { ...at, uri: "media/posts/202002/archived.jpg", title: "Put away" };
    const activity = "your_instagram_activity/media/";
    const outcome = await imported(ada, {
      ...files,
      [`${activity}posts_1.json`]: JSON.stringify([{ media, ...at, title: "Many" }]),
      [`${activity}archived_posts.json`]: JSON.stringify({
        ig_archived_post_media: [{ media: [one] }],
      }),
      [`${activity}reels.json`]: JSON.stringify({
        ig_reels_media: [{ media: [at] }, { media: [at] }],
      }),
      [`${activity}stories.json`]: JSON.stringify({ ig_stories: [at] }),
    });
    expect(outcome).toMatchObject({ state: "done", taken: 3, skipped: [] });
    expect(outcome.leftOut.toSorted()).toEqual([
      "1 story: stories are no posts",
      "3 videos and reels: Postcard has photos and words",
    ]);
    const shown = await shownTo(ada);
    expect(shown.map((post) => [post.pictures.length, post.audience])).toEqual(
      expect.arrayContaining([
        [10, "everyone"],
        [3, "everyone"],
        [1, "only-me"],
      ]),
    );
    const first = shown.find(({ pictures }) => pictures.length === 10);
    expect(await originalsOf(first!)).toEqual(
      names.slice(0, 10).map((name) => sha256(files[name] as Buffer)),
    );
  });

  test("of a private account is for followers, and one without posts of its own follows its author's choice", async () => {
    const [ada, eve] = [await on.member("Ada Shut"), await on.member("Eve Close")];
    await imported(
      ada,
      await one({
        "personal_information/personal_information.json": JSON.stringify({
          profile_user: [{ string_map_data: { "Private Account": { value: "True" } } }],
        }),
      }),
    );
    expect((await shownTo(ada)).map(({ audience }) => audience)).toEqual(["followers"]);
    expect((await on.profiles.get(null, ada.id))?.isPrivate).toBe(false);
    await on.posts.setNextAudience(eve, "close-friends");
    await imported(eve, await one());
    expect((await shownTo(eve)).map(({ audience }) => audience)).toEqual(["close-friends"]);
  });

  test("of one post may be that post instead of a list", async () => {
    const ada = await on.member("Ada One");
    const at = { creation_timestamp: day("2020-01-01"), title: "" };
    const media = ["a", "b"].map((name) => ({ uri: `media/posts/202001/${name}.jpg`, ...at }));
    const outcome = await imported(ada, {
      "media/posts/202001/a.jpg": await photo(),
      "media/posts/202001/b.jpg": await photo(),
      "content/posts_1.json": JSON.stringify({
        media,
        creation_timestamp: at.creation_timestamp,
        title: "Alone",
      }),
    });
    expect(outcome).toMatchObject({ taken: 1, skipped: [], leftOut: [] });
    expect((await shownTo(ada)).map(({ caption, pictures }) => [caption, pictures.length])).toEqual(
      [["Alone", 2]],
    );
  });

  test("imported twice makes nothing twice, also where the file was made anew", async () => {
    const ada = await on.member("Ada Twice");
    const one = await photo();
    const posts = [
      {
        media: [
          { uri: "media/posts/202001/a.jpg", creation_timestamp: day("2020-01-01"), title: "x" },
        ],
      },
    ];
    const files = (folder: string) => ({
      "media/posts/202001/a.jpg": one,
      [`${folder}/posts_1.json`]: JSON.stringify(posts),
    });
    expect(await imported(ada, files("content"))).toMatchObject({ taken: 1, known: 0 });
    expect(await imported(ada, files("your_instagram_activity/media"))).toMatchObject({
      taken: 0,
      known: 1,
    });
    expect(await shownTo(ada)).toHaveLength(1);
    const keys = await db.query<{ key: string }>(sql`
      select client_key as key from posts where author_id = ${ada.id}
    `);
    expect(keys[0]?.key).toMatch(/^instagram:[0-9a-f]{32}$/);
  });

  test.each<[what: string, files: Files, sentence: RegExp]>([
    [
      "in HTML",
      { "your_instagram_activity/media/posts_1.html": "<html></html>", "start_here.html": "" },
      /in HTML, which we can't read\. Ask Instagram for it again and choose JSON/,
    ],
    [
      "in parts, one without the list",
      { "media/posts/202001/a.jpg": "x" },
      /one part of an export of Instagram.*Unpack all parts/,
    ],
    ["that is broken", { "content/posts_1.json": "[{" }, /isn't valid JSON/],
    ["nested too deeply", { "content/posts_1.json": "[".repeat(100_000) }, /nested too deeply/],
    [
      "nested too deeply in a post",
      { "content/posts_1.json": `[{"media":${"[".repeat(40)}${"]".repeat(40)}}]` },
      /nested too deeply/,
    ],
  ])("%s is refused with a sentence", async (_what, files, sentence) => {
    const viewer = await on.member("Wrong Insta");
    const outcome = await imported(viewer, files);
    expect(outcome.state).toBe("failed");
    expect(outcome.problem).toMatch(sentence);
  });

  test("leaves out one by one what can't come over, and says why", async () => {
    const viewer = await on.member("Odd Insta");
    const good = await photo();
    const of = (nth: number, at: number, title = "", uri = photoName(nth)) => ({
      media: [{ uri, creation_timestamp: at, title }],
    });
    const at = day("2020-01-01");
    const outcome = await imported(viewer, {
      [photoName(1)]: good,
      [photoName(2)]: good,
      [photoName(3)]: good,
      [photoName(4)]: await photo(),
      [photoName(5)]: Buffer.from("<script>alert(1)</script>"),
      "content/posts_1.json": JSON.stringify([
        of(1, day("0001-01-01")),
        of(2, day("9999-01-01")),
        of(3, at, "x".repeat(1_000_000)),
        of(4, at + 60, "good"),
        of(5, at + 120),
        of(6, at + 180, "", "../../../etc/passwd.jpg"),
        { media: [] },
        "no post",
        { media: [{ uri: { evil: true } }] },
      ]),
    });
    expect(outcome).toMatchObject({ state: "done", taken: 1, total: 6 });
    expect(outcome.skipped).toEqual([
      "The post of January 1, 1 was left out: media/posts/202001/1.jpg: we can't tell its day, or it can't be right",
      "The post of January 1, 2020 was left out: A caption can have 2,200 characters; this is at least 197,800 too many.",
      `The post of January 1, 2020 was left out: ${photoName(5)}: We can't use this file. Choose a JPEG, PNG, WebP, AVIF, HEIC or GIF.`,
      "The post of January 1, 2020 was left out: a photo of it isn't in this file. If your export came in parts, put them into one zip",
      "The post of January 1, 9999 was left out: media/posts/202001/2.jpg: we can't tell its day, or it can't be right",
    ]);
    expect(outcome.leftOut).toEqual(["2 posts that we can't read"]);
    expect((await shownTo(viewer)).map(({ caption }) => caption)).toEqual(["good"]);
    expect(await reconcileCounters(db)).toEqual([]);
  });
});
