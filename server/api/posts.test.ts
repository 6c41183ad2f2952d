import { describe, expect, test } from "vitest";
import { testApp, type Caller } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import type { CommentView, FeedPost, Page } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features, call } = await testApp(db);
const { member, photoPost, textPost, upload } = features;

const countOf = async (table: "posts" | "comments", column: string, id: string) =>
  (await query(db, `select 1 from ${table} where ${column} = $1`, [id])).length;

describe("a program that posts", () => {
  test("makes a post of photos and words and gets all of it back", async () => {
    const ada = await member("Ada Lovelace");
    const pictures = [{ imageId: await upload(ada), alt: "A harbour" }];
    const answer = await call(ada, "POST", "/api/posts", {
      payload: { caption: " By the sea ", pictures, timeZone: "Europe/Rome" },
    });
    expect(answer.statusCode).toBe(201);
    const post = answer.json<FeedPost>();
    expect(post).toMatchObject({ number: 1, caption: "By the sea", mine: true, comments: [] });
    expect(post.pictures).toMatchObject([{ alt: "A harbour" }]);
    const again = await call(null, "GET", `/api/posts/${ada.username}/1`);
    expect(again.json()).toMatchObject({ id: post.id, mine: false });
    const [row] = await query<{ time_zone: string }>(
      db,
      "select time_zone from posts where id = $1",
      [post.id],
    );
    expect(row?.time_zone).toBe("Europe/Rome");
  });

  test.each([
    [{}, 400, "post-empty"],
    [{ caption: "a".repeat(2201) }, 400, "input-invalid"],
    [{ caption: 7 }, 400, "input-invalid"],
    [{ caption: "Words", warning: "a".repeat(201) }, 400, "input-invalid"],
    [{ pictures: [{ imageId: "none", alt: "" }] }, 400, "picture-unknown"],
    [{ pictures: "many" }, 400, "input-invalid"],
  ])("is refused with what is wrong with %j", async (payload, status, code) => {
    const ada = await member();
    const answer = await call(ada, "POST", "/api/posts", { payload });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error: { code } });
    expect(await countOf("posts", "author_id", ada.id)).toBe(0);
  });

  test("cannot read or change what does not exist", async () => {
    const ada = await member();
    for (const [path, status] of [
      ["ada_nobody/1", 404],
      [`${ada.username}/1`, 404],
      [`${ada.username}/2147483648`, 404],
      [`${ada.username}/0`, 400],
      [`${ada.username}/x`, 400],
    ] as const) {
      for (const [method, rest] of [
        ["GET", ""],
        ["DELETE", ""],
        ["PUT", "/like"],
        ["GET", "/comments"],
      ]) {
        const answer = await call(ada, method!, `/api/posts/${path}${rest}`);
        expect([path, method, answer.statusCode]).toEqual([path, method, status]);
      }
    }
  });

  test("finds a post by its author's email where that is allowed, and the author always", async () => {
    const ada = await member();
    await textPost(ada);
    const path = `/api/posts/${encodeURIComponent(ada.email)}/1`;
    expect((await call(null, "GET", path)).statusCode).toBe(200);
    await features.settings.change(ada, { findableByEmail: false });
    expect((await call(null, "GET", path)).statusCode).toBe(404);
    expect((await call(ada, "GET", path)).statusCode).toBe(200);
  });
});

