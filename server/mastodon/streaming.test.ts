import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createDatabase } from "#server/platform/db/database.ts";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { mostAppStreams, mostSubscriptions } from "#server/features/talk/index.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { addCloseFriend, setPrivate } from "#server/test/audiences.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type MadePost, type TestFeatures } from "#server/test/factories.ts";
import { until } from "#server/test/until.ts";
import type { Viewer } from "#shared/views.ts";

let statements: string[] = [];
const fresh = await freshDatabase((text) => void statements.push(text));
const { db } = fresh;
const { app, features } = await testApp(db);
/** The same product in what could be another process. */
const other = createDatabase({ connection: fresh.connection, log: pino({ level: "silent" }) });
const elsewhere: TestFeatures = testFeatures(other);
let base = "";
let count = 0;

beforeAll(async () => {
  await app.listen({ port: 0, host: "127.0.0.1" });
  base = `127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  elsewhere.live.stop();
  await other.close();
});

type StreamEvent = { stream?: string[]; event: string; payload: string };
type Json = Record<string, unknown> & { id: string };

const member = (name: string) => features.member(`${name} ${(count += 1)}`);
const idOf = ({ postId }: MadePost) => decimalOf(postId);
const bodyOf = ({ payload }: StreamEvent) => JSON.parse(payload) as Json;

/** An app's connection, with the events it received. */
async function listen(
  token: string,
  query = "stream=user",
  { by = "query", path = "/api/v1/streaming" } = {},
) {
  const inQuery = by === "query" ? `&access_token=${token}` : "";
  const socket = new WebSocket(
    `ws://${base}${path}?${query}${inQuery}`,
    by === "protocol" ? [token] : [],
    by === "header" ? { headers: { authorization: `Bearer ${token}` } } : {},
  );
  const heard: StreamEvent[] = [];
  const errors: { error: string; status: number }[] = [];
  const state = { closed: 0 };
  socket.on("message", (data) => {
    const said = JSON.parse(String(data)) as StreamEvent & { error: string; status: number };
    if (said.error) errors.push(said);
    else heard.push(said);
  });
  socket.on("close", (code) => (state.closed = code));
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const ask = (question: unknown) => socket.send(JSON.stringify(question));
  return {
    socket,
    heard,
    errors,
    state,
    ask,
    of: (event: string) => heard.filter((one) => one.event === event),
    close: () => socket.terminate(),
  };
}

/** A member's app that listens; returned once it receives events. */
async function listening(viewer: Viewer, query = "stream=user", scope = "read") {
  const { token } = await connectedApp(features, viewer, scope);
  const stream = await listen(token, query);
  await settle();
  return { ...stream, token };
}

/** Subscriptions are made in this process, a moment after the socket opened. */
const settle = () => sleep(100);

/** The answer to a refused handshake. */
async function refused(path: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(`ws://${base}${path}`, { headers });
  return new Promise((resolve, reject) => {
    socket.once("unexpected-response", (_request, answer) => resolve(answer.statusCode ?? 0));
    socket.once("open", () => reject(new Error("it was let in")));
    socket.once("error", () => undefined);
  });
}

