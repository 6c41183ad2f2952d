import { expect, test } from "vitest";
import type { MessageView } from "#shared/views.ts";
import {
  mostShown,
  withMessage,
  withNewer,
  withOlder,
  withRead,
} from "#app/features/chat/message-window.ts";

function message(seq: number, body = `message ${seq}`): MessageView {
  const fixed = { conversationId: "c", senderId: "a", picture: null, deleted: false };
  return { ...fixed, id: `${seq}`, seq, body, createdAt: seq, clientKey: null };
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => message(from + i));
const slice = (from: number, to: number, older = true, newer = false) => ({
  messages: range(from, to),
  older,
  newer,
});
const seqs = ({ messages }: { messages: MessageView[] }) => messages.map(({ seq }) => seq);

test("a message that arrives twice is listed once, in its newest version", () => {
  const once = withMessage(slice(1, 3), message(4, "first"));
  const twice = withMessage(once, { ...message(4, ""), deleted: true });
  expect(seqs(twice)).toEqual([1, 2, 3, 4]);
  expect(twice.messages.at(-1)?.deleted).toBe(true);
});

test("a message behind a gap is not shown before what it follows is read", () => {
  const gap = withMessage(slice(1, 3), message(6));
  expect(seqs(gap)).toEqual([1, 2, 3]);
  expect(gap.newer).toBe(true);
  const read = withNewer(gap, { messages: range(4, 6), more: false });
  expect(seqs(read)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(read.newer).toBe(false);
});

test("however far one scrolls, the page holds no more than a window of messages", () => {
  let window = slice(9961, 10_000);
  for (let below = 9961; below > 1; below -= 40) {
    const messages = range(below - 40, below - 1);
    window = withOlder(window, { messages, more: below > 41 });
    expect(window.messages.length).toBeLessThanOrEqual(mostShown);
  }
  expect(seqs(window)).toEqual(seqs({ messages: range(1, mostShown) }));
  expect(window).toMatchObject({ older: false, newer: true });
  for (let above = mostShown; above < 10_000; above += 40) {
    window = withNewer(window, { messages: range(above + 1, above + 40), more: above < 9960 });
    expect(window.messages.length).toBeLessThanOrEqual(mostShown);
  }
  expect(window.messages.at(-1)?.seq).toBe(10_000);
  expect(window).toMatchObject({ older: true, newer: false });
});

test("messages that are read again replace those there, and new ones are added at the end only", () => {
  const window = slice(5, 8);
  const again = [message(3), message(6, "changed"), ...range(7, 10)];
  const now = withRead(window, again);
  expect(seqs(now)).toEqual([5, 6, 7, 8, 9, 10]);
  expect(now.messages[1]?.body).toBe("changed");
});
