import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { compile, type Sql } from "#server/platform/db/sql.ts";
import {
  insertItem,
  photosIn,
  type After,
} from "#server/features/posts/albums/album-items.queries.ts";
import { findAlbum } from "#server/features/posts/albums/albums.queries.ts";
import { tilesOf } from "#server/features/posts/posts.queries.ts";
import { createFeed } from "#server/features/posts/feed/feed.ts";
import { highestId } from "#server/platform/db/cursors.ts";
import {
  insertAccounts,
  insertAlbum,
  insertFollows,
  insertTextPosts,
  type InsertedAlbum,
} from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costOf, costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * Counted work, never time: an album of 70 photos and one of 1,000, each by its owner and two contributors, among others and
 * 400 authors with posts of their own; somebody follows both owners.
 */
let db: Database;
let follower: Viewer;
let small: InsertedAlbum;
let large: InsertedAlbum;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const authors = await insertAccounts(db, 400);
  const [one, two, three] = (await insertAccounts(db, 3)) as [Viewer, Viewer, Viewer];
  follower = three;
  await insertTextPosts(db, authors, 5);
  await insertFollows(db, [follower], [...authors, one, two]);
  // enough that reading all of them is no bargain
  await insertFollows(db, authors.slice(0, 100), authors.slice(200, 300));
  for (const owner of await insertAccounts(db, 12)) await insertAlbum(db, owner, 600);
  small = await insertAlbum(db, one, 70);
  large = await insertAlbum(db, two, 1000);
  await query(db, "delete from home_pending");
  await query(db, "vacuum analyze");
});

/** With the more expensive of both kinds of plan; none may read all of what grows. */
async function buffersOf(read: (on: Database) => Promise<unknown>): Promise<number> {
  const totals: number[] = [];
  for (const plan of ["generic", "custom"] as const) {
    const costs = await costsOf(db, read, plan);
    for (const scan of costs.flatMap(({ scans }) => scans)) {
      expect(scan).not.toMatch(/^(posts|follows|album_items): Seq Scan/);
    }
    totals.push(costs.reduce((sum, { buffers }) => sum + buffers, 0));
  }
  return Math.max(...totals);
}

/** Captures the one statement that a function sends. */
async function statementOf(send: (on: Database) => Promise<unknown>): Promise<Sql> {
  let sent: Sql | undefined;
  const take = async (statement: Sql) => void (sent = statement);
  await send({ ...db, scalar: take } as unknown as Database);
  if (!sent) throw new Error("it sent nothing");
  return sent;
}

test.each(["manual", "date"] as const)(
  "a page of 1,000 photos by %s costs a page",
  async (order) => {
    const pages: ((album: InsertedAlbum) => Promise<After>)[] = [
      async () => null,
      async ({ albumId }) => {
        const [row] = await query<{ position: string; postId: string }>(
          db,
          `select position::text, post_id as "postId" from album_items
        where album_id = $1 order by album_items.position, post_id offset 5 limit 1`,
          [albumId],
        );
        return row ?? null;
      },
    ];
    for (const pageOf of pages) {
      const cost = async (album: InsertedAlbum) => {
        const after = await pageOf(album);
        const page = { after, limit: 61 };
        const read = (on: Database) => photosIn(on, follower.id, { ...album, order }, page);
        expect(await read(db)).toHaveLength(61);
        return buffersOf(read);
      };
      expect(await cost(large)).toBeLessThanOrEqual(1.3 * (await cost(small)));
    }
  },
);

test("what an album says of itself costs what its people are, not its photos", async () => {
  const cost = ({ albumId }: InsertedAlbum) =>
    buffersOf((on) => findAlbum(on, follower.id, albumId));
  expect(await cost(large)).toBeLessThanOrEqual(2 * (await cost(small)));
  expect((await findAlbum(db, follower.id, large.albumId))?.photoCount).toBe(1002);
});

test("the last photo costs no more to add than an early one", async () => {
  await query(db, "update album_counts set items = items - 10 where album_id = $1", [
    large.albumId,
  ]);
  const cost = async (album: InsertedAlbum) => {
    await insertTextPosts(db, [album.owner], 1, 9000);
    const [post] = await query<{ id: string }>(
      db,
      "select id from posts where author_id = $1 and number = 9000",
      [album.ownerId],
    );
    const ref = { ...album, authorId: album.ownerId, postId: post?.id ?? "" };
    const statement = compile(await statementOf((on) => insertItem(on, ref)));
    const { buffers } = await costOf(db, "add", statement, "generic");
    expect(
      (await query(db, "select from album_items where post_id = $1", [ref.postId])).length,
    ).toBe(1);
    return buffers;
  };
  expect(await cost(large)).toBeLessThanOrEqual(1.3 * (await cost(small)));
});

const tab = ({ ownerId }: InsertedAlbum) => ({ authorId: ownerId, below: highestId, limit: 21 });
const home = (on: Database) => createFeed({ db: on }).home(follower, null);

test("a profile and home cost the same whatever is in albums", async () => {
  for (const viewer of ["owner", "follower"] as const) {
    const cost = (album: InsertedAlbum) => {
      const viewerId = viewer === "owner" ? album.ownerId : follower.id;
      return buffersOf((on) => tilesOf(on, viewerId, tab(album)));
    };
    expect(await cost(large)).toBeLessThanOrEqual(1.3 * (await cost(small)));
  }
  const before = await buffersOf(home);
  await query(db, "delete from albums");
  await query(db, "vacuum analyze");
  expect(before).toBeLessThanOrEqual(1.1 * (await buffersOf(home)));
});