describe("a post", () => {
  test("is sent to its author and to their followers, once each, as in the home timeline", async () => {
    const [ada, bob, cleo] = [await member("Ada"), await member("Bob"), await member("Cleo")];
    await features.follows.follow(bob, ada.id);
    const [adas, bobs, cleos] = [await listening(ada), await listening(bob), await listening(cleo)];
    const post = await features.photoPost(ada, `Low tide with @${bob.username}`, ["Boats"]);
    await until(() => adas.of("update").length > 0 && bobs.of("update").length > 0);
    const { headers } = await connectedApp(features, bob);
    const home = await app.inject({ url: "/api/v1/timelines/home", headers });
    expect(bobs.of("update").map(bodyOf)).toEqual(home.json());
    expect(bobs.of("update")[0]?.stream).toEqual(["user"]);
    expect(bodyOf(bobs.of("update")[0] as StreamEvent).id).toBe(idOf(post));
    expect(adas.of("update")).toHaveLength(1);
    await until(() => bobs.of("notification").length === 1);
    expect(bodyOf(bobs.of("notification")[0] as StreamEvent)).toMatchObject({
      type: "mention",
      account: { id: decimalOf(ada.id) },
      status: { id: idOf(post) },
    });
    expect(cleos.heard).toEqual([]);
    for (const one of [adas, bobs, cleos]) one.close();
  });

  test("comes from another process as well, followed by its edit and its deletion", async () => {
    const [ada, bob] = [await member("Ada"), await member("Bob")];
    await features.follows.follow(bob, ada.id);
    const bobs = await listening(bob);
    const post = await elsewhere.textPost(ada, "First words");
    await until(() => bobs.of("update").length === 1);
    await features.likes.like(bob, post);
    const change = { version: 0, caption: "Second words" };
    await elsewhere.posts.edit(ada, ada.username, post.number, change);
    await until(() => bobs.of("status.update").length === 1);
    const edited = bodyOf(bobs.of("status.update")[0] as StreamEvent);
    expect(edited).toMatchObject({ content: "<p>Second words</p>", favourited: true });
    expect(edited["edited_at"]).toEqual(expect.any(String));
    await elsewhere.posts.remove(ada, ada.username, post.number);
    await until(() => bobs.of("delete").length === 1);
    expect(bobs.of("delete")[0]?.payload).toBe(idOf(post));
    expect(bobs.heard.map(({ event }) => event)).toEqual(["update", "status.update", "delete"]);
    bobs.close();
  });

  test("is not sent to those who blocked or muted its author, or muted its words", async () => {
    const ada = await member("Ada");
    const [bob, cleo, dan] = [await member("Bob"), await member("Cleo"), await member("Dan")];
    for (const one of [bob, cleo, dan]) await features.follows.follow(one, ada.id);
    const hear = [await listening(bob), await listening(cleo), await listening(dan)];
    await features.blocks.mute(bob, ada.id);
    await features.blocks.block(cleo, ada.id);
    await features.mutedWords.mute(dan, "spoiler");
    await features.textPost(ada, "A spoiler: they marry");
    await features.textPost(ada, "Words for Dan");
    await until(() => (hear[2]?.of("update").length ?? 0) > 0);
    expect(hear.map(({ heard }) => heard.length)).toEqual([0, 0, 1]);
    for (const one of hear) one.close();
  });

  test("mentions no account that is hidden from the recipient", async () => {
    const [ada, bob, cleo] = [await member("Ada"), await member("Bob"), await member("Cleo")];
    await features.follows.follow(bob, ada.id);
    await features.blocks.block(cleo, bob.id);
    const [adas, bobs] = [await listening(ada), await listening(bob)];
    await features.textPost(ada, `With @${cleo.username}`);
    await until(() => bobs.of("update").length === 1 && adas.of("update").length === 1);
    expect(bodyOf(adas.of("update")[0] as StreamEvent)["mentions"]).toHaveLength(1);
    expect(bodyOf(bobs.of("update")[0] as StreamEvent)).toMatchObject({
      mentions: [],
      content: `<p>With @${cleo.username}</p>`,
    });
    adas.close();
    bobs.close();
  });

  test("costs as many statements for many listeners as for one", async () => {
    const ada = await member("Ada");
    const crowd = await Promise.all(Array.from({ length: 12 }, () => member("Bob")));
    for (const one of crowd) await features.follows.follow(one, ada.id);
    const costOf = async (people: readonly Viewer[]) => {
      const streams = await Promise.all(people.map((one) => listening(one)));
      statements = [];
      await features.textPost(ada, "Words");
      await until(() => streams.every((one) => one.of("update").length === 1));
      for (const one of streams) one.close();
      return statements.length;
    };
    const few = await costOf(crowd.slice(0, 1));
    expect(await costOf(crowd)).toBeLessThanOrEqual(few + 3);
  });
});

