import { setTimeout as sleep } from "node:timers/promises";
import { chatIdOf } from "#shared/chat.ts";
import type { Installation } from "../installation.ts";
import { sessionsFor, type Member, type Product } from "../product.ts";
import { befriend } from "./messages.ts";
import {
  startControl,
  startPostcard,
  startStreamClients,
  type MeasuredServer,
  type StreamClients,
} from "../servers/measured-server.ts";
import { inFull, median, type Figure } from "../table.ts";

const pairs = 50;
const streamsEach = 4;
const messagesOfARound = 500;
const messagesASecond = 100;
const rounds = 5;
const idleStreams = 5_000;
const idleEach = 10;

type Wanted = { url: string; cookie: string };

/**
 * What a message costs the process that holds its streams, for each event, compared with a bare server that
 * writes the same bytes into as many answers. Messages are written by another process; both servers run their
 * rounds in turns, each with its own clients.
 */
export async function deliveryCpu(
  installation: Installation,
  product: Product,
  accountIds: readonly string[],
): Promise<Figure> {
  const members = await sessionsFor(product, accountIds.slice(0, 2 * pairs));
  const couples = Array.from({ length: pairs }, (_, i) => members.slice(2 * i, 2 * i + 2));
  for (const [one, two] of couples) if (one && two) await befriend(product, one.viewer, two.viewer);
  const running = [
    await startPostcard(installation),
    await startControl("bare-stream", {}),
    await startStreamClients(),
    await startStreamClients(),
  ] as const;
  const [postcard, bare, ours, theirs] = running;
  try {
    const each = (url: (member: Member) => string): Wanted[] =>
      members.flatMap((member) =>
        Array.from({ length: streamsEach }, () => ({ url: url(member), cookie: member.cookie })),
      );
    await ours.open(each(() => `${postcard.url}/api/events`));
    await theirs.open(each(({ viewer }) => `${bare.url}/?group=${viewer.id}`));
    await sleep(1000);
    const body = "Shall we meet at the lake on Sunday, as we did last year?";

    const send = async (from: Member, to: Member) => {
      const words = { body, picture: null, clientKey: null };
      return product.features.chat.send(from.viewer, chatIdOf(from.viewer, to.viewer), words);
    };
    const control = async (from: Member, to: Member) => {
      const unread = `event: unread\ndata: {"notifications":1,"messages":1}\n\n`;
      const write = [from, to].map(({ viewer }) => ({ group: viewer.id, text: filler }));
      bare.send({ write: [...write, { group: to.viewer.id, text: unread }] });
    };
    // as long as a message's event is: measured, not guessed
    const probe = await round(ours, postcard, send, 20);
    const unreadBytes = 58;
    const length = Math.round(
      (probe.bytes - probe.events * (unreadBytes / 3)) / (probe.events / 1.5),
    );
    const filler = `event: message\ndata: "${"x".repeat(Math.max(1, length - 26))}"\n\n`;

    const costs: [number[], number[]] = [[], []];
    let bytes = [0, 0];
    for (let at = -1; at < rounds; at += 1) {
      const one = await round(ours, postcard, send, messagesOfARound);
      const two = await round(theirs, bare, control, messagesOfARound);
      if (at < 0) continue;
      costs[0].push(one.cpu / one.events);
      costs[1].push(two.cpu / two.events);
      bytes = [one.bytes / one.events, two.bytes / two.events];
    }
    const [measured, least] = [median(costs[0]), median(costs[1])];
    const ratio = measured / least;
    return {
      what: `Messages to ${members.length * streamsEach} streams, ${messagesASecond} a second, against bare streams: CPU of an event`,
      value:
        `${ratio.toFixed(2)} × (${measured.toFixed(1)} µs against ${least.toFixed(1)} µs, ` +
        `${Math.round(bytes[0] ?? 0)} bytes against ${Math.round(bytes[1] ?? 0)})`,
      goal: "≤ 1.5 ×",
      met: ratio <= 1.5,
    };
  } finally {
    for (const { stop } of running.toReversed()) await stop();
  }

  async function round(
    clients: StreamClients,
    server: MeasuredServer,
    send: (from: Member, to: Member) => Promise<unknown>,
    messages: number,
  ) {
    const [received, used] = [await clients.count(), await server.usage()];
    const begun = performance.now();
    const sending: Promise<unknown>[] = [];
    for (let message = 0; message < messages; message += 1) {
      const couple = couples[message % pairs] ?? [];
      const [from, to] = message % (2 * pairs) < pairs ? couple : couple.toReversed();
      if (from && to) sending.push(send(from, to));
      const wait = begun + (1000 * (message + 1)) / messagesASecond - performance.now();
      if (wait > 0) await sleep(wait);
    }
    await Promise.all(sending);
    await sleep(700);
    const [now, after] = [await clients.count(), await server.usage()];
    const events = now.events - received.events;
    if (events < 2 * messages * streamsEach)
      throw new Error("Messages did not reach their streams.");
    return { events, bytes: now.bytes - received.bytes, cpu: after.cpu - used.cpu };
  }
}

/** Resident memory of a waiting stream: 5,000 of them, compared with as many bare answers. */
export async function idleMemory(
  installation: Installation,
  product: Product,
  accountIds: readonly string[],
): Promise<Figure> {
  const members = await sessionsFor(product, accountIds.slice(0, idleStreams / idleEach));
  const streams = (url: string): Wanted[] =>
    members.flatMap(({ cookie }) => Array.from({ length: idleEach }, () => ({ url, cookie })));
  const measured = await perStream(() => startPostcard(installation), "/api/events");
  const least = await perStream(() => startControl("bare-stream", {}), "/?group=all");
  return {
    what: `Memory of an idle stream, at ${inFull(idleStreams)}`,
    value: `${(measured / 1000).toFixed(1)} kB (bare ${(least / 1000).toFixed(1)} kB, the socket included)`,
    goal: "",
    met: null,
  };

  async function perStream(start: () => Promise<MeasuredServer>, path: string): Promise<number> {
    const server = await start();
    const clients = await startStreamClients();
    try {
      // once before, so that code and buffers are warm
      await clients.open(streams(server.url + path).slice(0, 200));
      await clients.close();
      await sleep(1000);
      const before = await server.settledUsage();
      await clients.open(streams(server.url + path));
      await sleep(3000);
      const after = await server.settledUsage();
      return (after.memory - before.memory) / idleStreams;
    } finally {
      await clients.stop();
      await server.stop();
    }
  }
}