describe("a program that edits", () => {
  test("sends the version it read, and gets the post as it is now", async () => {
    const ada = await member();
    const post = await photoPost(ada, "Teh sea", ["grey"]);
    const url = `/api/posts/${ada.username}/${post.number}`;
    const { version, pictures } = (await call(ada, "GET", url)).json<FeedPost>();
    const [{ key } = { key: "" }] = pictures;
    const payload = {
      version,
      caption: "The sea",
      warning: "Waves",
      pictures: [{ imageId: await upload(ada), alt: "blue" }, { key }],
    };
    const edited = await call(ada, "PATCH", url, { payload });
    expect(edited.statusCode).toBe(200);
    expect(edited.json()).toMatchObject({
      caption: "The sea",
      warning: "Waves",
      sensitive: true,
      pictures: [{ alt: "blue" }, { key, alt: "grey" }],
      version: version + 1,
      editedAt: expect.any(Number),
      comments: [],
    });
    // sent again, it changes nothing and gets the same answer
    expect((await call(ada, "PATCH", url, { payload })).json()).toEqual(edited.json());
    const stale = await call(ada, "PATCH", url, { payload: { version, caption: "Stale" } });
    expect([stale.statusCode, stale.json()]).toMatchObject([
      409,
      { error: { code: "post-changed" } },
    ]);
    const versions = await call(ada, "GET", `${url}/versions`);
    expect(versions.json()).toEqual({
      items: [{ caption: "Teh sea", warning: null, keys: [key], replacedAt: expect.any(Number) }],
    });
  });

  test.each([
    [{}, 400, "input-invalid"],
    [{ version: -1 }, 400, "input-invalid"],
    [{ version: 0, caption: "" }, 400, "post-empty"],
    [{ version: 0, caption: "a".repeat(2201) }, 400, "input-invalid"],
    [{ version: 0, pictures: [{ imageId: "none" }] }, 400, "picture-unknown"],
    [{ version: 0, pictures: [{ key: "0".repeat(32) }] }, 400, "picture-unknown"],
    [{ version: 0, pictures: "many" }, 400, "input-invalid"],
    [{ version: 7, caption: "else" }, 409, "post-changed"],
  ])("is refused with what is wrong with %j", async (payload, status, code) => {
    const ada = await member();
    const { number } = await textPost(ada, "Words");
    const url = `/api/posts/${ada.username}/${number}`;
    const answer = await call(ada, "PATCH", url, { payload });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error: { code } });
    expect((await call(ada, "GET", url)).json()).toMatchObject({ caption: "Words", version: 0 });
  });
});

describe("likes, saves and follows as calls", () => {
  test("may be sent again and again", async () => {
    const [ada, grace] = [await member("Ada A"), await member("Grace G")];
    await textPost(grace);
    const post = `/api/posts/${grace.username}/1`;
    const json = async (method: string, url: string, caller: Caller = ada) =>
      (await call(caller, method, url)).json<unknown>();
    for (const _ of [1, 2]) {
      expect(await json("PUT", `${post}/like`)).toEqual({ liked: true, likeCount: 1 });
      expect(await json("PUT", `${post}/save`)).toEqual({ saved: true });
      expect(await json("PUT", `/api/accounts/${grace.username}/follow`)).toEqual({
        following: true,
        requested: false,
        counts: { posts: 1, photos: 0, followers: 1, following: 0 },
      });
    }
    expect(await json("GET", "/api/feed")).toMatchObject({ items: [{ liked: true, saved: true }] });
    for (const _ of [1, 2]) {
      expect(await json("DELETE", `${post}/like`)).toEqual({ liked: false, likeCount: 0 });
      expect(await json("DELETE", `${post}/save`)).toEqual({ saved: false });
      expect(await json("DELETE", `/api/accounts/${grace.username}/follow`)).toMatchObject({
        following: false,
        counts: { followers: 0 },
      });
    }
  });

  test("take an empty body that calls itself JSON", async () => {
    const [ada, grace] = [await member(), await member()];
    await textPost(grace);
    const headers = { "content-type": "application/json" };
    const answer = await call(ada, "PUT", `/api/posts/${grace.username}/1/like`, { headers });
    expect(answer.json()).toEqual({ liked: true, likeCount: 1 });
  });
});

