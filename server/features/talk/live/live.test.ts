import { sql } from "#server/platform/db/sql.ts";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { addCloseFriend } from "#server/test/audiences.ts";
import { freshDatabase } from "#server/test/database.ts";
import { openStream } from "#server/test/event-stream.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { client } from "#server/test/identity.ts";
import { until } from "#server/test/until.ts";
import { chatIdOf } from "#shared/chat.ts";
import type { LiveCounts, Unread } from "#shared/live.ts";
import type { Audience } from "#shared/posts.ts";
import type { MessageView, Viewer } from "#shared/views.ts";

const sent: string[] = [];
let db: Database;
let on: TestFeatures;
/** The same product in what could be another process. */
let elsewhere: TestFeatures;
let other: Database;

beforeAll(async () => {
  const fresh = await freshDatabase((text) => void sent.push(text));
  db = fresh.db;
  on = testFeatures(db);
  other = createDatabase({ connection: fresh.connection, log: pino({ level: "silent" }) });
  elsewhere = testFeatures(other);
});

afterAll(async () => {
  on.live.stop();
  elsewhere.live.stop();
  await other.close();
});

async function friends(): Promise<[Viewer, Viewer]> {
  const [ana, bo] = [await on.member("Ana"), await on.member("Bo")];
  await on.follows.follow(ana, bo.id);
  await on.follows.follow(bo, ana.id);
  return [ana, bo];
}

function say(there: TestFeatures, from: Viewer, to: Viewer, body: string) {
  return there.chat.send(from, chatIdOf(from, to), { body, picture: null, clientKey: null });
}

type Opened = Awaited<ReturnType<typeof openStream>>;

function heard(stream: Opened): string[] {
  return stream.of("message").map(({ data }) => (data as MessageView).body);
}

function followEvents(stream: Opened): unknown[] {
  return stream.of("follow").map(({ data }) => data);
}

