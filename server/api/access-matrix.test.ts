import { subscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import { accessMatrix, roles, type Role, type World } from "#server/test/access-matrix.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { chatIdOf } from "#shared/chat.ts";
import { snapshotDatabase } from "#server/test/database-snapshot.ts";
import { query } from "#server/test/query.ts";

const registered = new Set<string>();
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url }) => {
    // Apps have their own: server/mastodon/access.test.ts.
    if (/^\/api\/v[12]\/(?!projects$)/.test(url)) return;
    // the answer of an address without a route
    if (!/^\/(api|v1|calls)(\/|$)/.test(url) || url.endsWith("/*")) return;
    for (const each of [method].flat()) {
      if (each !== "HEAD" && each !== "OPTIONS") registered.add(`${each} ${url}`);
    }
  });
});

const { db } = await freshDatabase();
const { features, call } = await testApp(db);
let world: World;
let snapshot: Awaited<ReturnType<typeof snapshotDatabase>>;

beforeAll(async () => {
  const { member, photoPost, upload } = features;
  const [owner, follower, stranger] = [
    await member("Olive Owner"),
    await member("Flora Follower"),
    await member("Stan Stranger"),
  ];
  const post = await photoPost(owner, "The caption of the owner");
  await features.follows.follow(follower, owner.id);
  await features.follows.follow(owner, follower.id);
  await features.chat.send(owner, chatIdOf(owner, follower), {
    body: "Between us",
    picture: null,
    clientKey: null,
  });
  await features.likes.like(follower, post);
  await features.bookmarks.save(follower, post);
  const comment = await features.comments.add(stranger, post, "The stranger's comment", null);
  const shown = await features.posts.get(null, owner.username, post.number);
  const imageKey = shown?.pictures[0]?.key ?? "";
  const { id: suggestionId } = await features.altSuggestions.suggest(
    stranger,
    owner.username,
    post.number,
    { key: imageKey, alt: "What the stranger sees" },
  );
  const about = {
    kind: "comment",
    author: owner.username,
    number: post.number,
    commentId: comment.id,
  };
  await features.reports.report(follower, about, { reason: "spam", words: "" });
  const caseId = (await features.moderation.queue(null, null)).items[0]?.id ?? "";
  await features.moderation.decide(null, caseId, { act: "warn", reason: "Please be kind" });
  const verdictId = (await features.moderation.verdicts(stranger, null)).items[0]?.id ?? "";
  const uploadId = await upload(owner);
  const resumableId = await features.resumableUploads.begin(owner, 1000);
  const album = { title: "The owner's album", audience: "followers" } as const;
  const { id: collectionId } = await features.collections.create(owner, { title: "Kitchens" });
  const { id: albumId } = await features.albums.create(owner, album);
  const inAlbum = { imageId: await upload(owner), clientKey: null };
  const { id: albumItem } = await features.albums.addPhoto(owner, albumId, inAlbum);
  await features.albumMembers.put(owner, albumId, follower.username, "contributor");
  const { token: albumToken } = await features.albumMembers.makeLink(owner, albumId, "member");
  const { link } = await features.sharedLinks.make(owner, { kind: "profile" });
  const importId = await features.deviceImports.begin(owner, {
    kind: "instagram",
    posts: 1,
    bytes: 1000,
  });
  world = {
    owner,
    follower,
    stranger,
    post,
    commentId: comment.id,
    imageKey,
    suggestionId,
    caseId,
    verdictId,
    uploadId,
    resumableId,
    albumId,
    collectionId,
    albumItem,
    albumToken,
    linkId: link.id,
    importId,
  };
  // their sessions begin before other values are stored
  for (const member of [owner, follower, stranger]) await call(member, "GET", "/api/feed");
  // A session records its last use again after five minutes, and a busy machine takes longer than that for
  // all of these.
  await query(db, "update sessions set used_at = now() + interval '1 day'");
  snapshot = await snapshotDatabase(db);
});

const viewerOf = (role: Role) => (role === "visitor" ? null : world[role]);

test("every call has its row, and every row its call", () => {
  expect(Object.keys(accessMatrix).toSorted()).toEqual([...registered].toSorted());
});

describe.each(Object.entries(accessMatrix))("%s", (name, row) => {
  const [method = ""] = name.split(" ", 1);

  test.each(roles)("%s", async (role) => {
    const caller = viewerOf(role);
    const { url, ...options } = row.send(world);
    const answer = await call(caller, method, String(url), options);
    expect(answer.statusCode, answer.body).toBe(row[role]);
    expect(answer.headers["cache-control"]).toMatch(row.caching ?? /^(?:private, )?no-store$/);

    const others = [world.owner, world.follower, world.stranger].filter(
      ({ id }) => id !== caller?.id,
    );
    for (const { email } of others) expect(answer.body).not.toContain(email);
    if (answer.statusCode >= 400) {
      expect(Object.keys(answer.json<object>())).toEqual(["error"]);
      for (const secret of secretsOf(world)) expect(answer.body).not.toContain(secret);
      expect(await snapshot.changed()).toEqual([]);
    } else {
      await snapshot.restore();
    }
  });
});

/** Calls that answer something else where nothing exists. */
const elsewhere: Record<string, number> = {
  // a form without a photo is refused before the chat is looked up
  "POST /api/chats/:chatId/photos": 400,
  // a tag exists as soon as somebody writes it
  "GET /api/tags/:tag/posts": 200,
  // what isn't set can be withdrawn all the same
  "DELETE /api/blocks/:id": 200,
  "DELETE /api/mutes/:id": 200,
  "DELETE /calls/close-friends/:id": 200,
  // only moderators learn anything about a case
  "GET /api/moderation/cases/:caseId": 403,
  "POST /api/moderation/cases/:caseId/verdict": 403,
  "GET /api/moderation/cases/:caseId/pictures/:key": 403,
};

test("what does not exist is refused by every call that names it, and all say so in the document", async () => {
  const { owner, post } = world;
  const id = "01990000-0000-7000-8000-000000000000";
  const nobody = { ...owner, id, username: "nobody_at_all", email: "nobody.at.all@example.org" };
  const none = { ...post, authorId: id, postId: id, number: 99 };
  const empty = {
    ...world,
    owner: nobody,
    post: none,
    commentId: id,
    uploadId: id,
    resumableId: id,
    linkId: id,
    caseId: id,
    verdictId: id,
    albumId: id,
    importId: id,
  };
  for (const [name, row] of Object.entries(accessMatrix).filter(([path]) => path.includes("/:"))) {
    const [method = ""] = name.split(" ", 1);
    const { url, ...options } = row.send(empty);
    const { statusCode } = await call(world.stranger, method, String(url), options);
    expect([name, statusCode]).toEqual([name, elsewhere[name] ?? 404]);
  }
});

/** What a refusal could leak. */
function secretsOf(world: World): string[] {
  const { owner, follower, stranger, post, commentId, uploadId, resumableId } = world;
  const { albumItem, albumToken } = world;
  const people = [owner, follower, stranger].flatMap(({ id, email, name }) => [id, email, name]);
  return [
    ...people,
    post.postId,
    commentId,
    uploadId,
    resumableId,
    albumItem,
    albumToken,
    "The owner's album",
    "The caption",
    "The stranger's comment",
  ];
}