/** A follower of Ada's, one who is among her close friends as well, and somebody else; each with an open app. */
async function audience(joined?: number) {
  const ada = await features.member("Ada", joined);
  const [fay, cleo, nobody] = [await member("Fay"), await member("Cleo"), await member("Nobody")];
  for (const one of [fay, cleo]) await features.follows.follow(one, ada.id);
  await addCloseFriend(db, ada, cleo);
  const streams: Awaited<ReturnType<typeof listening>>[] = [];
  for (const one of [ada, fay, cleo, nobody]) streams.push(await listening(one));
  for (const { ask } of streams) {
    ask({ type: "subscribe", stream: "hashtag", tag: "tide" });
    ask({ type: "subscribe", stream: "public" });
  }
  await settle();
  /** What each heard, until all of them heard of a last post for everyone, from where hints take longest. */
  const heard = async () => {
    const last = await elsewhere.textPost(ada, "The last #tide");
    await until(() => streams.every((one) => one.heard.some(isAbout(last))));
    const others = (one: StreamEvent) => one.event !== "notification" && !isAbout(last)(one);
    return streams.map(({ heard: all }) =>
      all.filter(others).map(({ event, stream }) => `${event} ${stream?.[0]}`),
    );
  };
  const close = () => streams.map((one) => one.close());
  return { ada, fay, streams, heard, close };
}

const isAbout =
  (post: MadePost) =>
  ({ payload }: StreamEvent) =>
    payload.includes(idOf(post));
const grownUp = () => Date.now() - 48 * 3_600_000;

describe("a post that is not for everyone", () => {
  test.each([
    ["followers", ["update user"], ["update user"]],
    ["close-friends", [], ["update user"]],
    ["only-me", [], []],
  ] as const)("but for %s is sent to nobody else", async (to, follower, friend) => {
    const { ada, heard, close } = await audience(grownUp());
    const pictures = [{ imageId: await features.upload(ada), alt: "" }];
    await features.publish(ada, { caption: "A #tide", pictures, audience: to });
    expect(await heard()).toEqual([["update user"], follower, friend, []]);
    close();
  });

  test("is deleted where it was shown, and its id is told to nobody else", async () => {
    const { ada, streams, heard, close } = await audience();
    const post = await elsewhere.publish(ada, { caption: "A #tide", audience: "close-friends" });
    await until(() => streams[2]?.of("update").length === 1);
    await elsewhere.posts.remove(ada, ada.username, post.number);
    const both = ["update user", "delete user"];
    expect(await heard()).toEqual([both, [], both, []]);
    close();
  });

  test("is deleted where it is lost when its audience narrows, and edited where it is not", async () => {
    const { ada, streams, heard, close } = await audience();
    const post = await elsewhere.textPost(ada, "A #tide");
    await until(() => streams.every((one) => one.heard.some(isAbout(post))));
    await elsewhere.posts.edit(ada, ada.username, post.number, {
      version: 0,
      audience: "close-friends",
    });
    await elsewhere.posts.edit(ada, ada.username, post.number, { version: 1, caption: "A secret" });
    const [own, follower, friend, nobody] = await heard();
    const kept = ["status.update user", "status.update user"];
    expect(own?.filter((one) => !one.startsWith("update"))).toEqual(kept);
    expect(friend?.filter((one) => !one.startsWith("update"))).toEqual(kept);
    expect(follower?.toSorted()).toEqual([
      "delete hashtag",
      "delete public",
      "delete user",
      "update hashtag",
      "update user",
    ]);
    expect(nobody?.toSorted()).toEqual(["delete hashtag", "delete public", "update hashtag"]);
    close();
  });

  test("of a private account is in no public list", async () => {
    const { ada, streams, heard, close } = await audience(grownUp());
    await setPrivate(db, ada);
    const post = await features.photoPost(ada, "A #tide");
    await until(() => streams[1]?.of("update").length === 1);
    await features.posts.remove(ada, ada.username, post.number);
    await until(
      () => streams[1]?.of("delete").some(({ stream }) => stream?.[0] === "user") ?? false,
    );
    await setPrivate(db, ada, false);
    const [own, follower, , nobody] = await heard();
    expect(own?.filter((one) => one.startsWith("update"))).toEqual(["update user"]);
    expect(follower?.filter((one) => one.startsWith("update"))).toEqual(["update user"]);
    expect(nobody).toEqual([]);
    close();
  });

  test("is sent to no stream of somebody who may not see it any more", async () => {
    const { ada, fay, streams, heard, close } = await audience();
    const post = await features.publish(ada, { caption: "For followers", audience: "followers" });
    await until(() => streams[1]?.of("update").length === 1);
    await features.follows.unfollow(fay, ada.id);
    await features.posts.edit(ada, ada.username, post.number, {
      version: 0,
      caption: "Other words",
    });
    await features.publish(ada, { caption: "More", audience: "followers" });
    await features.posts.remove(ada, ada.username, post.number);
    const [, follower] = await heard();
    expect(follower).toEqual(["update user"]);
    close();
  });
});

