import { expect, test } from "vitest";
import { readOnDevice } from "#app/features/archive/device/read-export.ts";

// The fields are those of app/Transformer/Api/StatusTransformer.php and MediaTransformer.php of pixelfed/pixelfed.
const address = "https://pixelfed.example/storage/m/_v2/1";
const media = (name: string, fields: object = {}) => ({
  id: "7",
  type: "Image",
  url: `${address}/${name}`,
  remote_url: null,
  description: null,
  mime: "image/jpeg",
  ...fields,
});
const status = (nth: number, fields: object = {}) => ({
  _v: 1,
  id: String(nth),
  uri: `https://pixelfed.example/p/ada/${nth}`,
  in_reply_to_id: "",
  reblog: null,
  content: 'Look &amp; see <a href="https://pixelfed.example/discover/tags/sea">#sea</a>',
  content_text: "Look & see #sea",
  created_at: `2024-01-0${nth}T08:00:00.000Z`,
  sensitive: false,
  spoiler_text: "",
  visibility: "public",
  language: null,
  pf_type: "photo",
  media_attachments: [media(`${nth}.jpg`)],
  account: { username: "ada" },
  tags: [],
  ...fields,
});

/** The export as a browser downloads it; Pixelfed joins its parts itself, and makes them pretty. */
async function read(statuses: object[], name = "pixelfed-statuses.json") {
  const found = await readOnDevice([new File([JSON.stringify(statuses, null, 4)], name)]);
  if (found === "postcard") throw new Error("an archive of ours");
  return found;
}

test("an export of Pixelfed has its posts with the addresses of photos, alt texts, days and audiences", async () => {
  const found = await read([
    status(2, {
      visibility: "private",
      sensitive: true,
      spoiler_text: "Careful",
      media_attachments: [media("a.jpg", { description: "Waves" }), media("b.png")],
    }),
    status(1, { content_text: null }),
    status(3, { visibility: "archived", language: "de", media_attachments: [] }),
  ]);
  expect(found).toMatchObject({ kind: "pixelfed", isPrivate: false, leftOut: [] });
  expect(
    found.posts.map(({ time, caption, audience, pictures, warning, sensitive, language }) => [
      new Date(time).toISOString(),
      caption,
      audience,
      pictures.map(({ url, alt }) => [url, alt]),
      [warning, sensitive, language],
    ]),
  ).toEqual([
    [
      "2024-01-01T08:00:00.000Z",
      "Look & see https://pixelfed.example/discover/tags/sea",
      "everyone",
      [[`${address}/1.jpg`, ""]],
      [null, false, null],
    ],
    [
      "2024-01-02T08:00:00.000Z",
      "Look & see #sea",
      "followers",
      [
        [`${address}/a.jpg`, "Waves"],
        [`${address}/b.png`, ""],
      ],
      ["Careful", true, null],
    ],
    ["2024-01-03T08:00:00.000Z", "Look & see #sea", "only-me", [], [null, false, "de"]],
  ]);
  expect(found.posts.map(({ problem }) => problem)).toEqual([null, null, null]);
});

test("has the same keys when it is asked for again and saved beside the first", async () => {
  const once = await read([status(1), status(2)]);
  const again = await read(
    [status(2, { content_text: "edited" }), status(1)],
    "pixelfed-statuses (1).json",
  );
  expect(again.posts.map(({ key }) => key)).toEqual(once.posts.map(({ key }) => key));
  expect(once.posts[0]?.key).toMatch(/^pixelfed:[0-9a-f]{32}$/);
});

test("leaves out, and counts, what is no post here, and nothing private comes over as public", async () => {
  const { posts, leftOut } = await read([
    status(1, { pf_type: "share", media_attachments: [] }),
    status(2, { in_reply_to_id: "99" }),
    status(3, { visibility: "direct" }),
    status(4, { visibility: "something new" }),
    status(5, { pf_type: "story" }),
    status(6, { pf_type: "poll" }),
    status(7, { media_attachments: [media("film.mp4", { type: "Video", mime: "video/mp4" })] }),
    status(8, {
      media_attachments: [media("", { url: "javascript:alert(1)" })],
      content_text: "words",
    }),
    { id: 9 },
  ]);
  expect(posts.map(({ caption, pictures }) => [caption, pictures])).toEqual([
    ["Look & see #sea", []],
    ["words", []],
  ]);
  expect(leftOut.toSorted()).toEqual([
    "1 photo without an address",
    "1 poll: Postcard has none",
    "1 post that we can't read",
    "1 reply: it belongs to a conversation there",
    "1 share: it's somebody else's post",
    "1 story: stories are no posts",
    "1 video: Postcard has photos and words",
    "2 private mentions: they were for those they name",
  ]);
});
