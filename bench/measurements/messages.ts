import { setTimeout as sleep } from "node:timers/promises";
import { chatIdOf } from "#shared/chat.ts";
import type { Viewer } from "#shared/views.ts";
import type { Member, Product } from "../product.ts";
import type { Figure } from "../table.ts";

export type MessageCost = {
  /** rows written to messages for one message */
  inserts: number;
  /** statements for one message, all reading for the streams included */
  few: number;
  many: number;
  streams: { few: number; many: number };
};

const counted = 30;
/** Runs by the clock, whatever is written. */
const byTheClock = /select s\.id from sessions s/;

/**
 * The statements of a message while few and while many streams are open, of the two members and of others:
 * sending it, and reading it for those who are connected.
 */
export async function messageCost(product: Product, members: readonly Member[]) {
  const { features } = product;
  const [one, two, ...others] = members.map(({ viewer }) => viewer) as [Viewer, Viewer];
  await befriend(product, one, two);
  const few = await perMessage([one, two]);
  // Five of each of the two members, and all others.
  const many = await perMessage([
    one,
    two,
    ...others,
    ...Array(4).fill(one),
    ...Array(4).fill(two),
  ]);
  return {
    inserts: many.inserts,
    few: few.statements,
    many: many.statements,
    streams: { few: few.streams, many: many.streams },
  } satisfies MessageCost;

  async function perMessage(connected: readonly Viewer[]) {
    let received = 0;
    const reachedAll = (wanted: number) => received >= wanted;
    const outlet = {
      write: (text: string) => void (received += text.split("event: message\n").length - 1),
      backlog: () => 0,
      end: () => undefined,
    };
    const streams = [];
    for (const viewer of connected) streams.push(await features.live.open(viewer, outlet, null));
    const reached = connected.filter(({ id }) => id === one.id || id === two.id).length;
    // the first of an unread conversation also notifies by the bell
    await say();
    const { statements } = await product.recording(async () => {
      for (let message = 0; message < counted; message += 1) await say();
      // unread counts are sent after the message
      await sleep(300);
    });
    for (const stream of streams) features.live.close(stream);
    const sent = statements.filter(({ text }) => !byTheClock.test(text));
    return {
      streams: streams.length,
      inserts: sent.filter(({ text }) => /insert into messages\b/.test(text)).length / counted,
      statements: sent.length / counted,
    };

    async function say(): Promise<void> {
      const wanted = received + reached;
      const words = { body: "a few words", picture: null, clientKey: null };
      await features.chat.send(one, chatIdOf(one, two), words);
      while (!reachedAll(wanted)) await sleep(2);
    }
  }
}

export async function befriend({ features }: Product, one: Viewer, two: Viewer): Promise<void> {
  await features.follows.follow(one, two.id);
  await features.follows.follow(two, one.id);
}

export function messageCostFigure({ inserts, few, many, streams }: MessageCost): Figure {
  const each = (many - few) / (streams.many - streams.few);
  return {
    what: `A message: inserts, and statements while ${streams.few} and ${streams.many} streams are open`,
    value: `${inserts}; ${few.toFixed(1)} and ${many.toFixed(1)}, reading for the streams included`,
    goal: "1; none for a stream",
    // now and then the check of each second falls between two messages
    met: inserts === 1 && each < 0.02,
  };
}
