import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { imageAddresses } from "#server/compat/documents/shape.ts";
import { createDocuments, tagOf, type Documents } from "#server/compat/documents/documents.ts";
import { sizeOf } from "#server/compat/documents/shape.ts";
import {
  insertAccounts,
  insertFollows,
  insert,
  insertTextPosts,
} from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { newId } from "#server/platform/db/ids.ts";
import { documentedUser } from "#shared/documents.inputs.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let documents: Documents;
let sent: string[] = [];

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => void sent.push(text)));
  on = testFeatures(db);
  const bases = { publicUrl: "http://localhost:3000", imagesUrl: "https://photos.example.org" };
  documents = createDocuments({ db, addressesFor: imageAddresses({ ...bases, ...on }) });
});

async function like(post: { authorId: string; postId: string }, people: readonly Viewer[]) {
  await insert(db, "likes", {
    author_id: people.map(() => post.authorId),
    post_id: people.map(() => post.postId),
    account_id: people.map(({ id }) => id),
    id: people.map(() => newId()),
  });
  await query(db, "update posts set like_count = like_count + $2 where id = $1", [
    post.postId,
    people.length,
  ]);
}

describe("an account's document", () => {
  test("has every documented field, for its owner with email and bookmarks", async () => {
    const [ada, bob] = [await on.member("Ada Lovelace"), await on.member("Bob Brown")];
    await on.profiles.edit(ada, { firstName: "Ada", secondName: "Lovelace", bio: "Numbers." });
    const photo = await on.photoPost(ada, "A boat", ["seen from the pier"]);
    const words = await on.publish(ada, { caption: "Hello", timeZone: "America/New_York" });
    const other = await on.textPost(bob, "Mine");
    await on.likes.like(bob, photo);
    await on.likes.like(ada, photo);
    await on.follows.follow(bob, ada.id);
    await on.follows.follow(ada, bob.id);
    await on.bookmarks.save(ada, other);
    await on.bookmarks.save(ada, photo);

    const own = await documents.at(ada, ada.username);
    expect(documentedUser.strict().parse(own)).toEqual(own);
    const imageUrl = /^https:\/\/photos\.example\.org\/images\/[0-9a-f]{32}\/96\.webp$/;
    const [first, second] = own.posts;
    expect(own).toEqual({
      _id: ada.id,
      email: ada.email,
      image: expect.stringMatching(imageUrl),
      fName: "Ada",
      sName: "Lovelace",
      fullName: "Ada Lovelace",
      bio: "Numbers.",
      followers: 1,
      following: 1,
      postsCount: 2,
      idParam: 2,
      followerAccounts: [bob.username],
      followingAccounts: [bob.username],
      posts: [
        {
          postId: photo.number,
          caption: "A boat",
          uploadImg: expect.stringMatching(imageUrl),
          currentDate: expect.any(Number),
          currentMonth: expect.any(Number),
          currentYear: expect.any(Number),
          currentHours: expect.stringMatching(/^1?\d:[0-5]\d [ap]m$/),
          likes: 2,
          likeAccounts: [bob.username, ada.email],
          author: ada.email,
          time: expect.any(Number),
        },
        expect.objectContaining({ postId: words.number, caption: "Hello", likeAccounts: [] }),
      ],
      bookMarks: [
        expect.objectContaining({ author: bob.username, postId: 1, caption: "Mine" }),
        first,
      ],
    });
    expect(second).not.toHaveProperty("uploadImg");
    // The author's clock, not the server's.
    const wall = new Date(second?.time ?? 0).toLocaleString("en-US", {
      timeZone: "America/New_York",
      hour: "numeric",
      minute: "2-digit",
    });
    expect(second?.currentHours).toBe(wall.replace(/\s/u, " ").toLowerCase());

    const seen = await documents.at(bob, ada.email);
    expect(seen).toMatchObject({
      email: ada.username,
      followerAccounts: [bob.email],
      followingAccounts: [bob.email],
      bookMarks: [],
    });
    expect(seen.posts[0]).toMatchObject({
      author: ada.username,
      likeAccounts: [bob.email, ada.username],
    });
    for (const viewer of [bob, null]) {
      expect(JSON.stringify(await documents.byId(viewer, ada.id))).not.toContain(ada.email);
    }
  });

  test("names the email of somebody who shows it and is found by it", async () => {
    const ada = await on.member();
    await on.settings.change(ada, { showEmail: true });
    expect((await documents.at(null, ada.username)).email).toBe(ada.email);
    await on.settings.change(ada, { findableByEmail: false });
    expect((await documents.at(null, ada.username)).email).toBe(ada.username);
    expect((await documents.at(ada, ada.email.toUpperCase())).email).toBe(ada.email);
  });

  test("is found by former usernames, and not at all once the account is suspended", async () => {
    const ada = await on.member("Former Name");
    await on.settings.changeUsername(ada, `later_${ada.username}`.slice(0, 30));
    expect((await documents.at(null, ada.username))._id).toBe(ada.id);
    await on.suspend(ada);
    const refused = { code: "not-found" };
    await expect(documents.at(null, ada.username)).rejects.toMatchObject(refused);
    await expect(documents.byId(null, ada.id)).rejects.toMatchObject(refused);
    await expect(documents.byId(null, "1")).rejects.toMatchObject(refused);
  });

  test("leaves out suspended accounts, and bookmarks of their posts", async () => {
    const [ada, gone] = [await on.member(), await on.member()];
    const post = await on.textPost(ada);
    await on.likes.like(gone, post);
    await on.follows.follow(gone, ada.id);
    await on.bookmarks.save(ada, await on.textPost(gone));
    await on.suspend(gone);
    const { followerAccounts, posts, bookMarks } = await documents.at(ada, ada.email);
    expect([followerAccounts, posts[0]?.likeAccounts, bookMarks]).toEqual([[], [], []]);
  });
});