describe("comments as calls", () => {
  test("are written, read a page at a time and deleted", async () => {
    const [ada, grace] = [await member("Ada A"), await member("Grace G")];
    const post = await photoPost(grace);
    const url = `/api/posts/${grace.username}/1/comments`;
    for (let count = 1; count <= 31; count += 1) {
      await features.comments.add(ada, post, `Comment ${count}`, null);
    }
    const first = (await call(null, "GET", url)).json<Page<CommentView>>();
    expect(first.items.map(({ body }) => body)).toContain("Comment 30");
    const rest = (await call(null, "GET", url, { query: { cursor: first.nextCursor! } })).json<
      Page<CommentView>
    >();
    expect(rest.items).toMatchObject([{ body: "Comment 31" }]);

    const made = await call(ada, "POST", url, { payload: { body: "One more" } });
    expect(made.statusCode).toBe(201);
    const { id } = made.json<CommentView>();
    const gone = await call(ada, "DELETE", `${url}/${id}`);
    expect([gone.statusCode, gone.json()]).toEqual([200, { deleted: 1 }]);
    expect((await call(ada, "DELETE", `${url}/${id}`)).statusCode).toBe(404);
    expect((await call(ada, "DELETE", `${url}/nonsense`)).statusCode).toBe(404);
  });

  test.each([[{}], [{ body: " " }], [{ body: "x".repeat(1001) }]])(
    "name the field of %j",
    async (payload) => {
      const ada = await member();
      await textPost(ada);
      const url = `/api/posts/${ada.username}/1/comments`;
      const answer = await call(ada, "POST", url, { payload });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: { fields: { body: expect.any(String) } } });
    },
  );
});

const keyed = (key: string) => ({ headers: { "idempotency-key": key } });
/** Publishes a text post with a key. */
const send = (caller: Caller, caption: string, key = "key") =>
  call(caller, "POST", "/api/posts", { payload: { caption }, ...keyed(key) });

describe("an Idempotency-Key", () => {
  test("makes one post and one comment of many requests, also of simultaneous ones", async () => {
    const ada = await member();
    const send = (caption: string) =>
      call(ada, "POST", "/api/posts", { payload: { caption }, ...keyed("the same") });
    const answers = await Promise.all(Array.from({ length: 8 }, () => send("Once")));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const replays = answers.filter(({ headers }) => headers["idempotent-replayed"] === "true");
    expect(replays).toHaveLength(7);
    expect(await countOf("posts", "author_id", ada.id)).toBe(1);

    const url = `/api/posts/${ada.username}/1/comments`;
    const comment = () =>
      call(ada, "POST", url, { payload: { body: "Once" }, ...keyed("a comment") });
    const [one, two] = [await comment(), await comment()];
    expect(one.body).toBe(two.body);
    expect(await countOf("comments", "account_id", ada.id)).toBe(1);
  });

  test("that belongs to another request is refused and does nothing", async () => {
    const ada = await member();
    const send = (payload: object, url = "/api/posts") =>
      call(ada, "POST", url, { payload, ...keyed("mine") });
    await send({ caption: "First" });
    for (const answer of [
      await send({ caption: "Second" }),
      await send({ body: "First" }, `/api/posts/${ada.username}/1/comments`),
    ]) {
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ error: { code: "key-reused" } });
    }
    expect(await countOf("posts", "author_id", ada.id)).toBe(1);
  });

  test("is its sender's own, is free again after a refusal and is forgotten after a day", async () => {
    const [ada, grace] = [await member(), await member()];
    expect((await send(ada, "")).statusCode).toBe(400);
    expect((await send(ada, "Mine")).statusCode).toBe(201);
    expect((await send(grace, "Hers")).statusCode).toBe(201);

    await query(db, "update idempotency_keys set created_at = now() - interval '25 hours'");
    expect((await send(ada, "Tomorrow's")).json()).toMatchObject({ number: 2 });
    await features.idempotency.sweep();
    const left = await query<{ account_id: string }>(db, "select account_id from idempotency_keys");
    expect(left).toEqual([{ account_id: ada.id }]);
  });

  test.each(["", "x".repeat(201), "naïve"])("cannot be %j", async (key) => {
    const answer = await call(await member(), "POST", "/api/posts", {
      payload: { caption: "Words" },
      ...keyed(key),
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      error: { fields: { "idempotency-key": expect.any(String) } },
    });
  });
});
