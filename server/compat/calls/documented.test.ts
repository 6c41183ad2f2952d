import { describe, expect, test } from "vitest";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { testApp } from "#server/test/app.ts";
import { insertAccounts, insertFollows, insertTextPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import { query } from "#server/test/query.ts";
import type { DocumentedPost, DocumentedUser } from "#shared/documents.inputs.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { call } = await testApp(db);

async function people(): Promise<[Viewer, Viewer, Viewer]> {
  return (await insertAccounts(db, 3)) as [Viewer, Viewer, Viewer];
}

async function load(viewer: Viewer | null, path: string) {
  const answer = await call(viewer, "GET", `/api${path}`);
  expect(answer.statusCode, path).toBe(200);
  return { document: answer.json<DocumentedUser>(), tag: String(answer.headers.etag) };
}

const put = (viewer: Viewer | null, path: string, payload: object, headers = {}) =>
  call(viewer, "PUT", `/api${path}`, { payload, headers });

describe("the documented reads", () => {
  test("answer visitors and members alike, privately, each account by address and by id", async () => {
    const [ada, bob] = await people();
    const paths = [
      `/users/${ada.email}`,
      `/users/${ada.username.toUpperCase()}`,
      `/users/email/${encodeURIComponent(ada.email)}`,
      `/users/email/${ada.username}`,
      `/users/id/${ada.id}`,
    ];
    for (const viewer of [null, ada, bob]) {
      const found = await Promise.all(paths.map((path) => load(viewer, path)));
      expect(new Set(found.map(({ tag }) => tag)).size).toBe(1);
      expect(found[0]?.document).toMatchObject({
        _id: ada.id,
        email: viewer === ada ? ada.email : ada.username,
      });
    }
    const answer = await call(ada, "GET", `/api/users/${ada.email}`);
    expect(answer.headers["cache-control"]).toBe("private, no-store");
    for (const word of ["email", "id", "upload", "edit", "nobody", "a".repeat(250)]) {
      for (const path of [`/users/${word}`, `/users/email/${word}`, `/users/id/${word}`]) {
        expect((await call(null, "GET", `/api${path}`)).statusCode, path).toBe(404);
      }
    }
  });

  test("of all accounts name the next page in the header Link", async () => {
    await insertAccounts(db, 150);
    const [ada] = await people();
    const ids: string[] = [];
    let path = "/api/users";
    for (let pages = 0; path && pages < 20; pages += 1) {
      const answer = await call(ada, "GET", path);
      ids.push(...answer.json<DocumentedUser[]>().map(({ _id }) => _id));
      const [, next = ""] = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link ?? "")) ?? [];
      path = next.replace("http://localhost:3000", "");
    }
    const [all] = await query<{ n: number }>(db, "select count(*)::int as n from accounts");
    expect(ids[0]).toBe(ada.id);
    expect([ids.length, new Set(ids).size]).toEqual([all?.n, all?.n]);
    expect((await call(ada, "GET", "/api/users?cursor=x")).statusCode).toBe(400);
  });
});

