import { describe, expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { FeedPost, Page, Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features, call } = await testApp(db);
const { member, photoPost, textPost } = features;

const ask = (viewer: Viewer | null, query: Record<string, string | string[]> = {}) =>
  call(viewer, "GET", "/api/feed", { query });

describe("the home feed for programs", () => {
  test("has everything that a post's card shows, newest first, twenty a page", async () => {
    const [reader, writer] = [await member("Ada Reader"), await member("Grace Writer")];
    await features.follows.follow(reader, writer.id);
    for (let count = 1; count <= 20; count += 1) await textPost(writer, `Words ${count}`);
    const photo = await photoPost(writer, "A photo", ["A boat"]);
    const ref = { authorId: photo.authorId, postId: photo.postId };
    await features.likes.like(reader, ref);
    await features.bookmarks.save(reader, ref);
    await features.comments.add(reader, ref, "Lovely", null);

    const first = (await ask(reader)).json<Page<FeedPost>>();
    expect(first.items).toHaveLength(20);
    expect(first.items[0]).toMatchObject({
      id: photo.postId,
      number: 21,
      author: { id: writer.id, username: writer.username, name: "Grace Writer" },
      caption: "A photo",
      pictures: [{ alt: "A boat", width: expect.any(Number), widths: expect.any(Array) }],
      likeCount: 1,
      commentCount: 1,
      liked: true,
      saved: true,
      mine: false,
      comments: [{ body: "Lovely", author: { id: reader.id }, deletable: true }],
    });
    expect(first.items[0]?.author.avatar?.key).toEqual(expect.any(String));

    const rest = (await ask(reader, { cursor: first.nextCursor ?? "" })).json<Page<FeedPost>>();
    expect(rest.items.map(({ caption }) => caption)).toEqual(["Words 1"]);
    expect(rest.nextCursor).toBeNull();
  });

  test("is private and stored nowhere", async () => {
    const answer = await ask(await member());
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("private, no-store");
    expect(answer.headers["content-type"]).toContain("application/json");
  });

  test("asks a visitor to sign in", async () => {
    const answer = await ask(null);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: { code: "sign-in-required" } });
    expect(answer.headers["cache-control"]).toContain("no-store");
  });

  test.each([["broken"], [["one", "two"]]])("refuses the cursor %j", async (cursor) => {
    const answer = await ask(await member(), { cursor });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: { code: "input-invalid" } });
  });
});