describe("bounds", () => {
  test("shorten lists to the newest 100, always with the caller's own entry; counters tell the truth", async () => {
    const ada = await on.member();
    const [caller, ...fans] = (await insertAccounts(db, 131)) as [Viewer, ...Viewer[]];
    const post = await on.textPost(ada);
    await on.follows.follow(caller, ada.id);
    await insertFollows(db, fans, [ada]);
    await like(post, [caller, ...fans]);
    await like(await on.textPost(ada), fans);

    const seen = await documents.at(caller, ada.username);
    expect(seen.followers).toBe(131);
    expect(seen.followerAccounts).toHaveLength(100);
    const newest = fans.slice(-99).map(({ username }) => username);
    expect(seen.followerAccounts).toEqual([caller.email, ...newest]);
    expect(seen.posts[0]).toMatchObject({ likes: 131, likeAccounts: [caller.email, ...newest] });
    expect(seen.posts[1]?.likeAccounts).toEqual(fans.slice(-100).map(({ username }) => username));
    expect((await documents.at(null, ada.username)).followerAccounts).toEqual(
      fans.slice(-100).map(({ username }) => username),
    );
  });

  test("show the newest 1,000 posts of an account", async () => {
    const [ada] = (await insertAccounts(db, 1)) as [Viewer];
    await insertTextPosts(db, [ada], 1003);
    const { posts, postsCount, idParam } = await documents.at(null, ada.username);
    expect([posts.length, posts[0]?.postId, posts.at(-1)?.postId]).toEqual([1000, 4, 1003]);
    expect([postsCount, idParam]).toEqual([1003, 1003]);
  });

  test("hold an answer under 4 MB, whatever people wrote", async () => {
    const [ada] = (await insertAccounts(db, 1)) as [Viewer];
    await insertTextPosts(db, [ada], 150);
    // A family emoji is one character as people count them, and 25 bytes.
    await query(db, "update posts set caption = $2 where author_id = $1", [
      ada.id,
      "👨‍👩‍👧‍👦".repeat(2200),
    ]);
    await query(
      db,
      `insert into bookmarks (account_id, author_id, post_id, id, has_picture)
      select author_id, author_id, id, id, false from posts where author_id = $1`,
      [ada.id],
    );
    const own = await documents.at(ada, ada.username);
    expect(sizeOf(own)).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(sizeOf(own)).toBeGreaterThan(3.9 * 1024 * 1024);
    expect(own.posts.at(-1)?.postId).toBe(150);
    expect(own.bookMarks.at(-1)?.postId).toBe(150);
    expect(own.postsCount).toBe(150);
  });
});

