import { beforeAll, describe, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { linkOf } from "#server/test/link-header.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let headers: { authorization: string };
/** newest first */
const all: string[] = [];
const readable: string[] = [];

beforeAll(async () => {
  ada = await features.member("Ada Lovelace");
  const [bob, cleo, stranger] = await features.members(3);
  if (!bob || !cleo || !stranger) throw new Error("nobody came");
  headers = (await connectedApp(features, ada)).headers;
  for (const { id } of [bob, cleo]) await features.follows.follow(ada, id);
  // Runs of posts by one author, one of which consists of what she will have muted.
  const authors = [ada, bob, bob, ada, cleo, stranger, ada, ada, bob, cleo, cleo, cleo, cleo, ada];
  for (const author of authors) {
    const post = await features.textPost(author, author === cleo ? "More rain" : "Words");
    if (author === stranger) continue;
    all.unshift(decimalOf(post.postId));
    if (author !== cleo) readable.unshift(decimalOf(post.postId));
  }
  await features.textPost(ada, "Even I say rain");
  const own = (await features.references.ofAuthor(ada, ada.id, everything, page))[0]?.id ?? "";
  for (const list of [all, readable]) list.unshift(decimalOf(own));
});
const everything = { below: null, above: null, minimum: null };
const page = { limit: 1, onlyPhotos: false };

const get = (url: string) => app.inject({ url, headers });
const idsOf = (answer: { json: () => unknown }) =>
  (answer.json() as { id: string }[]).map(({ id }) => id);

describe.each([
  ["the posts of followed accounts and one's own", all, () => undefined],
  [
    "the same without muted words, which hide nothing of one's own",
    readable,
    () => features.mutedWords.mute(ada, "rain"),
  ],
])("home has %s", (_what, posts, prepare) => {
  beforeAll(async () => void (await prepare()));

  test("newest first, each once", async () => {
    expect(idsOf(await get("/api/v1/timelines/home?limit=40"))).toEqual(posts);
  });

  test.each([1, 2, 3, 5])(
    "down to the end and up again without a gap, %i at a time",
    async (limit) => {
      const down: string[] = [];
      let last = await get(`/api/v1/timelines/home?limit=${limit}`);
      for (;;) {
        down.push(...idsOf(last));
        const next = linkOf(last, "next");
        if (!next) break;
        last = await get(next);
      }
      expect(down).toEqual(posts);
      // From the oldest: what comes right after it, page by page.
      const up: string[] = [];
      let at = posts.at(-1);
      while (at !== undefined) {
        const page = idsOf(await get(`/api/v1/timelines/home?limit=${limit}&min_id=${at}`));
        expect(page.length).toBeLessThanOrEqual(limit);
        up.unshift(...page);
        at = page[0];
      }
      expect(up).toEqual(posts.slice(0, -1));
    },
  );

  test("between two of its posts, from either end", async () => {
    const [upper, lower] = [posts[1], posts.at(-2)];
    const between = posts.slice(2, -2);
    const ask = async (rest: string) =>
      idsOf(await get(`/api/v1/timelines/home?max_id=${upper}&limit=3&${rest}`));
    expect(await ask(`since_id=${lower}`)).toEqual(between.slice(0, 3));
    expect(await ask(`min_id=${lower}`)).toEqual(between.slice(-3));
  });
});

test("our own home feed never has the viewer's own posts", async () => {
  const { items } = await features.feed.home(ada, null);
  expect(items.some(({ author }) => author.id === ada.id)).toBe(false);
  expect(items.length).toBeGreaterThan(0);
});