describe("a stream", () => {
  test("brings each message once and in order to both sides, from wherever it was sent", async () => {
    const [ana, bo] = await friends();
    const streams = [
      await openStream(on.live, ana),
      await openStream(elsewhere.live, bo),
      await openStream(on.live, bo),
    ];
    const all: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      all.push(`${i}`);
      await say(i % 3 ? on : elsewhere, i % 2 ? ana : bo, i % 2 ? bo : ana, `${i}`);
    }
    await until(() => streams.every((stream) => heard(stream).length >= 40));
    for (const stream of streams) expect(heard(stream)).toEqual(all);
    for (const stream of streams) stream.close();
  });

  test("brings nothing to others, and the other side's number of unread conversations", async () => {
    const [ana, bo] = await friends();
    const eve = await on.member("Eve");
    const [atBo, atEve] = [await openStream(on.live, bo), await openStream(on.live, eve)];
    await say(on, ana, bo, "between us");
    await until(() => atBo.of("unread").length >= 2);
    expect(atBo.of("unread").map(({ data }) => data)).toEqual([
      { messages: 0, notifications: 1 },
      { messages: 1, notifications: 1 },
    ]);
    expect(heard(atEve)).toEqual([]);
    expect(atEve.of("unread")).toHaveLength(1);
    const { conversationId } = await on.chat.conversation(bo, chatIdOf(bo, ana));
    await on.chat.markRead(bo, conversationId ?? "", 1);
    await until(() => atBo.of("unread").length >= 3);
    expect(atBo.of("unread").at(-1)?.data).toEqual({ messages: 0, notifications: 1 });
    for (const stream of [atBo, atEve]) stream.close();
  });

  test("brings what was missed to one that comes back, and nothing twice", async () => {
    const [ana, bo] = await friends();
    const first = await openStream(on.live, bo);
    await say(on, ana, bo, "1");
    await until(() => heard(first).length === 1);
    first.close();
    for (const word of ["2", "3"]) await say(elsewhere, ana, bo, word);
    const second = await openStream(elsewhere.live, bo, first.last());
    await say(on, ana, bo, "4");
    await until(() => heard(second).includes("4"));
    const again = heard(second).filter((body) => body !== "1");
    expect(again).toEqual(["2", "3", "4"]);
    expect(second.events[0]).toMatchObject({ type: "hello", data: { complete: true } });
    second.close();
  });

  test("says that it is not complete where it cannot be sure", async () => {
    const [, bo] = await friends();
    for (const after of [null, "", "9223372036854775000", "x", "'; --"]) {
      const stream = await openStream(on.live, bo, after);
      expect(stream.events[0]).toMatchObject({ type: "hello", data: { complete: false } });
      stream.close();
    }
  });

  test("brings a message whose transaction was long in committing", async () => {
    const [ana, bo] = await friends();
    await say(on, ana, bo, "first");
    const stream = await openStream(on.live, bo);
    const late = other.transaction(async () => {
      await say(elsewhere, ana, bo, "late");
      // others write and commit meanwhile, and the position moves on
      for (let i = 0; i < 5; i += 1) {
        await on.textPost(ana);
        await db.query(sql`select pg_sleep(0.05)`);
      }
    });
    await late;
    await until(() => heard(stream).includes("late"));
    expect(heard(stream).filter((body) => body !== "first")).toEqual(["late"]);
    stream.close();
  });

  test("shows both sides when a message is taken back", async () => {
    const [ana, bo] = await friends();
    const stream = await openStream(on.live, bo);
    const { conversationId, seq } = await say(on, ana, bo, "oops");
    await until(() => stream.of("message").length === 1);
    await on.chat.removeMessage(ana, conversationId, seq);
    await until(() => stream.of("message").length === 2);
    expect(stream.of("message")[1]?.data).toMatchObject({ seq, deleted: true, body: "" });
    stream.close();
  });

  test("shows typing, before the first message too, and what was seen", async () => {
    const [ana, bo] = await friends();
    const early = await openStream(on.live, ana);
    await elsewhere.chat.typing(bo, chatIdOf(bo, ana));
    await until(() => early.of("typing").length > 0);
    expect(early.of("typing")[0]?.data, "no conversation has begun").toBe(bo.id);
    early.close();
    const { conversationId } = await say(on, ana, bo, "hello");
    const stream = await openStream(on.live, ana);
    await elsewhere.chat.typing(bo, conversationId);
    await elsewhere.chat.markRead(bo, conversationId, 1);
    await until(() => stream.of("read").length > 0 && stream.of("typing").length > 0);
    expect(stream.of("typing")[0]?.data).toBe(conversationId);
    expect(stream.of("read")[0]?.data).toBe(`${conversationId}.1`);
    await on.follows.unfollow(ana, bo.id);
    const before = stream.of("typing").length;
    await elsewhere.chat.typing(bo, conversationId);
    await say(on, ...(await friends()), "later").then(() => undefined);
    expect(stream.of("typing")).toHaveLength(before);
    stream.close();
  });

  test("brings follows and unfollows to both sides, and to nobody else", async () => {
    const [ana, bo, eve] = [await on.member("Ana"), await on.member("Bo"), await on.member("Eve")];
    const [atAna, atBo, atEve] = [
      await openStream(on.live, ana),
      await openStream(elsewhere.live, bo),
      await openStream(on.live, eve),
    ];
    // One more event for each, and none for anybody else.
    const acts: string[][] = [[], []];
    const both = async () => {
      acts[0]?.push(bo.id);
      acts[1]?.push(ana.id);
      await until(() => [atAna, atBo].every((at, i) => followEvents(at).length >= acts[i]!.length));
      expect([followEvents(atAna), followEvents(atBo), followEvents(atEve)]).toEqual([...acts, []]);
    };
    await on.follows.follow(ana, bo.id);
    await both();
    await on.follows.follow(bo, ana.id);
    await both();
    await elsewhere.follows.unfollow(bo, ana.id);
    // nothing changes any more
    await elsewhere.follows.unfollow(bo, ana.id);
    await both();
    await on.follows.follow(bo, ana.id);
    await both();
    for (const stream of [atAna, atBo, atEve]) stream.close();
  });

  test("brings new posts to followers, and likes and comments to pages that show the post", async () => {
    const [ana, bo] = await friends();
    const muting = await on.member("Muting");
    await on.follows.follow(muting, ana.id);
    await on.blocks.mute(muting, ana.id);
    const eve = await on.member("Eve");
    const [atBo, atEve, atMuting] = [
      await openStream(on.live, bo),
      await openStream(on.live, eve),
      await openStream(on.live, muting),
    ];
    const post = await elsewhere.textPost(ana);
    await until(() => atBo.of("new-post").length === 1);
    expect(atBo.of("new-post")[0]?.data).toBe(ana.id);
    expect([...atEve.of("new-post"), ...atMuting.of("new-post")]).toEqual([]);

    const key = `${post.authorId}.${post.postId}`;
    elsewhere.live.watch(eve, atEve.stream.id, [key]);
    // at once: the page that shows it was read a moment ago
    await until(() => atEve.of("post").length === 1);
    const counts = { post: key, likeCount: 0, commentCount: 0, version: 0 };
    expect(atEve.of("post")[0]?.data).toEqual(counts);
    await elsewhere.likes.like(bo, post);
    await until(() => atEve.of("post").length === 2);
    await elsewhere.comments.add(bo, post, "nice", null);
    await until(() => atEve.of("post").length === 3);
    const after = { ...counts, likeCount: 1, commentCount: 1 };
    expect(atEve.of("post").at(-1)?.data).toEqual(after);
    expect(atBo.of("post")).toEqual([]);
    for (const stream of [atBo, atEve, atMuting]) stream.close();
  });

  test("brings an edit to the author, connected followers and pages that show the post", async () => {
    const [ana, bo] = await friends();
    const [eve, muting, blocked] = await on.members(3);
    await on.follows.follow(muting!, ana.id);
    await on.blocks.mute(muting!, ana.id);
    const people = [ana, bo, eve!, muting!, blocked!];
    const post = await elsewhere.textPost(ana, "Before");
    const key = `${post.authorId}.${post.postId}`;
    const streams = [];
    for (const one of people) streams.push(await openStream(on.live, one));
    const [atAna, atBo, atEve, atMuting, atBlocked] = streams;
    for (const [index, stream] of [atEve, atBlocked].entries()) {
      on.live.watch([eve!, blocked!][index]!, stream!.stream.id, [key]);
      await until(() => stream!.of("post").length === 1);
    }
    await on.blocks.block(ana, blocked!.id);
    await elsewhere.posts.edit(ana, ana.username, post.number, { version: 0, caption: "After" });
    const news = { post: key, likeCount: 0, commentCount: 0, version: 1 };
    for (const stream of [atAna, atBo, atEve]) {
      await until(() =>
        stream!.of("post").some(({ data }) => (data as { version: number }).version),
      );
      expect(stream!.of("post").at(-1)?.data).toEqual(news);
    }
    expect(atMuting!.of("post")).toEqual([]);
    expect(atBlocked!.of("post")).toHaveLength(1);
    for (const stream of streams) stream.close();
  });

  test("brings of a post what its audience hears, and its end to those who lose it", async () => {
    const [ana, fan, close, eve] = (await on.members(4)) as [Viewer, Viewer, Viewer, Viewer];
    for (const one of [fan, close]) await on.follows.follow(one, ana.id);
    await addCloseFriend(db, ana, close);
    const streams = [];
    for (const one of [ana, fan, close, eve]) streams.push(await openStream(on.live, one));
    const [atAna, atFan, atClose, atEve] = streams as [Opened, Opened, Opened, Opened];
    const narrow = await elsewhere.publish(ana, { caption: "Few", audience: "close-friends" });
    await until(() => atClose.of("new-post").length === 1);
    expect(atFan.of("new-post")).toEqual([]);

    const post = await elsewhere.textPost(ana, "All");
    const key = `${ana.id}.${post.postId}`;
    await until(() => atFan.of("new-post").length === 1);
    on.live.watch(eve, atEve.stream.id, [key, `${ana.id}.${narrow.postId}`]);
    await until(() => atEve.of("post").length === 1);
    const edit = (number: number, version: number, audience: Audience) =>
      elsewhere.posts.edit(ana, ana.username, number, { version, audience });
    const versions = (stream: Opened) =>
      stream.of("post").map(({ data }) => {
        const { post: name, version } = data as LiveCounts;
        return `${name}: ${version}`;
      });
    const lost = (stream: Opened) => stream.of("gone").map(({ data }) => data);
    await edit(post.number, 0, "close-friends");
    await until(() => lost(atFan).length === 1 && lost(atEve).length === 1);
    await until(() => versions(atClose).length === 1 && versions(atAna).length === 1);
    await edit(post.number, 1, "only-me");
    await until(() => lost(atClose).length === 1 && versions(atAna).length === 2);
    await edit(narrow.number, 0, "only-me");
    await until(() => lost(atClose).length === 2);
    await elsewhere.posts.edit(ana, ana.username, post.number, { version: 2, caption: "Mine" });
    await until(() => versions(atAna).length === 4);

    for (const stream of [atFan, atEve]) expect(lost(stream)).toEqual([key]);
    expect(lost(atClose)).toEqual([key, `${ana.id}.${narrow.postId}`]);
    expect(versions(atFan)).toEqual([]);
    expect(versions(atEve)).toEqual([`${key}: 0`]);
    expect(versions(atClose)).toEqual([`${key}: 1`]);
    expect(lost(atAna)).toEqual([]);
    for (const stream of streams) stream.close();
  });

  test("brings the end of an album's photos to whoever shows them when it is for fewer", async () => {
    const [ada, bob, fan, eve] = (await on.members(4)) as [Viewer, Viewer, Viewer, Viewer];
    for (const one of [bob, fan]) await on.follows.follow(one, ada.id);
    const { id } = await on.albums.create(ada, { title: "Summer", audience: "everyone" });
    await on.albumMembers.put(ada, id, bob.username, "contributor");
    const keys: string[] = [];
    for (const author of [ada, bob, bob]) {
      const photo = { imageId: await on.upload(author), clientKey: null };
      keys.push(`${author.id}.${(await on.albums.addPhoto(author, id, photo)).id}`);
    }
    const streams = [];
    for (const one of [ada, bob, fan, eve]) {
      const stream = await openStream(on.live, one);
      on.live.watch(one, stream.stream.id, keys.slice(0, 2));
      await until(() => stream.of("post").length === 2);
      streams.push(stream);
    }
    const [atAda, atBob, atFan, atEve] = streams as [Opened, Opened, Opened, Opened];
    const lost = (stream: Opened) => stream.of("gone").map(({ data }) => data);
    const shown = keys.slice(0, 2).toSorted();
    await elsewhere.albums.edit(ada, id, { audience: "followers", title: "Ours" });
    await until(() => lost(atEve).length === 2);
    await elsewhere.albums.edit(ada, id, { audience: "everyone" });
    await elsewhere.albums.edit(ada, id, { audience: "followers" });
    await until(() => lost(atEve).length === 4);
    expect(lost(atFan)).toEqual([]);
    await elsewhere.albums.edit(ada, id, { audience: "members" });
    await until(() => lost(atFan).length === 2);
    expect(lost(atFan).toSorted()).toEqual(shown);
    expect(lost(atEve).toSorted()).toEqual([...shown, ...shown].toSorted());
    for (const stream of [atAda, atBob]) expect(lost(stream)).toEqual([]);
    for (const stream of streams) stream.close();
  });

  test("brings nothing more of a private account to those who do not follow it, or no longer", async () => {
    const [ana, fan, former, eve] = (await on.members(4)) as [Viewer, Viewer, Viewer, Viewer];
    for (const one of [fan, former]) await on.follows.follow(one, ana.id);
    const post = await on.textPost(ana);
    const streams = [];
    for (const one of [fan, former, eve]) {
      const stream = await openStream(on.live, one);
      on.live.watch(one, stream.stream.id, [`${ana.id}.${post.postId}`]);
      await until(() => stream.of("post").length === 1);
      streams.push(stream);
    }
    const [atFan, atFormer, atEve] = streams as [Opened, Opened, Opened];
    await elsewhere.privacy.set(ana, true);
    await elsewhere.follows.removeFollower(ana, former.id);
    await elsewhere.likes.like(fan, post);
    await until(() => atFan.of("post").length === 2);
    await elsewhere.posts.edit(ana, ana.username, post.number, { version: 0, caption: "Later" });
    await until(() => atFan.of("post").length >= 3);
    await elsewhere.textPost(ana);
    await until(() => atFan.of("new-post").length === 1);
    for (const stream of [atFormer, atEve]) {
      expect(stream.of("post")).toHaveLength(1);
      expect(stream.of("new-post")).toEqual([]);
    }
    for (const stream of streams) stream.close();
  });

  test("brings the number of unread notifications: after new, retracted and read ones", async () => {
    const [ana, bo] = await friends();
    const post = await on.textPost(ana);
    const stream = await openStream(on.live, ana);
    const counts = () => stream.of("unread").map(({ data }) => (data as Unread).notifications);
    await elsewhere.likes.like(bo, post);
    await until(() => counts().length === 2);
    await elsewhere.likes.unlike(bo, post);
    await until(() => counts().length === 3);
    await elsewhere.comments.add(bo, post, `@${ana.username}`, null);
    await until(() => counts().length === 4);
    await elsewhere.comments.removeAll(ana, post);
    await until(() => counts().length === 5);
    await elsewhere.notifications.open(ana, "all", null);
    await until(() => counts().length === 6);
    expect(counts()).toEqual([1, 2, 1, 2, 1, 0]);
    stream.close();
  });

  test("does not let somebody else set what it watches", async () => {
    const [ana, bo] = await friends();
    const post = await on.textPost(ana);
    const stream = await openStream(on.live, bo);
    on.live.watch(ana, stream.stream.id, [`${post.authorId}.${post.postId}`]);
    await say(on, ana, bo, "after");
    await until(() => heard(stream).length === 1);
    expect(stream.stream.watched.size).toBe(0);
    for (const posts of [["x"], ["x.y"], Array.from({ length: 21 }, () => "a.b")]) {
      expect(() => on.live.watch(bo, stream.stream.id, posts)).toThrow();
    }
    stream.close();
  });

  test("brings nothing across a block", async () => {
    const [ana, bo] = await friends();
    const post = await on.textPost(ana);
    const stream = await openStream(on.live, bo);
    // heard before the block, whenever news of it arrives
    await say(on, ana, bo, "before");
    await until(() => heard(stream).length === 1);
    await on.textPost(ana);
    await until(() => stream.of("new-post").length > 0);
    on.live.watch(bo, stream.stream.id, [`${post.authorId}.${post.postId}`]);
    await until(() => stream.of("post").length === 1);
    const newPostsBefore = stream.of("new-post").length;
    await on.blocks.block(ana, bo.id);
    await on.textPost(ana);
    await on.likes.like(ana, post);
    // sent at the moment of the block
    await db.query(sql`
      insert into messages (conversation_id, seq, id, sender_id, body)
      select id, last_seq + 1, gen_random_uuid(), ${ana.id}, 'across' from conversations
      where ${ana.id} in (low_id, high_id)
    `);
    const [cay, dan] = await friends();
    const control = await openStream(on.live, dan);
    await say(on, cay, dan, "a word later");
    await until(() => heard(control).length === 1);
    expect(heard(stream)).toHaveLength(1);
    expect([...stream.of("post").slice(1), ...stream.of("new-post").slice(newPostsBefore)]).toEqual(
      [],
    );
    const back = await openStream(on.live, bo, "3");
    expect(heard(back)).toEqual([]);
    for (const each of [stream, control, back]) each.close();
  });
});

