import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { idAt } from "#server/platform/db/ids.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

async function readerOf(author: Viewer) {
  const reader = await on.member("Reader");
  await on.follows.follow(reader, author.id);
  return reader;
}

/** As if the member had last opened home two hours ago, after everything that exists. */
async function timePasses(reader: Viewer) {
  await query(db, "update feed_visits set seen_id = $2 where account_id = $1", [
    reader.id,
    idAt(Date.now() - 2 * 60 * 60 * 1000),
  ]);
}

/** A post from some minutes ago. */
async function postedAgo(author: Viewer, caption: string, minutes: number) {
  const { postId } = await on.textPost(author, caption);
  await query(db, "update posts set id = $2 where id = $1", [
    postId,
    idAt(Date.now() - minutes * 60 * 1000),
  ]);
}

/** What is new to the reader, above this visit's line; null without a line. */
async function news(reader: Viewer, size = 20): Promise<string[] | null> {
  const { page, caughtUpTo } = await on.feed.visit(reader, size);
  if (caughtUpTo === null) return null;
  return page.items.filter(({ id }) => id > caughtUpTo).map(({ caption }) => caption);
}

describe("where the last visit ended", () => {
  test("does not exist in a first visit, and is above the earlier posts in the next one", async () => {
    const author = await on.member("Author");
    const reader = await readerOf(author);
    await postedAgo(author, "seen", 150);
    expect(await news(reader)).toBeNull();
    await timePasses(reader);
    await postedAgo(author, "new", 60);
    expect(await news(reader)).toEqual(["new"]);
    expect(await news(reader), "a reload goes on with the visit").toEqual(["new"]);
    await on.textPost(author, "came meanwhile");
    expect(await news(reader)).toEqual(["came meanwhile", "new"]);
    await timePasses(reader);
    await query(db, "update feed_visits set seen_id = $2 where account_id = $1", [
      reader.id,
      idAt(Date.now() - 45 * 60 * 1000),
    ]);
    expect(await news(reader), "the next visit").toEqual(["came meanwhile"]);
  });

  test("stays until the reader has scrolled down to it", async () => {
    const author = await on.member("Author");
    const reader = await readerOf(author);
    await postedAgo(author, "seen", 150);
    await on.feed.visit(reader, 2);
    await timePasses(reader);
    for (const [index, minutes] of [90, 80, 70].entries()) {
      await postedAgo(author, `new ${index}`, minutes);
    }
    expect(await news(reader, 2), "a page of two has not the whole of it").toHaveLength(2);
    const visitEnds = () =>
      query(db, "update feed_visits set seen_id = $2 where account_id = $1", [
        reader.id,
        idAt(Date.now() - 40 * 60 * 1000),
      ]);
    await visitEnds();
    expect(await news(reader)).toEqual(["new 2", "new 1", "new 0"]);
    await visitEnds();
    expect(await news(reader), "that page had it all").toEqual([]);
  });

  test("moves for the member who scrolled down to it, for nobody else", async () => {
    const author = await on.member("Author");
    const [reader, other] = [await readerOf(author), await readerOf(author)];
    for (const one of [reader, other]) {
      await on.feed.visit(one, 1);
      await timePasses(one);
    }
    for (const minutes of [90, 80]) await postedAgo(author, `${minutes} ago`, minutes);
    for (const one of [reader, other]) await on.feed.visit(one, 1);
    await on.feed.reachLine(reader);
    for (const one of [reader, other]) {
      await query(db, "update feed_visits set seen_id = $2 where account_id = $1", [
        one.id,
        idAt(Date.now() - 40 * 60 * 1000),
      ]);
    }
    expect(await news(reader)).toEqual([]);
    expect(await news(other)).toEqual(["80 ago", "90 ago"]);
  });
});
