import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/db/database.ts";
import { reconcileCounters } from "#server/db/reconcile-counters.ts";
import { newId } from "#server/db/ids.ts";
import { crowd, insert, textsOfEach } from "#server/test/crowd.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import { createPosts } from "#server/features/posts/posts.ts";
import { createFeed } from "#server/features/posts/feed/feed.ts";
import { createProfiles } from "#server/features/people/profiles/profiles.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * The statistics of a quiet place with one star: everybody has one post with one like, one comment
 * and one bookmark, one follower and one follow; the star has 5,000 of each.
 */
const many = 5000;
let db: Database;
let on: TestFeatures;
let star: Viewer;
let fan: Viewer;
let starsPost: { authorId: string; postId: string };

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  const people = await crowd(db, many);
  [star, fan] = [people[0] as Viewer, people[1] as Viewer];
  await textsOfEach(db, people, 1);
  await textsOfEach(db, [star], many - 1, 2);
  const firstPosts = await query<{ author_id: string; id: string }>(
    db,
    "select author_id, id from posts where number = 1",
  );
  const first = firstPosts.find(({ author_id }) => author_id === star.id);
  starsPost = { authorId: star.id, postId: first?.id ?? "" };
  const quiet = firstPosts.filter(({ author_id }) => author_id !== star.id);
  const onPosts = [
    ...quiet.map(({ author_id, id }) => ({ author_id, post_id: id, account_id: star.id })),
    ...people.map(({ id }) => ({
      author_id: star.id,
      post_id: starsPost.postId,
      account_id: id,
    })),
  ];
  const columns = {
    author_id: onPosts.map(({ author_id }) => author_id),
    post_id: onPosts.map(({ post_id }) => post_id),
    account_id: onPosts.map(({ account_id }) => account_id),
    id: onPosts.map(() => newId()),
  };
  await insert(db, "likes", columns);
  await insert(db, "comments", { ...columns, body: onPosts.map(() => "hello") });
  await insert(db, "bookmarks", { ...columns, has_picture: onPosts.map(() => "false") });
  const others = people.slice(1).map(({ id }) => id);
  const follows = {
    follower_id: [...others, ...others.map(() => star.id)],
    followee_id: [...others.map(() => star.id), ...others],
    id: [...others, ...others].map(() => newId()),
  };
  await insert(db, "follows", follows);
  await insert(db, "followers", follows);
  await query(
    db,
    `update posts p set like_count = l.n, comment_count = l.n from
      (select post_id, count(*) as n from likes group by post_id) l where l.post_id = p.id`,
  );
  await query(
    db,
    `update account_counters set followers = case account_id when $1 then $2 else 1 end,
      following = case account_id when $1 then $2 else 1 end`,
    [star.id, many - 1],
  );
  expect(await reconcileCounters(db)).toEqual([]);
});

describe.each(["right after loading", "with statistics"])("beside a star, %s", (moment) => {
  beforeAll(async () => {
    if (moment === "with statistics") await query(db, "analyze");
  });

  test("reading one post, a feed and a profile costs a few probes", async () => {
    const reads = [
      (d: Database) => createFeed({ db: d }).home(fan, null),
      (d: Database) =>
        createPosts({ db: d, images: on.images, log: console, publish: () => undefined }).get(
          fan,
          star.username,
          1,
        ),
      (d: Database) =>
        // without statistics PostgreSQL believes in few posts an author, and sorts them
        moment === "with statistics"
          ? createPosts({
              db: d,
              images: on.images,
              log: console,
              publish: () => undefined,
            }).textsOf(fan, star.id, null)
          : Promise.resolve(),
      (d: Database) => createProfiles({ db: d, images: on.images, log: console }).get(fan, star.id),
    ];
    for (const plan of ["generic", "custom"] as const) {
      for (const read of reads) {
        for (const cost of await costsOf(db, read, plan)) {
          expect(cost.rowsRead, `${cost.name} ${plan} ${cost.scans.join()}`).toBeLessThan(300);
        }
      }
    }
  });

  test.each([
    ["liking", () => on.likes.like(fan, starsPost)],
    ["unliking", () => on.likes.unlike(fan, starsPost)],
    ["saving", () => on.bookmarks.save(fan, starsPost)],
    ["unsaving", () => on.bookmarks.unsave(fan, starsPost)],
    ["commenting", () => on.comments.add(fan, starsPost, "hello", newId())],
    ["following", () => on.follows.follow(fan, star.id)],
    ["unfollowing", () => on.follows.unfollow(fan, star.id)],
    ["the star's following", () => on.follows.follow(star, fan.id)],
    ["the star's unfollowing", () => on.follows.unfollow(star, fan.id)],
    ["posting", () => on.textPost(star)],
  ])("%s reads a few rows", async (_what, write) => {
    expect(await rowsReadBy(write)).toBeLessThan(60);
  });

  test("deleting a comment reads a few rows", async () => {
    const { id } = await on.comments.add(fan, starsPost, "oh", null);
    expect(await rowsReadBy(() => on.comments.remove(fan, starsPost, id))).toBeLessThan(60);
  });
});

/** Rows that a write read in its transaction, from tables or indexes, as PostgreSQL counts them. */
async function rowsReadBy(write: () => Promise<unknown>): Promise<number> {
  return db.transaction(async () => {
    const before = await rowsReadSoFar();
    await write();
    return (await rowsReadSoFar()) - before;
  });
}

async function rowsReadSoFar(): Promise<number> {
  const [row] = await query<{ n: number }>(
    db,
    "select sum(seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables",
  );
  return row?.n ?? Number.NaN;
}
