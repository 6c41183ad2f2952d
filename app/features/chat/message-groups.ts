import type { MessageView } from "#shared/views.ts";
import { formatDate } from "#app/lib/text/times.ts";

/** Messages of one person within this time are grouped under one time, milliseconds. */
const together = 5 * 60_000;

/** How a message relates to its neighbours. */
export type MessagePosition = { startsDay: boolean; startsGroup: boolean; endsGroup: boolean };

type Groupable = Pick<MessageView, "senderId" | "createdAt">;

/**
 * The position of each message: which ones begin a day, and which belong together. `breakBefore` is the
 * index of a message that has a separator above it.
 */
export function messagePositions(
  messages: readonly Groupable[],
  timeZone: string,
  breakBefore = -1,
): MessagePosition[] {
  const days = messages.map(({ createdAt }) => formatDate(createdAt, timeZone));
  const starts = messages.map((message, at) => {
    const before = messages[at - 1];
    const startsDay = days[at] !== days[at - 1];
    const apart =
      !before ||
      before.senderId !== message.senderId ||
      message.createdAt - before.createdAt > together;
    return { startsDay, startsGroup: startsDay || apart || at === breakBefore };
  });
  return starts.map((start, at) => ({ ...start, endsGroup: starts[at + 1]?.startsGroup ?? true }));
}
