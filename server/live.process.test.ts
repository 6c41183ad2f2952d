import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { temporaryFolder } from "#server/test/processes.ts";
import { addressOf, sharedSettings, signUp, startServer } from "#server/test/running-server.ts";
import { until } from "#server/test/until.ts";
import { createEventReader } from "#shared/event-stream.ts";
import type { MessageView } from "#shared/views.ts";

/*
 * Three servers on one database, as behind a load balancer. Messages are sent through all of them. Streams
 * are open at all of them and are cut at random; each reconnects to any server, with the last position it
 * received.
 */
const pairs = 5;
const messagesEach = 1000;

type Account = { cookie: string; id: string; username: string };

/** What one browser has received over all of its streams. */
type Ear = {
  /** numbers of the messages in the order they first arrived, by conversation */
  heard: Map<string, number[]>;
  repeatedInOneStream: number;
  cuts: number;
};

test("10,000 messages through three servers reach both sides once and in order, and nobody else", async () => {
  const servers = await threeServers();
  const anyServer = () => servers[randomInt(servers.length)] ?? "";
  const couples: [Account, Account][] = [];
  for (let i = 0; i < pairs; i += 1) couples.push(await friends(servers[0] ?? "", i));

  const ended = new AbortController();
  const listening: Promise<void>[] = [];
  const listen = (account: Account, options: { forgetful: boolean }): Ear => {
    const ear: Ear = { heard: new Map(), repeatedInOneStream: 0, cuts: 0 };
    listening.push(keepListening(ear, { account, anyServer, ended: ended.signal, ...options }));
    return ear;
  };
  const ears = couples.map((couple) =>
    couple.map((account) => listen(account, { forgetful: false })),
  );
  // the control without the position: messages can be lost
  const forgetful = couples.map(([account]) => listen(account, { forgetful: true }));
  await sleep(500);

  await Promise.all(couples.flatMap(([one, two]) => [write(one, two), write(two, one)])).catch(
    (error: unknown) => {
      ended.abort();
      throw error;
    },
  );

  async function write(from: Account, to: Account): Promise<void> {
    for (let i = 0; i < messagesEach; i += 1) {
      // now and then the client sends a message again, to another server, as if the answer was lost
      const key = i % 50 === 0 ? `${from.id}-${i}` : undefined;
      for (let tries = key ? 2 : 1; tries > 0; tries -= 1) {
        await send(anyServer(), from, to, `${i}`, key);
      }
    }
  }

  const all = Array.from({ length: 2 * messagesEach }, (_, i) => i + 1);
  try {
    await until(() => ears.flat().every((ear) => heardBy(ear).length >= all.length));
  } finally {
    ended.abort();
    await Promise.all(listening);
  }

  const conversations = new Set<string>();
  for (const couple of ears) {
    for (const ear of couple) {
      expect([...ear.heard.keys()]).toHaveLength(1);
      expect(heardBy(ear)).toEqual(all);
      expect(ear.repeatedInOneStream).toBe(0);
      expect(ear.cuts).toBeGreaterThan(3);
      for (const conversation of ear.heard.keys()) conversations.add(conversation);
    }
  }
  expect(conversations.size).toBe(pairs);
  const lost = forgetful.map((ear) => all.length - heardBy(ear).length);
  expect(Math.max(...lost)).toBeGreaterThan(0);
}, 600_000);

function heardBy(ear: Ear): number[] {
  return [...ear.heard.values()].flat();
}

async function threeServers(): Promise<string[]> {
  const folder = temporaryFolder();
  const env = await sharedSettings(folder);
  const addresses: string[] = [];
  for (const name of ["a", "b", "c"]) {
    addresses.push(await addressOf(startServer(join(folder, name), env)));
  }
  return addresses;
}

async function friends(server: string, number: number): Promise<[Account, Account]> {
  const [one, two] = [await account(server, `a${number}`), await account(server, `b${number}`)];
  for (const [from, to] of [
    [one, two],
    [two, one],
  ] as const) {
    await call(server, from, "PUT", `/api/accounts/${to.username}/follow`);
  }
  return [one, two];
}

async function account(server: string, name: string): Promise<Account> {
  const cookie = await signUp(server, `${name}@example.org`);
  const answer = await fetch(`${server}/api/chats`, { headers: { cookie } });
  await answer.arrayBuffer();
  const me = await fetch(`${server}/api/posts`, {
    method: "POST",
    headers: { cookie, origin: server, "content-type": "application/json" },
    body: JSON.stringify({ caption: "hello", pictures: [] }),
  });
  const { author } = (await me.json()) as { author: { id: string; username: string } };
  return { cookie, id: author.id, username: author.username };
}

async function call(
  server: string,
  { cookie }: Account,
  method: string,
  path: string,
  { body, key }: { body?: object; key?: string | undefined } = {},
): Promise<void> {
  const answer = await fetch(server + path, {
    method,
    headers: {
      cookie,
      origin: server,
      ...(body && { "content-type": "application/json" }),
      ...(key && { "idempotency-key": key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
}

function send(server: string, from: Account, to: Account, words: string, key: string | undefined) {
  const path = `/api/chats/${from.username}.${to.username}/messages`;
  return call(server, from, "POST", path, { body: { body: words }, key });
}

/** Headers that keep proxies from buffering events. */
const notCollected = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

type Listening = {
  account: Account;
  anyServer: () => string;
  ended: AbortSignal;
  /** reconnects without a position */
  forgetful: boolean;
};

async function keepListening(ear: Ear, { account: who, anyServer, ended, forgetful }: Listening) {
  let position: string | null = null;
  while (!ended.aborted) {
    const cut = AbortSignal.any([ended, AbortSignal.timeout(randomInt(100, 2500))]);
    const inThisStream = new Set<number>();
    const read = createEventReader(({ type, data, id }) => {
      position = id ?? position;
      if (type !== "message") return;
      const { conversationId, seq } = data as MessageView;
      const list = ear.heard.get(conversationId) ?? [];
      ear.heard.set(conversationId, list);
      if (inThisStream.has(seq)) ear.repeatedInOneStream += 1;
      inThisStream.add(seq);
      if (!list.includes(seq)) list.push(seq);
    });
    const after = position && !forgetful ? `?after=${position}` : "";
    try {
      const answer = await fetch(`${anyServer()}/api/events${after}`, {
        headers: { cookie: who.cookie },
        signal: cut,
      });
      expect(Object.fromEntries(answer.headers)).toMatchObject(notCollected);
      expect(answer.headers.get("content-encoding")).toBeNull();
      const decoder = new TextDecoder();
      for await (const chunk of answer.body ?? []) read(decoder.decode(chunk, { stream: true }));
    } catch (error) {
      if (!cut.aborted) throw error;
    }
    ear.cuts += 1;
    if (!ended.aborted) await sleep(randomInt(0, 60));
  }
}