describe("what happens to a member", () => {
  test("arrives as their list of notifications has it", async () => {
    const [ada, bob] = [await member("Ada"), await member("Bob")];
    const post = await features.textPost(ada, "Words");
    const [whole, alone] = [
      await listening(ada),
      await listening(ada, "stream=user:notification", "read:notifications"),
    ];
    await features.follows.follow(bob, ada.id);
    await until(() => alone.heard.length === 1);
    await features.comments.add(bob, post, "Fine", null);
    await until(() => alone.heard.length === 2);
    await features.likes.like(bob, post);
    await until(() => alone.heard.length === 3);
    const { headers } = await connectedApp(features, ada);
    const list = await app.inject({ url: "/api/v1/notifications", headers });
    expect(alone.heard.map(bodyOf)).toEqual(list.json<Json[]>().toReversed());
    expect(alone.heard[0]?.stream).toEqual(["user:notification"]);
    await until(() => whole.of("notification").length === 3);
    whole.close();
    alone.close();
  });

  test("is not sent to an app that may not read it", async () => {
    const [ada, bob] = [await member("Ada"), await member("Bob")];
    const statuses = await listening(ada, "stream=user", "read:statuses");
    statuses.ask({ type: "subscribe", stream: "user:notification" });
    await until(() => statuses.errors.length === 1);
    expect(statuses.errors[0]?.status).toBe(403);
    await features.follows.follow(bob, ada.id);
    await features.textPost(ada, "Words");
    await until(() => statuses.of("update").length === 1);
    expect(statuses.of("notification")).toEqual([]);
    statuses.close();
  });
});

describe("a public timeline", () => {
  test("has new photos, and posts by their tag, if they are asked for", async () => {
    // A newly joined account is in no public list.
    const joined = Date.now() - 48 * 3_600_000;
    const [ada, bob] = [await features.member("Ada", joined), await member("Bob")];
    const bobs = await listening(bob, "");
    bobs.ask({ type: "subscribe", stream: "public:local" });
    bobs.ask({ type: "subscribe", stream: "hashtag", tag: "HARBOUR" });
    bobs.ask({ type: "subscribe", stream: "list", list: "1" });
    await settle();
    await features.textPost(ada, "Words alone are in no list of photos");
    await features.photoPost(ada, "At the #Harbour", ["Boats"]);
    await until(() => bobs.heard.length === 2);
    const streams = bobs.heard.map(({ stream }) => JSON.stringify(stream)).toSorted();
    expect(streams).toEqual(['["hashtag","HARBOUR"]', '["public:local"]']);
    bobs.ask({ type: "unsubscribe", stream: "public:local" });
    await settle();
    await features.photoPost(ada, "At the #harbour again", ["Boats"]);
    await until(() => bobs.heard.length === 3);
    await settle();
    expect(bobs.heard).toHaveLength(3);
    bobs.close();
  });

  test("is refused with an unknown name, and beyond the limit", async () => {
    const bobs = await listening(await member("Bob"), "stream=nothing");
    await until(() => bobs.errors.length === 1);
    bobs.ask({ type: "subscribe", stream: "hashtag" });
    bobs.ask({ type: "subscribe", stream: "hashtag", tag: "12 #" });
    await until(() => bobs.errors.length === 3);
    expect(bobs.errors[0]).toEqual({ error: "Unknown stream type", status: 400 });
    // An invalid request does not close the connection.
    bobs.socket.send("ping");
    bobs.ask([]);
    bobs.ask({ type: "subscribe", stream: 7 });
    for (let at = 0; at <= mostSubscriptions; at += 1) {
      bobs.ask({ type: "subscribe", stream: "hashtag", tag: `tag${at}` });
    }
    await until(() => bobs.errors.length === 4);
    expect(bobs.errors[3]?.status).toBe(429);
    expect(bobs.state.closed).toBe(0);
    bobs.close();
  });
});