describe("a stream ends", () => {
  test.each([
    ["when its member signs out", (viewer: Viewer) => on.identity.sessions.endAll(viewer.id)],
    ["when the account is suspended", (viewer: Viewer) => on.suspend(viewer)],
    [
      "when the session expires",
      (viewer: Viewer) =>
        db.query(sql`update sessions set expires_at = now() where id = ${viewer.sessionId}`),
    ],
  ])("%s, everywhere, and brings nothing after that", async (_when, end) => {
    const [ana, bo] = await friends();
    const streams = [await openStream(on.live, bo), await openStream(elsewhere.live, bo)];
    await end(bo);
    await until(() => streams.every(({ state }) => state.ended));
    for (const stream of streams) expect(stream.events.at(-1)?.type).toBe("signed-out");
    const before = streams.map(({ events }) => events.length);
    await say(on, ana, bo, "gone?").catch(() => undefined);
    await db.query(sql`select pg_sleep(0.1)`);
    expect(streams.map(({ events }) => events.length)).toEqual(before);
  });

  test("one of two sessions alone, when that one was revoked", async () => {
    const bo = await on.member("Bo");
    const second = await on.identity.signIn.complete(bo.id, client(), "link");
    if (!second.viewer) throw new Error("no session");
    const [remaining, revoked] = [
      await openStream(on.live, second.viewer),
      await openStream(on.live, bo),
    ];
    await on.identity.sessions.endAll(bo.id, { except: second.viewer.sessionId });
    await until(() => revoked.state.ended);
    expect(remaining.state.ended).toBe(false);
    remaining.close();
  });

  test("for a browser that reads nothing, so that it does not fill the memory", async () => {
    const [ana, bo] = await friends();
    const stream = await openStream(on.live, bo);
    stream.state.backlog = 10 * 1024 * 1024;
    await say(on, ana, bo, "too much");
    await until(() => stream.state.ended);
    expect(heard(stream)).toEqual([]);
  });

  test("for the oldest of too many of one account", async () => {
    const bo = await on.member("Bo");
    const streams = [];
    for (let i = 0; i < 13; i += 1) streams.push(await openStream(on.live, bo));
    expect(streams.map(({ state }) => state.ended)).toEqual([
      true,
      ...Array.from({ length: 12 }, () => false),
    ]);
    for (const stream of streams) stream.close();
  });
});

describe("the cost of a message for streams", () => {
  test("is one read for all who are connected, however many", async () => {
    const pairs = [];
    for (let i = 0; i < 6; i += 1) pairs.push(await friends());
    const streams: Opened[] = [];
    for (const pair of pairs)
      for (const member of pair) streams.push(await openStream(on.live, member));
    sent.length = 0;
    await Promise.all(pairs.map(([ana, bo]) => say(elsewhere, ana, bo, "hello")));
    await until(() => streams.every((stream) => heard(stream).length === 1));
    await until(() => streams.filter((stream) => stream.of("unread").length === 2).length === 6);
    const looks = sent.filter((text) => /messages_|from messages m|unnest/.test(text));
    // six messages in at most six reads and six counts, whoever listens; usually two or three
    expect(looks.length).toBeLessThanOrEqual(12);
    expect(looks.length).toBeGreaterThan(0);
    for (const stream of streams) stream.close();
  });
});
