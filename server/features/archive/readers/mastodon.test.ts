import { describe, expect, test } from "vitest";
import { htmlToText } from "#shared/exports/html-to-text.ts";
import { archiveTest } from "#server/test/archives.ts";
import { everyPage } from "#server/test/factories.ts";
import { scene } from "#server/test/images.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

const { on, archives } = await archiveTest();

const me = "https://mastodon.example/users/ada";
const publicly = "https://www.w3.org/ns/activitystreams#Public";
let notes = 0;

/** As app/services/backup_service.rb of mastodon/mastodon writes them: addresses of files begin after /system/. */
const create = (fields: object = {}) => {
  const id = `${me}/statuses/${(notes += 1)}`;
  const published = new Date(Date.UTC(2021, 0, notes)).toISOString();
  return {
    id: `${id}/activity`,
    type: "Create",
    actor: me,
    published,
    object: {
      id,
      type: "Note",
      summary: null,
      inReplyTo: null,
      published,
      to: [publicly],
      cc: [`${me}/followers`],
      sensitive: false,
      content: "<p>words</p>",
      attachment: [],
      tag: [],
      ...fields,
    },
  };
};

const outbox = (items: object[]) => ({
  "actor.json": JSON.stringify({ type: "Person", preferredUsername: "ada" }),
  "likes.json": JSON.stringify({ orderedItems: ["https://example.org/1"] }),
  "outbox.json": JSON.stringify({
    "@context": ["https://www.w3.org/ns/activitystreams", { sensitive: "as:sensitive" }],
    id: "outbox.json",
    type: "OrderedCollection",
    totalItems: items.length,
    orderedItems: items,
  }),
});

async function postsOf(viewer: Viewer) {
  const tiles = [
    ...(await everyPage((cursor) => on.posts.photosOf(viewer, viewer.id, cursor))),
    ...(await everyPage((cursor) => on.posts.textsOf(viewer, viewer.id, cursor))),
  ];
  const posts = await Promise.all(
    tiles.map(({ number }) => on.posts.get(viewer, viewer.username, number)),
  );
  return (posts as FeedPost[]).toSorted((one, other) => one.createdAt - other.createdAt);
}