describe("a connection", () => {
  test.each(["query", "header", "protocol"])("takes its token from the %s", async (by) => {
    const ada = await member("Ada");
    const { token } = await connectedApp(features, ada);
    const stream = await listen(token, "stream=user", { by, path: "/api/v1/streaming/" });
    await settle();
    await features.textPost(ada, "Words");
    await until(() => stream.of("update").length === 1);
    stream.close();
  });

  test("is refused without a token of a member", async () => {
    const ada = await member("Ada");
    const { clientId, clientSecret } = await connectedApp(features, ada);
    const own = await features.apps.ownToken({ clientId, clientSecret }, "read");
    expect(await refused("/api/v1/streaming?stream=user")).toBe(401);
    expect(await refused("/api/v1/streaming?access_token=nothing")).toBe(401);
    expect(await refused(`/api/v1/streaming?access_token=${own.token}`)).toBe(401);
    // No other address becomes a socket, and one that offers to is answered as it is.
    expect(await refused("/api/v1/instance")).toBe(200);
    expect(await refused("/health/live")).toBe(200);
    const plain = await fetch(`http://${base}/api/v1/streaming`, {
      headers: (await connectedApp(features, ada)).headers,
    });
    expect(plain.status).toBe(404);
  });

  test.each([
    ["is disconnected", async (ada: Viewer) => features.apps.endAll(ada.id)],
    ["is suspended with its member", async (ada: Viewer) => features.suspend(ada)],
  ])("ends within a second or two when its app %s", async (_what, end) => {
    const ada = await member("Ada");
    const [socket, events] = [await listening(ada), await openEvents(ada)];
    await end(ada);
    await until(() => socket.state.closed !== 0 && events.state.ended);
    expect(socket.state.closed).toBe(1001);
  });

  test("yields to newer ones of its account, and no other account's does", async () => {
    const [ada, bob] = [await member("Ada"), await member("Bob")];
    const bobs = await listening(bob);
    const first = await listening(ada);
    const more = [];
    for (let at = 0; at < mostAppStreams; at += 1) more.push(await listen(first.token));
    await until(() => first.state.closed !== 0);
    expect(more.filter(({ state }) => state.closed !== 0)).toEqual([]);
    expect(bobs.state.closed).toBe(0);
    for (const one of [bobs, ...more]) one.close();
  });

  test("ends when it floods, or sends too much at once", async () => {
    const ada = await member("Ada");
    const [flood, heavy] = [await listening(ada), await listening(ada)];
    for (let at = 0; at < 400; at += 1) flood.ask({ type: "subscribe", stream: "user" });
    heavy.socket.send("x".repeat(5000));
    await until(() => flood.state.closed !== 0 && heavy.state.closed !== 0);
    expect([flood.state.closed, heavy.state.closed]).toEqual([1008, 1009]);
  });

  test("that disappears silently leaves nothing behind", async () => {
    const before = features.live.count();
    const stream = await listening(await member("Ada"));
    expect(features.live.count()).toBe(before + 1);
    stream.socket.terminate();
    await until(() => features.live.count() === before);
  });

  test("offered as HTTP/2 is answered as it is, body and all", async () => {
    const lines = [
      "POST /api/v1/apps HTTP/1.1",
      `Host: ${base}`,
      "Connection: Upgrade, HTTP2-Settings, close",
      "Upgrade: h2c",
      "HTTP2-Settings: AAEAAEAAAAIAAAAB",
      "Content-Type: application/json",
    ];
    const body = JSON.stringify({ client_name: "Java", redirect_uris: "https://app.example/" });
    const answer = await raw([...lines, `Content-Length: ${body.length}`, "", body].join("\r\n"));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain("client_id");
  });
});

