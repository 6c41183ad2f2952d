import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import {
  insertAccounts,
  insertFollows,
  insert,
  insertTextPosts,
} from "#server/test/bulk-insert.ts";
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

async function people(): Promise<[Viewer, Viewer, Viewer]> {
  return (await insertAccounts(db, 3)) as [Viewer, Viewer, Viewer];
}

const say = (who: Viewer, author: string, postId: number, comment: string) =>
  on.threads.add(who, { author, postId, comment });

async function refused(work: Promise<unknown>, code: string): Promise<void> {
  await expect(work).rejects.toMatchObject({ code });
}

const at = (who: Viewer, chatId: string) => on.conversations.at(who, chatId);

describe("the comments of a post", () => {
  test("have every documented field, newest last, with their authors as they are now", async () => {
    const ada = await on.member("Ada Lovelace");
    const [bob] = await people();
    await on.textPost(ada);
    const sent = {
      comment: "  First  ",
      author: ada.email,
      postId: 1,
      commentAccount: bob.email.toUpperCase(),
      commentName: "Somebody Else",
      commentImg: "https://elsewhere.example/pixel.gif",
    };
    const first = await on.threads.add(bob, sent);
    await say(ada, ada.username, 1, "Second");
    await on.profiles.edit(ada, { firstName: "Augusta", secondName: "King" });

    expect(first).toEqual({
      _id: expect.any(String),
      comment: "First",
      commentAccount: bob.email,
      commentImg: "",
      commentName: bob.name,
      author: ada.username,
      postId: 1,
      commentId: `${ada.username}1`,
    });
    const toBob = await on.threads.ofPost(bob, ada.email, 1);
    expect(toBob).toEqual([
      first,
      {
        _id: expect.any(String),
        comment: "Second",
        commentAccount: ada.username,
        commentImg: expect.stringMatching(/^http:\/\/localhost:3000\/images\/\w+\/96\.webp$/),
        commentName: "Augusta King",
        author: ada.username,
        postId: 1,
        commentId: `${ada.username}1`,
      },
    ]);
    const toAda = await on.threads.ofPost(ada, ada.username, 1);
    expect(toAda.map(({ commentAccount, commentId }) => [commentAccount, commentId])).toEqual([
      [bob.username, `${ada.email}1`],
      [ada.email, `${ada.email}1`],
    ]);
    const toVisitors = JSON.stringify(await on.threads.ofPost(null, ada.username, 1));
    for (const { email } of [ada, bob]) expect(toVisitors).not.toContain(email);
  });

  test("are the newest 1,000 of them", async () => {
    const [ada, bob] = await people();
    const post = await on.textPost(ada);
    await insert(db, "comments", {
      author_id: Array.from({ length: 1003 }, () => ada.id),
      post_id: Array.from({ length: 1003 }, () => post.postId),
      id: Array.from({ length: 1003 }, (_, index) => {
        return `01990000-0000-7000-8000-${String(index).padStart(12, "0")}`;
      }),
      account_id: Array.from({ length: 1003 }, () => bob.id),
      body: Array.from({ length: 1003 }, (_, index) => `${index}`),
    });
    const shown = await on.threads.ofPost(null, ada.username, 1);
    expect([shown.length, shown[0]?.comment, shown.at(-1)?.comment]).toEqual([1000, "3", "1002"]);
    await query(db, "update posts set comment_count = 1003 where id = $1", [post.postId]);
  });

  test("are written in one's own name, under a post that exists", async () => {
    const [ada, bob] = await people();
    await insertTextPosts(db, [ada], 1);
    const sent = { comment: "Hello", author: ada.username, postId: 1 };
    await refused(on.threads.add(bob, { ...sent, commentAccount: ada.username }), "not-yours");
    await refused(on.threads.add(bob, { ...sent, postId: 2 }), "not-found");
    await refused(on.threads.add(bob, { ...sent, author: "nobody" }), "not-found");
    await refused(on.threads.ofPost(bob, ada.username, 2 ** 40), "not-found");
    await refused(on.threads.ofPost(bob, "nobody", 1), "not-found");
    expect(await on.threads.ofPost(bob, ada.username, 1)).toEqual([]);
  });
});

