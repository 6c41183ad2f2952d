import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { writeCursor } from "#server/platform/db/cursors.ts";
import { idAt, newId, timeOf } from "#server/platform/db/ids.ts";
import { insertAccounts, insert, insertTextPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import { createComments } from "#server/features/posts/comments/comments.ts";
import { createPosts } from "#server/features/posts/posts.ts";
import { createFeed } from "#server/features/posts/feed/feed.ts";
import { createTags } from "#server/features/posts/tags/tags.ts";
import type { PostRef } from "#server/features/types.ts";
import { createProfiles } from "#server/features/people/profiles/profiles.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * The statistics of a quiet site with one star: everybody has one post with one like, one comment and one
 * bookmark, one follower and one follow; the star has 5,000 of each.
 */
const many = 5000;
let db: Database;
let on: TestFeatures;
let star: Viewer;
let fan: Viewer;
let starsPost: PostRef;
/** It has 5,000 answers to one comment and, mixed with them, 5,000 to another. */
let discussed: PostRef & { rootId: string };

const comments = (d: Database) => createComments({ db: d, publish: () => undefined });

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  const people = await insertAccounts(db, many);
  [star, fan] = [people[0] as Viewer, people[1] as Viewer];
  await insertTextPosts(db, people, 1);
  await insertTextPosts(db, [star], many - 1, 2);
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
  discussed = await discuss(people);
  // every post has this tag, and one of its own
  await query(
    db,
    `insert into post_tags (author_id, post_id, tag)
    select author_id, id, 'common' from posts union all select author_id, id, 'c' || id from posts`,
  );
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
        // without statistics PostgreSQL assumes few posts per author, and sorts them
        moment === "with statistics"
          ? createPosts({
              db: d,
              images: on.images,
              log: console,
              publish: () => undefined,
            }).textsOf(fan, star.id, null)
          : Promise.resolve(),
      (d: Database) =>
        createProfiles({ db: d, images: on.images, log: console, checkLinks: async () => {} }).get(
          fan,
          star.id,
        ),
    ];
    for (const plan of ["generic", "custom"] as const) {
      for (const read of reads) {
        for (const cost of await costsOf(db, read, plan)) {
          expect(cost.rowsRead, `${cost.name} ${plan} ${cost.scans.join()}`).toBeLessThan(300);
        }
      }
    }
  });

  test.each(["generic", "custom"] as const)(
    "a page of comments, of answers and of a tag reads little more than the page (%s plan)",
    async (plan) => {
      const { rootId, ...post } = discussed;
      const middle = idAt(timeOf(rootId) + many / 2);
      const reads: [most: number, read: (d: Database) => Promise<unknown>][] = [
        [300, (d) => comments(d).list(fan, starsPost, null)],
        // two comments, with their first answers
        [60, (d) => comments(d).list(fan, post, null)],
        [300, (d) => comments(d).replies(fan, post, rootId, null)],
        [300, (d) => comments(d).replies(fan, post, rootId, writeCursor([middle]))],
        [300, (d) => createTags({ db: d }).posts(fan, "common", null)],
        [300, (d) => createTags({ db: d }).posts(fan, "common", writeCursor([starsPost.postId]))],
        [6 * limits.tagPostsCounted, (d) => createTags({ db: d }).beginning(fan, "com")],
      ];
      for (const [index, [most, read]] of reads.entries()) {
        for (const cost of await costsOf(db, read, plan)) {
          const what = `${index} ${cost.name} ${cost.scans.join()}`;
          expect(cost.rowsRead, what).toBeLessThan(most);
        }
      }
    },
  );

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

/** A post of the star's with two comments, which everybody answers in turn. */
async function discuss(people: readonly Viewer[]): Promise<PostRef & { rootId: string }> {
  const [{ id: postId } = { id: "" }] = await query<{ id: string }>(
    db,
    "select id from posts where author_id = $1 and number = 2",
    [star.id],
  );
  const roots = [idAt(timeOf(postId) + 1), idAt(timeOf(postId) + 2)];
  const answers = people.flatMap(({ id }, index) =>
    roots.map((root) => ({ id: idAt(timeOf(postId) + 10 + index), root, writer: id })),
  );
  const written = [
    ...roots.map((id) => ({ id, root: null, writer: star.id })),
    ...answers.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  ];
  await query(
    db,
    `insert into comments (author_id, post_id, id, root_id, account_id, body)
    select $1, $2, id, root_id, account_id, 'hello'
    from unnest($3::uuid[], $4::uuid[], $5::uuid[]) made (id, root_id, account_id)`,
    [
      star.id,
      postId,
      written.map(({ id }) => id),
      written.map(({ root }) => root),
      written.map(({ writer }) => writer),
    ],
  );
  await query(db, "update comments set reply_count = $2 where id = any ($1)", [roots, many]);
  await query(db, "update posts set comment_count = $2 where id = $1", [postId, 2 * many + 2]);
  return { authorId: star.id, postId, rootId: roots[1] ?? "" };
}

/** The rows that a write reads in its transaction, from tables or indexes, as PostgreSQL counts them. */
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