describe("the documented writes", () => {
  test("take a document back as large as it was sent", async () => {
    const [ada, bob] = await people();
    await insertTextPosts(db, [ada], 700);
    await query(db, "update posts set caption = $2 where author_id = $1", [
      ada.id,
      "é".repeat(2200),
    ]);
    const { posts, postsCount } = (await load(bob, `/users/${ada.username}`)).document;
    expect(Buffer.byteLength(JSON.stringify(posts))).toBeGreaterThan(3_000_000);
    const liked = posts.map((post, index) =>
      index === 300 ? { ...post, likes: 1, likeAccounts: [bob.email] } : post,
    );
    const answer = await put(bob, `/post/update/${ada.username}`, { posts: liked });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { matchedCount: 1, modifiedCount: 1 },
    ]);
    const own = (await load(ada, `/users/${ada.email}`)).document;
    const removed = { postsCount: postsCount - 1, posts: own.posts.filter((_, i) => i !== 300) };
    expect((await put(ada, `/users/upload/${ada.email}`, removed)).json()).toMatchObject({
      modifiedCount: 1,
    });
    const heavy = { posts: [...own.posts, ...own.posts] };
    expect((await put(ada, `/users/upload/${ada.email}`, heavy)).statusCode).toBe(413);
  });

  test("are exact with If-Match, and refused when the copy is outdated", async () => {
    const [ada, bob] = await people();
    await insertTextPosts(db, [ada], 2);
    const { document, tag } = await load(bob, `/users/${ada.username}`);
    const like = (number: number, tags: string) => {
      const posts = document.posts.map((post) =>
        post.postId === number ? { ...post, likeAccounts: [bob.email] } : post,
      );
      return put(bob, `/post/update/${ada.username}`, { posts }, { "If-Match": tags });
    };
    expect((await like(1, '"other"')).statusCode).toBe(412);
    expect((await like(1, `"other", W/${tag}`)).statusCode).toBe(200);
    const late = await like(2, tag);
    expect(late.statusCode).toBe(412);
    expect(late.json()).toMatchObject({ error: { code: "precondition-failed" } });
    const { posts } = (await load(bob, `/users/${ada.username}`)).document;
    expect(posts.map(({ likes }) => likes)).toEqual([1, 0]);
  });

  test.each([
    ["/users/EMAIL", { followerAccounts: [7] }, "followerAccounts"],
    ["/users/EMAIL", {}, "followerAccounts"],
    ["/users/upload/EMAIL", { posts: {} }, "posts"],
    ["/users/upload/EMAIL", { posts: [{ postId: "1" }] }, "posts"],
    [
      "/users/upload/EMAIL",
      { posts: [{ postId: 1, time: 1, caption: "x".repeat(2201) }] },
      "caption",
    ],
    ["/users/edit/ID", { fName: " ", sName: "B" }, "fName"],
    ["/users/edit/ID", { fName: "A", sName: "B", bio: "x".repeat(501) }, "bio"],
    ["/post/update/EMAIL", { posts: Array.from({ length: 10_000 }, () => null) }, "posts"],
    ["/bookMark/EMAIL", { bookMarks: [{ postId: 1 }] }, "bookMarks"],
    ["/delete/bookMark/EMAIL/x", {}, "postId"],
  ])("name the field that is wrong: %s (%#)", async (path, payload, field) => {
    const [ada] = await people();
    const where = path.replace("EMAIL", ada.email).replace("ID", ada.id);
    const answer = await put(ada, where, payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      error: { code: "input-invalid", fields: { [field]: expect.any(String) } },
    });
    expect((await load(ada, `/users/${ada.email}`)).document.postsCount).toBe(0);
  });

  test("refuse prototype keys, and addresses that are no image of this server", async () => {
    const [ada] = await people();
    const hostile = await call(ada, "PUT", `/api/users/${ada.email}`, {
      payload: '{"followingAccounts":[],"__proto__":{"admin":true}}',
      headers: { "content-type": "application/json" },
    });
    expect(hostile.statusCode).toBe(400);
    const names = { fName: "A", sName: "B", image: "https://elsewhere.example/pixel.gif" };
    const edit = await put(ada, `/users/edit/${ada.id}`, names);
    expect([edit.statusCode, edit.json()]).toMatchObject([
      400,
      { error: { code: "picture-unknown" } },
    ]);
  });
});

describe("comments and conversations", () => {
  test("have their documented addresses", async () => {
    const [ada, bob] = await people();
    await insertTextPosts(db, [ada], 1);
    await insertFollows(db, [ada], [bob]);
    await insertFollows(db, [bob], [ada]);
    const payload = {
      comment: "Lovely",
      commentAccount: bob.email,
      commentImg: "",
      commentName: bob.name,
      author: ada.username,
      postId: 1,
      commentId: `${ada.username}1`,
    };
    const added = await call(bob, "POST", "/api/comments", { payload });
    expect([added.statusCode, added.json()]).toEqual([
      201,
      { ...payload, _id: expect.any(String) },
    ]);
    const list = await call(null, "GET", `/api/comments/${ada.email}/1`);
    expect(list.json()).toEqual([{ ...added.json<object>(), commentAccount: bob.username }]);
    for (const wrong of [
      { ...payload, comment: " " },
      { ...payload, comment: "x".repeat(1001) },
    ]) {
      const answer = await call(bob, "POST", "/api/comments", { payload: wrong });
      expect(answer.json()).toMatchObject({ error: { fields: { comment: expect.any(String) } } });
    }
    const chat = await call(ada, "GET", `/api/chats/${bob.email}${ada.email}`);
    expect(chat.json()).toMatchObject({ user1: bob.username, user2: ada.email, messages: [] });
    const cleared = await call(ada, "DELETE", `/api/comments/${ada.email}1`);
    expect([cleared.statusCode, cleared.json()]).toEqual([200, { deletedCount: 1 }]);
  });
});