describe("the list of all accounts", () => {
  test("goes through everybody once, 100 a page, the caller first, each bounded to 20", async () => {
    const ada = await on.member("Zoe Last");
    const people = await insertAccounts(db, 230);
    await insertFollows(db, people.slice(0, 25), [ada]);
    await insertTextPosts(db, [people[0] as Viewer], 25);
    await like({ authorId: ada.id, postId: (await on.textPost(ada)).postId }, people.slice(0, 30));

    const ids: string[] = [];
    const pages = [];
    let cursor: string | null = null;
    do {
      const page = await documents.page(ada, cursor);
      pages.push(page);
      ids.push(...page.items.map(({ _id }) => _id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(pages[0]?.items).toHaveLength(100);
    expect(ids[0]).toBe(ada.id);
    expect(new Set(ids).size).toBe(ids.length);
    const all = await query<{ id: string }>(
      db,
      "select id from accounts where suspended_at is null",
    );
    expect(ids.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    const own = pages[0]?.items[0];
    expect([own?.followers, own?.followerAccounts.length]).toEqual([25, 20]);
    expect([own?.posts[0]?.likes, own?.posts[0]?.likeAccounts.length]).toEqual([30, 20]);
    const writer = pages.flatMap(({ items }) => items).find(({ _id }) => _id === people[0]?.id);
    expect([writer?.postsCount, writer?.posts.length, writer?.posts[0]?.postId]).toEqual([
      25, 20, 6,
    ]);
  });

  test("ends a page early where it would be larger than 4 MB, and continues from there", async () => {
    const heavy = await insertAccounts(db, 9);
    await insertTextPosts(db, heavy, 20);
    await query(db, "update posts set caption = $2 where author_id = any($1)", [
      heavy.map(({ id }) => id),
      "👨‍👩‍👧‍👦".repeat(2200),
    ]);
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await documents.page(null, cursor);
      expect(sizeOf(page.items)).toBeLessThanOrEqual(4 * 1024 * 1024);
      ids.push(...page.items.map(({ _id }) => _id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(heavy.map(({ id }) => id)));
  });

  test("refuses a cursor that it did not issue", async () => {
    await expect(documents.page(null, "x")).rejects.toMatchObject({ code: "input-invalid" });
  });
});

/** Statements that a read sent to PostgreSQL. */
async function count(read: () => Promise<unknown>): Promise<number> {
  sent = [];
  await read();
  return sent.length;
}

describe("statements", () => {
  test("are as many for one post, like and follower as for fifty", async () => {
    const [one, many] = [await on.member("One"), await on.member("Many")];
    const fans = await insertAccounts(db, 50);
    for (const [who, n] of [
      [one, 1],
      [many, 50],
    ] as const) {
      await insertTextPosts(db, [who], n);
      const posts = await query<{ authorId: string; postId: string }>(
        db,
        `select author_id as "authorId", id as "postId" from posts where author_id = $1`,
        [who.id],
      );
      for (const post of posts) {
        await like(post, fans.slice(0, n));
        await on.bookmarks.save(who, post);
        await on.comments.add(who, post, "Hello", null);
      }
      await insertFollows(db, fans.slice(0, n), [who]);
      await insertFollows(db, [who], fans.slice(0, n));
    }
    const read = (who: Viewer) => [
      () => documents.at(who, who.username),
      () => documents.byId(who, who.id),
      () => documents.page(who, null),
      () => on.threads.ofPost(who, who.username, 1),
    ];
    const counts = async (who: Viewer) => {
      const counted = [];
      for (const one of read(who)) counted.push(await count(one));
      return counted;
    };
    expect(await counts(one)).toEqual([5, 4, 5, 3]);
    expect(await counts(many)).toEqual([5, 4, 5, 3]);
  });
});

test("a document's tag changes with everything it says, and with nothing else", async () => {
  const [ada, bob] = [await on.member(), await on.member()];
  const post = await on.textPost(ada);
  const tag = async () => tagOf(await documents.at(bob, ada.username));
  const first = await tag();
  expect(await tag()).toBe(first);
  expect(first).toMatch(/^"[\w-]{27}"$/);
  await on.likes.like(ada, post);
  expect(await tag()).not.toBe(first);
});