describe("Server-Sent Events", () => {
  test("send the same, with a heartbeat", async () => {
    const ada = await member("Ada");
    const events = await openEvents(ada);
    await until(() => events.text().startsWith(":)\n"));
    // An event without a name ends the stream of Mastodon.py.
    expect(events.text()).not.toContain("\n\n");
    const post = await features.photoPost(ada, "Low tide", ["Boats"]);
    await until(() => events.text().includes("event: update\n"));
    const data = /event: update\ndata: (.*)\n\n/.exec(events.text())?.[1] ?? "";
    expect(JSON.parse(data)).toMatchObject({ id: idOf(post) });
    await features.posts.remove(ada, ada.username, post.number);
    await until(() => events.text().includes(`event: delete\ndata: ${idOf(post)}\n\n`));
    expect(events.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(events.headers.get("cache-control")).toContain("no-store");
    expect(events.headers.get("access-control-allow-origin")).toBe("*");
    events.close();
  });

  test("take their token from the address, too, and say what it lacks", async () => {
    const ada = await member("Ada");
    const { token } = await connectedApp(features, ada, "read:notifications");
    expect(await status(`user/notification?access_token=${token}`)).toBe(200);
    expect(await status(`user?access_token=${token}`)).toBe(403);
    expect(await status("user?access_token=nothing")).toBe(401);
    expect(await status("user")).toBe(401);
    const { token: whole } = await connectedApp(features, ada);
    expect(await status(`hashtag?access_token=${whole}`)).toBe(422);
    expect(await status(`hashtag?tag=tide&access_token=${whole}`)).toBe(200);
    expect(await status(`nothing?access_token=${whole}`)).toBe(404);
    // It opens nothing but streams.
    const home = await app.inject({ url: `/api/v1/timelines/home?access_token=${whole}` });
    expect(home.statusCode).toBe(401);
  });

  test("say that they are available", async () => {
    const answer = await app.inject({ url: "/api/v1/streaming/health" });
    expect(answer.body).toBe("OK");
    const instance = await app.inject({ url: "/api/v2/instance" });
    expect(instance.json()).toMatchObject({
      configuration: { urls: { streaming: expect.stringMatching(/^ws:\/\//) } },
    });
  });
});

async function openEvents(viewer: Viewer, path = "user") {
  const { headers } = await connectedApp(features, viewer);
  const gone = new AbortController();
  const { signal } = gone;
  const answer = await fetch(`http://${base}/api/v1/streaming/${path}`, { headers, signal });
  let text = "";
  const state = { ended: false };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  })()
    .catch(() => undefined)
    .finally(() => (state.ended = true));
  return { headers: answer.headers, text: () => text, state, close: () => gone.abort() };
}

/** The answer of a stream, which is closed at once. */
async function status(path: string): Promise<number> {
  const gone = new AbortController();
  const { signal } = gone;
  const answer = await fetch(`http://${base}/api/v1/streaming/${path}`, { signal });
  gone.abort();
  return answer.status;
}

/** The answer to these bytes, until the connection ends. */
function raw(request: string): Promise<string> {
  const [host = "", port] = base.split(":");
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host, () => socket.write(request));
    let answer = "";
    socket.on("data", (data) => (answer += data.toString()));
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}