/** A client with copies of its own, loaded once: it knows its own changes and nobody else's. */
async function client(me: Viewer, authors: readonly Viewer[]) {
  const copies = new Map<string, DocumentedUser>();
  for (const { username } of authors) {
    if (username === me.username) continue;
    copies.set(username, (await load(me, `/users/${username}`)).document);
  }
  const own = (await load(me, `/users/${me.email}`)).document;
  const wishes = {
    likes: new Set<string>(),
    saves: new Set<string>(),
    follows: new Set<string>(),
  };

  async function send(path: string, payload: object) {
    const answer = await put(me, path, payload);
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  }

  async function toggleLike(author: string, number: number) {
    const posts = copies.get(author)?.posts ?? [];
    const post = posts.find(({ postId }) => postId === number) as DocumentedPost;
    const liked = post.likeAccounts.includes(me.email);
    post.likeAccounts = liked
      ? post.likeAccounts.filter((entry) => entry !== me.email)
      : [...post.likeAccounts, me.email];
    post.likes += liked ? -1 : 1;
    toggle(wishes.likes, `${author}/${number}`);
    await send(`/post/update/${author}`, { posts });
  }

  async function toggleFollow(author: string) {
    const copy = copies.get(author) as DocumentedUser;
    copy.followerAccounts = toggled(copy.followerAccounts, me.email);
    copy.followers = copy.followerAccounts.length;
    own.followingAccounts = toggled(own.followingAccounts, author);
    toggle(wishes.follows, author);
    const { followers, followerAccounts } = copy;
    await send(`/users/${author}`, { followers, followerAccounts });
    const { followingAccounts } = own;
    await send(`/users/${me.email}`, { following: followingAccounts.length, followingAccounts });
  }

  async function toggleSave(author: string, number: number) {
    const post = copies.get(author)?.posts.find(({ postId }) => postId === number);
    const rest = own.bookMarks.filter((one) => one.author !== author || one.postId !== number);
    const saved = rest.length < own.bookMarks.length;
    own.bookMarks = saved ? rest : [...rest, { ...(post as DocumentedPost), author }];
    toggle(wishes.saves, `${author}/${number}`);
    await send(`/bookMark/${me.email}`, { bookMarks: own.bookMarks });
  }

  return { me, wishes, toggleLike, toggleFollow, toggleSave };
}

describe("many clients at once", () => {
  test("like, unlike, follow and bookmark with stale copies: every last change holds, every counter is right", async () => {
    const members = await insertAccounts(db, everything ? 50 : 20);
    const authors = members.slice(0, 3);
    await insertTextPosts(db, authors, 3);
    const clients = await Promise.all(members.map((me) => client(me, authors)));

    await Promise.all(
      clients.map(async ({ me, toggleLike, toggleFollow, toggleSave }, nth) => {
        for (const [place, { username }] of authors.entries()) {
          if (username === me.username) continue;
          const number = ((nth + place) % 3) + 1;
          await toggleLike(username, number);
          await toggleFollow(username);
          if (nth % 2) await toggleLike(username, number);
          await toggleSave(username, number);
          if (nth % 3 === 0) await toggleFollow(username);
          if (nth % 4 === 0) await toggleSave(username, number);
        }
      }),
    );

    expect(await reconcileCounters(db)).toEqual([]);
    const expected = { likes: 0, follows: 0, saves: 0 };
    for (const { me, wishes } of clients) {
      const own = (await load(me, `/users/${me.email}`)).document;
      expect(new Set(own.followingAccounts)).toEqual(wishes.follows);
      expect(new Set(own.bookMarks.map((post) => `${post.author}/${post.postId}`))).toEqual(
        wishes.saves,
      );
      for (const { username } of authors.filter(({ id }) => id !== me.id)) {
        const { posts } = (await load(me, `/users/${username}`)).document;
        for (const { postId, likeAccounts } of posts) {
          const wished = wishes.likes.has(`${username}/${postId}`);
          expect(likeAccounts.includes(me.email)).toBe(wished);
        }
      }
      expected.likes += wishes.likes.size;
      expected.follows += wishes.follows.size;
      expected.saves += wishes.saves.size;
    }
    const counted = { likes: 0, follows: 0 };
    for (const { username } of authors) {
      const { posts, followers } = (await load(null, `/users/${username}`)).document;
      counted.likes += posts.reduce((sum, { likes }) => sum + likes, 0);
      counted.follows += followers;
    }
    expect(counted).toEqual({ likes: expected.likes, follows: expected.follows });
    expect(expected.likes).toBeGreaterThan(0);
    expect(expected.saves).toBeGreaterThan(0);
  });
});

function toggle(set: Set<string>, entry: string): void {
  if (!set.delete(entry)) set.add(entry);
}

function toggled(list: readonly string[], entry: string): string[] {
  return list.includes(entry) ? list.filter((one) => one !== entry) : [...list, entry];
}
