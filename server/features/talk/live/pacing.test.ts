import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPacing } from "#server/features/talk/live/pacing.ts";

const post = (author: string) => ({ key: `author:${author}`, text: author });
const from = (author: string, accounts: number) =>
  Array.from({ length: accounts }, (_, index) => ({ accountId: `${index}`, event: post(author) }));

let sent: { accountId: string; texts: string[] }[] = [];
const pacing = () =>
  createPacing((accountId, events) => {
    sent.push({ accountId, texts: events.map(({ text }) => text) });
  });

beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test("a post goes to its few followers at once", () => {
  pacing().add(from("ana", 50));
  expect(sent).toHaveLength(50);
});

test("a post with two thousand listeners goes to them in portions, to each once", () => {
  pacing().add(from("ana", 2000));
  expect(sent).toHaveLength(50);
  vi.advanceTimersByTime(500);
  expect(sent).toHaveLength(100);
  vi.runAllTimers();
  expect(new Set(sent.map(({ accountId }) => accountId)).size).toBe(2000);
  expect(sent).toHaveLength(2000);
});

test("however many there are, all have it after half a minute", () => {
  pacing().add(from("ana", 100_000));
  vi.advanceTimersByTime(30_000);
  expect(sent).toHaveLength(100_000);
});

test("what comes for somebody who waits is sent together with it", () => {
  const { add } = pacing();
  add(from("ana", 200));
  add(from("bo", 200));
  add(from("ana", 200));
  vi.runAllTimers();
  const last = sent.filter(({ accountId }) => accountId === "199");
  expect(last).toEqual([{ accountId: "199", texts: ["ana", "bo"] }]);
});

test("after a pause the next post is sent at once again", () => {
  const { add } = pacing();
  add(from("ana", 60));
  vi.runAllTimers();
  sent = [];
  add(from("bo", 3));
  expect(sent).toHaveLength(3);
});

test("nothing is sent once it was stopped", () => {
  const { add, stop } = pacing();
  add(from("ana", 60));
  stop();
  vi.runAllTimers();
  expect(sent).toHaveLength(50);
});