describe("an archive of Mastodon", () => {
  test("comes over with words, photos, alt texts, focal points, warnings, languages and audiences", async () => {
    const ada = await on.member("Ada Masto");
    const folder = "media_attachments/files/110/001/original";
    const items = [
      create({
        content: "<p>Look &amp; see<br>the <b>sea</b></p><p>twice</p>",
        contentMap: { de: "<p>…</p>" },
        attachment: [
          {
            type: "Document",
            mediaType: "image/jpeg",
            url: `${folder}/one.jpg`,
            name: "Waves, from above",
            focalPoint: [0.5, -0.25],
          },
          {
            type: "Document",
            mediaType: "image/png",
            url: `/bucket/${folder}/two.png`,
            name: null,
          },
          { type: "Document", mediaType: "video/mp4", url: `${folder}/film.mp4`, name: null },
        ],
      }),
      create({ to: [`${me}/followers`], cc: [], content: "<p>quietly</p>", summary: "Storm" }),
      create({ to: [`${me}/followers`], cc: [publicly], content: "<p>unlisted</p>" }),
      create({ to: ["https://other.example/users/bob"], cc: [], content: "<p>secret</p>" }),
      create({ inReplyTo: "https://other.example/1", content: "<p>a reply</p>" }),
      create({ type: "Question", oneOf: [{ name: "yes" }], content: "<p>a poll</p>" }),
      { type: "Announce", actor: me, object: "https://other.example/2" },
      { type: "Announce", actor: me, object: "https://other.example/3" },
      { type: "Create", object: { nothing: true } },
    ];
    const outcome = await archives.imported(
      ada,
      await archives.zipOf({
        ...outbox(items),
        [`${folder}/one.jpg`]: await (await scene(71, 40)).jpeg().toBuffer(),
        [`${folder}/two.png`]: await (await scene(72, 40)).png().toBuffer(),
        [`${folder}/film.mp4`]: "film",
      }),
    );
    expect(outcome).toMatchObject({ state: "done", kind: "mastodon", taken: 3, skipped: [] });
    expect(outcome.leftOut.toSorted()).toEqual([
      "1 poll: Postcard has none",
      "1 post that we can't read",
      "1 private mention: it was for those it names",
      "1 reply: it belongs to a conversation there",
      "1 video or sound: Postcard has photos and words",
      "2 boosts: they're posts of others",
    ]);
    const posts = await postsOf(ada);
    expect(posts).toMatchObject([
      {
        caption: "Look & see\nthe sea\n\ntwice",
        language: "de",
        audience: "everyone",
        warning: null,
        createdAt: Date.parse((items[0] as { published: string }).published),
      },
      { caption: "quietly", audience: "followers", warning: "Storm", sensitive: true },
      { caption: "unlisted", audience: "everyone" },
    ]);
    expect(posts[0]?.pictures.map(({ alt, focalPoint }) => [alt, focalPoint])).toEqual([
      ["Waves, from above", [0.5, -0.25]],
      ["", null],
    ]);
    const again = await archives.imported(ada, await archives.zipOf(outbox(items.slice(1, 3))));
    expect(again).toMatchObject({ taken: 0, known: 2 });
  });

  test("of a private mention that names followers nowhere is for nobody here, whatever else it says", async () => {
    const ada = await on.member("Ada Direct");
    const items = [[], ["https://other.example/users/bob/followers"], undefined].map((cc) =>
      create({ to: [], cc, content: "<p>for few</p>" }),
    );
    const outcome = await archives.imported(ada, await archives.zipOf(outbox(items)));
    expect((await postsOf(ada)).filter(({ audience }) => audience === "everyone")).toEqual([]);
    expect(outcome.taken).toBe(0);
  });

  test("is for no more people than its importer chooses, and never for more than there", async () => {
    const ada = await on.member("Ada Chooses");
    const quiet = { to: [`${me}/followers`], cc: [] };
    const items = [create(), create({ ...quiet, content: "<p>quietly</p>" })];
    await on.imports.start(ada, await archives.uploaded(await archives.zipOf(outbox(items))), {
      audience: "close-friends",
    });
    expect((await on.jobs.runDue()).failed).toEqual([]);
    expect((await postsOf(ada)).map(({ audience }) => audience)).toEqual([
      "close-friends",
      "close-friends",
    ]);
  });

  test("of before 4.2, a tar.gz, is told apart with a sentence", async () => {
    const ada = await on.member("Ada Tar");
    const gzip = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]);
    expect(await archives.imported(ada, gzip)).toMatchObject({
      state: "failed",
      problem:
        "This is a tar.gz file, as Mastodon made them before version 4.2. Unpack it and make a zip file of what is in it.",
    });
  });
});

describe("the text of a post", () => {
  const names = new Map([["https://other.example/@bob", "@bob@other.example"]]);
  test.each([
    ["<p>one</p><p>two<br />three</p>", "one\n\ntwo\nthree"],
    [
      `<p><span class="h-card"><a href="https://other.example/@bob" class="u-url mention">@<span>bob</span></a></span> hi</p>`,
      "@bob@other.example hi",
    ],
    [
      `<a href="https://a.example/tags/sea" class="mention hashtag" rel="tag">#<span>sea</span></a>`,
      "#sea",
    ],
    [
      `<a href="https://long.example/a/b?c=d"><span class="invisible">https://</span><span class="ellipsis">long.example/a</span><span class="invisible">/b?c=d</span></a>.`,
      "https://long.example/a/b?c=d.",
    ],
    [`<a href="javascript:alert(1)">words</a>`, "words"],
    ["1 &lt; 2 &amp; <script>alert(1)</script>ü", "1 < 2 & ü"],
  ])("%s", (html, text) => {
    expect(htmlToText(html, names)).toBe(text);
  });
});
