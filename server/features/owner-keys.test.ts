import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { highestId, lowestId } from "#server/platform/db/cursors.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { PostRef } from "#server/features/types.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * What people request all day finds every row by its owner: each table is read with equality on the first
 * column of its primary key. The list is in docs/architecture.md.
 */
let db: Database;
let on: TestFeatures;
let ada: Viewer;
let bob: Viewer;
let chat: string;
let post: PostRef;
let conversationId: string;
let albumId: string;
let collectionId: string;
let albumPhoto: number;
/** By table: the first column of its primary key. */
let owners: Map<string, string>;
let sent: { text: string; values: readonly unknown[] }[] = [];

/**
 * These stay on one machine even when the other tables are divided: accounts and their names, small and
 * available everywhere; counts of limits, by a key of their own; the queue of posts that are not yet in any
 * home feed's list; operators' notices, which belong to nobody.
 */
const inOnePiece = new Set([
  "accounts",
  "usernames",
  "operator_settings",
  "rate_limits",
  "home_pending",
  "troubles",
  "pg_type",
]);

/**
 * What is also found from its other side: a conversation belongs to two people, so by its own id and by each
 * of them; the authors whose posts for close friends somebody may see, by who is on their lists; an album by its
 * own id, which is its address.
 */
const otherSides = new Map([
  ["conversations", ["low_id", "high_id"]],
  ["close_friends", ["friend_id"]],
  ["albums", ["id"]],
]);

beforeAll(async () => {
  ({ db } = await freshDatabase((text, values) => void sent.push({ text, values })));
  on = testFeatures(db);
  [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
  await on.follows.follow(ada, bob.id);
  await on.follows.follow(bob, ada.id);
  const photo = await on.photoPost(bob, "photo", ["a"]);
  post = { authorId: photo.authorId, postId: photo.postId };
  chat = `${ada.username}.${bob.username}`;
  await on.chat.send(bob, chat, { body: "hello", picture: null, clientKey: null });
  ({ id: collectionId } = await on.collections.create(ada, { title: "Saved" }));
  ({ id: albumId } = await on.albums.create(bob, { title: "Summer", audience: "followers" }));
  const added = { imageId: await on.upload(bob), clientKey: null };
  ({ number: albumPhoto } = await on.albums.addPhoto(bob, albumId, added));
  conversationId = await on.chat.refAt(ada, chat);
  const keys = await query<{ table: string; column: string }>(
    db,
    `select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'p' and c.connamespace = 'public'::regnamespace`,
  );
  owners = new Map(keys.map(({ table, column }) => [table, column]));
});

const words = { caption: "words", pictures: [], timeZone: "UTC", clientKey: null };
const said = { body: "hello", picture: null, clientKey: null };

const ever = { lowest: lowestId, highest: highestId };
const upward = { below: highestId, above: lowestId, upward: true, limit: 20 };

const hot: [what: string, work: () => Promise<unknown>][] = [
  ["the home feed, opened", () => on.feed.visit(ada, 20)],
  ["the home feed, further down", () => on.feed.home(ada, null)],
  ["newer posts than shown", () => on.feed.newerCount(ada, post.postId)],
  ["a profile", () => on.profiles.get(ada, bob.id)],
  ["its photos", () => on.posts.photosOf(ada, bob.id, null)],
  ["its words", () => on.posts.textsOf(ada, bob.id, null)],
  ["followers", () => on.follows.followers(ada, bob.id, null)],
  ["followed", () => on.follows.following(ada, bob.id, null)],
  ["a post", () => on.posts.get(ada, bob.username, 1)],
  ["comments", () => on.comments.list(ada, post, null)],
  ["who likes a post", () => on.likes.list(ada, post, null)],
  ["an album's photos", () => on.albums.photos(ada, albumId, null)],
  ["a photo of an album", () => on.posts.get(ada, bob.username, albumPhoto)],
  ["saved posts", () => on.bookmarks.list(ada, "photos", null)],
  ["collections", () => on.collections.list(ada)],
  ["posts of a collection", () => on.collections.posts(ada, collectionId, null)],
  [
    "a post's collections, chosen",
    () => on.collections.setOfPost(ada, post, { collections: [collectionId] }),
  ],
  ["notifications", () => on.notifications.open(ada, "all", null)],
  [
    "a group of notifications",
    () => on.notifications.actsGathered(ada, { gathered: ever, kinds: ["like"], limit: 100 }),
  ],
  [
    "unread notifications, counted",
    () => on.notifications.unread(ada, { kinds: ["like"], together: ["like"], limit: 100 }),
  ],
  ["bookmarks, upward", () => on.references.saved(ada, upward)],
  ["blocked accounts, upward", () => on.blocks.between(ada, "blocked", upward)],
  ["conversations", () => on.chat.list(ada, null)],
  ["a thread", () => on.chat.conversation(ada, chat)],
  ["a like", () => on.likes.like(ada, post)],
  ["its undoing", () => on.likes.unlike(ada, post)],
  ["a like by address", () => on.likes.like(ada, { address: bob.username, number: 1 })],
  ["undoing it by address", () => on.likes.unlike(ada, { address: bob.username, number: 1 })],
  ["a save", () => on.bookmarks.save(ada, post)],
  ["its undoing", () => on.bookmarks.unsave(ada, post)],
  ["a bookmark by address", () => on.bookmarks.save(ada, { address: bob.username, number: 1 })],
  ["undoing it by address", () => on.bookmarks.unsave(ada, { address: bob.username, number: 1 })],
  ["a comment", () => on.comments.add(ada, post, "first", null)],
  ["an unfollow", () => on.follows.unfollow(ada, bob.id)],
  ["a follow", () => on.follows.follow(ada, bob.id)],
  ["an unfollow by address", () => on.follows.unfollow(ada, { address: bob.username })],
  ["a follow by address", () => on.follows.follow(ada, { address: bob.username })],
  ["a post of words", () => on.posts.publish(ada, words)],
  ["a post of words, returned as it is shown", () => on.posts.publishShown(ada, words)],
  ["a message", () => on.chat.send(ada, chat, said)],
  ["messages read", () => on.chat.markRead(ada, conversationId, 1)],
];

type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Cond"?: string;
  "Recheck Cond"?: string;
  Filter?: string;
  Plans?: Plan[];
};