describe("deleting a thread", () => {
  test("takes all comments of one post, for its author, by any address of theirs", async () => {
    const [ada, bob] = await people();
    await insertTextPosts(db, [ada], 12);
    for (const number of [2, 12]) {
      await say(bob, ada.username, number, "Hello");
      await say(ada, ada.username, number, "Hello yourself");
    }
    const clear = (who: Viewer, commentId: string) => on.threads.clear(who, commentId);
    await expect(clear(bob, `${ada.username}12`)).rejects.toMatchObject({ code: "not-yours" });
    await expect(clear(bob, `${ada.username}99`)).rejects.toMatchObject({ code: "not-found" });
    await expect(clear(ada, `${ada.email}99`)).rejects.toMatchObject({ code: "not-found" });
    await expect(clear(ada, ada.email)).rejects.toMatchObject({ code: "not-found" });
    expect(await clear(ada, `${ada.email.toUpperCase()}12`)).toEqual({ deletedCount: 2 });
    expect(await clear(ada, `${ada.username}12`)).toEqual({ deletedCount: 0 });
    expect(await on.threads.ofPost(null, ada.username, 12)).toEqual([]);
    expect(await on.threads.ofPost(null, ada.username, 2)).toHaveLength(2);
    // It was deleted with its post already.
    await on.posts.remove(ada, ada.username, 2);
    expect(await clear(ada, `${ada.email}2`)).toEqual({ deletedCount: 0 });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("reads an id that could be two: the caller's own address decides", async () => {
    const [short, long] = await people();
    const name = `n${short.username.slice(-8)}`;
    const rename = async (who: Viewer, username: string) => {
      await on.settings.changeUsername(who, username);
      return { ...who, username };
    };
    const ada = await rename(short, name);
    const ada1 = await rename(long, `${name}1`);
    await insertTextPosts(db, [ada, ada1], 12);
    await say(ada, ada.username, 12, "under the twelfth");
    await say(ada, ada1.username, 2, "under the second");
    expect(await on.threads.clear(ada1, `${name}12`)).toEqual({ deletedCount: 1 });
    expect(await on.threads.ofPost(null, ada.username, 12)).toHaveLength(1);
    expect(await on.threads.clear(ada, `${name}12`)).toEqual({ deletedCount: 1 });

    // Two names of one account: then it cannot be decided.
    await query(db, "insert into usernames (username, account_id) values ($1, $2)", [
      `${name}_1`,
      ada.id,
    ]);
    await query(db, "insert into usernames (username, account_id) values ($1, $2)", [
      `${name}_`,
      ada.id,
    ]);
    await expect(on.threads.clear(ada, `${name}_12`)).rejects.toMatchObject({ code: "conflict" });
    await on.posts.remove(ada, ada.username, 2);
    expect(await on.threads.clear(ada, `${name}_12`)).toEqual({ deletedCount: 0 });
  });
});

describe("a conversation", () => {
  test("is found by both addresses joined in either order, by its two members only", async () => {
    const [ada, bob, cleo] = await people();
    await insertFollows(db, [ada], [bob, cleo]);
    await insertFollows(db, [bob], [ada]);
    const none = { code: "not-found" };
    expect(await at(ada, `${ada.email}${bob.email}`)).toEqual({
      chatId: `${ada.email}${bob.email}`,
      user1: ada.email,
      user2: bob.username,
      messages: [],
    });
    expect(await at(bob, `${ada.username}${bob.email.toUpperCase()}`)).toMatchObject({
      user1: ada.username,
      user2: bob.email,
    });
    // Not mutual, not a member, not there, with oneself.
    for (const [who, chatId] of [
      [ada, `${ada.email}${cleo.username}`],
      [cleo, `${ada.username}${bob.username}`],
      [ada, `${ada.email}nobody`],
      [ada, `${ada.email}${ada.username}`],
      [ada, ada.email],
      [ada, ""],
      [ada, "\0"],
    ] as const) {
      await expect(at(who, chatId), chatId).rejects.toMatchObject(none);
    }
    for (const [who, body] of [
      [ada, "hello"],
      [bob, "hello yourself"],
    ] as const) {
      const chatId = `${ada.username}${bob.username}`;
      await on.chat.send(who, chatId, { body, picture: null, clientKey: null });
    }
    await on.follows.unfollow(bob, ada.id);
    const said = await at(ada, `${ada.email}${bob.email}`);
    expect(said.messages).toMatchObject([
      { from: ada.email, msg: "hello" },
      { from: bob.username, msg: "hello yourself" },
    ]);
    await on.follows.follow(bob, ada.id);
    // The name of one begins with the other's: it could mean both.
    const other = (await insertAccounts(db, 1)) as [Viewer];
    await insertFollows(db, other, [ada]);
    await insertFollows(db, [ada], other);
    const add = (username: string, who: Viewer) =>
      query(db, "insert into usernames (username, account_id) values ($1, $2)", [username, who.id]);
    await add("zed", ada);
    await add("zedzed1", bob);
    await add("zed1", ada);
    await add("zedzed", other[0]);
    await expect(at(ada, "zedzedzed1")).rejects.toMatchObject(none);
  });
});