/** The tables that a statement's generic plan reads, and by which column of each. */
async function lookedInto({ text, values }: (typeof sent)[number]): Promise<Set<string>> {
  const client = await db.pool.connect();
  try {
    await client.query("begin");
    // the tables are almost empty: this only checks whether a suitable index exists
    await client.query(
      "set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan",
    );
    await client.query(`prepare hot as ${text}`);
    const nulls = values.map(() => "null").join(", ");
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      `explain (format json) execute hot${nulls && `(${nulls})`}`,
    );
    const root = rows[0]?.["QUERY PLAN"][0].Plan;
    if (!root) throw new Error("PostgreSQL explained nothing");
    return new Set(flatten(root).flatMap(lookUp));
  } finally {
    await client.query("rollback");
    await client.query("deallocate hot").catch(() => undefined);
    client.release();
  }
}

const flatten = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** "likes by author_id"; for a look-up that names no owner, what it used instead. */
function lookUp(node: Plan): string[] {
  const { "Node Type": type, "Relation Name": table } = node;
  if (!table || !type.includes("Scan") || inOnePiece.has(table)) return [];
  const condition = node["Index Cond"] ?? node["Recheck Cond"] ?? "";
  // A row that is found by its own id (a probe asks from it and to it) and checked against its owner is a row of
  // one owner as well.
  const all = /\bid (?:=|>=) /.test(condition) ? `${condition} ${node.Filter ?? ""}` : condition;
  const owner = [owners.get(table) ?? "", ...(otherSides.get(table) ?? [])].find((column) =>
    new RegExp(String.raw`\b${column} = `).test(all),
  );
  return [owner ? `${table} by ${owner}` : `${table}: ${type} ${condition}`];
}

const isByOwner = (found: string) => /^\w+ by \w+$/.test(found);

test("frequent queries find every row by its owner, in any plan, and are in the list", async () => {
  const page = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");
  const found: string[] = [];
  for (const [what, work] of hot) {
    sent = [];
    await work();
    const statements = sent.filter(
      ({ text }) => !/^(?:begin|commit|set|listen|select pg_notify)/.test(text),
    );
    expect(statements.length, what).toBeGreaterThan(0);
    const tables = new Set<string>();
    for (const statement of statements) {
      for (const each of await lookedInto(statement)) tables.add(each);
    }
    found.push(...[...tables].map((each) => (isByOwner(each) ? each : `${what}: ${each}`)));
  }
  expect(found.filter((each) => !isByOwner(each))).toEqual([]);
  // A list of queries that nothing reads would pass as well.
  expect(new Set(found).size).toBeGreaterThan(12);
  const listed = [...page.matchAll(/^\| `(\w+)` +\| `(\w+)` +\|/gm)];
  expect([...new Set(found)].sort()).toEqual(
    listed.map(([, table, column]) => `${table} by ${column}`).sort(),
  );
});
