import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import type { StreamedEvent } from "#shared/event-stream.ts";
import { joinTabs, type Tabs } from "#app/lib/live/live-tabs.ts";
import type { openStream } from "#app/lib/live/live-stream.ts";

/*
 * Tabs of one browser with the runtime's own locks and channels; the stream is a stand-in whose events each
 * test sends.
 */
type Opened = Parameters<typeof openStream>[0] & { closed: boolean };

let left: Tabs[] = [];
afterEach(() => {
  for (const tabs of left) tabs.leave();
  left = [];
});

function browser(accountId: string = randomUUID()) {
  const streams: Opened[] = [];
  const shown: [string, string[]][] = [];
  function tab({ asleep = false, locks = navigator.locks as LockManager | null } = {}) {
    const received: StreamedEvent[] = [];
    const gaps: number[] = [];
    const tabs = joinTabs({
      accountId,
      onEvent: (event) => void received.push(event),
      onGap: () => void gaps.push(received.length),
      onShown: (stream, posts) => void shown.push([stream, posts]),
      isVisible: () => !asleep,
      locks,
      open(options) {
        const stream = { ...options, closed: false };
        streams.push(stream);
        return { wake: () => undefined, close: () => void (stream.closed = true) };
      },
    });
    left.push(tabs);
    return { ...tabs, received, gaps, types: () => received.map(({ type }) => type) };
  }
  const say = (type: string, data: unknown, id?: string) =>
    streams.at(-1)?.onEvent({ type, data, ...(id === undefined ? {} : { id }) });
  return { tab, streams, shown, say };
}

const until = (check: () => boolean) => expect.poll(check, { timeout: 10_000 }).toBe(true);

test("one tab of several has the stream, and all receive the same events", async () => {
  const { tab, streams, say } = browser();
  const [one, two, three] = [tab(), tab(), tab()];
  await until(() => streams.length === 1 && two.gaps.length + three.gaps.length === 2);
  say("hello", { stream: "s1", complete: false });
  say("message", { seq: 1 }, "7");
  for (const each of [one, two, three]) {
    await until(() => each.types().join() === "hello,message");
  }
  expect(streams).toHaveLength(1);
});

test("a tab opened later gets the unread counts, and learns that it may have missed something", async () => {
  const { tab, streams, say } = browser();
  const one = tab();
  await until(() => streams.length === 1);
  say("unread", { notifications: 2, messages: 1 });
  const two = tab();
  await until(() => two.received.length === 1);
  expect(two.received).toEqual([{ type: "unread", data: { notifications: 2, messages: 1 } }]);
  expect(two.gaps).toEqual([1]);
  expect(one.gaps).toEqual([]);
});

test("when the tab with the stream closes, another continues from the last position", async () => {
  const { tab, streams, shown, say } = browser();
  const one = tab();
  await until(() => streams.length === 1);
  const two = tab();
  two.show(["a.b"]);
  one.show(["c.d"]);
  say("hello", { stream: "s1", complete: false });
  await until(() => shown.some(([, posts]) => posts.toSorted().join() === "a.b,c.d"));
  say("message", { seq: 1 }, "41");
  await until(() => two.types().includes("message"));
  one.leave();
  await until(() => streams.length === 2);
  expect(streams.map(({ after, closed }) => ({ after, closed }))).toEqual([
    { after: null, closed: true },
    { after: "41", closed: false },
  ]);
  say("hello", { stream: "s2", complete: true });
  expect(shown.at(-1)).toEqual(["s2", ["a.b"]]);
});

test("a visible tab replaces one that sleeps", async () => {
  const accountId = randomUUID();
  // It holds the lock and answers nothing, as a page that a phone put to sleep.
  const asleep = Promise.withResolvers<void>();
  const lost = navigator.locks
    .request(`postcard-live-${accountId}`, () => asleep.promise)
    .catch((error: Error) => error.name);
  const { tab, streams, say } = browser(accountId);
  const unseen = tab({ asleep: true });
  const seen = tab();
  await until(() => streams.length === 1);
  expect(await lost).toBe("AbortError");
  say("message", { seq: 1 }, "5");
  for (const each of [unseen, seen]) await until(() => each.types().join() === "message");
  asleep.resolve();
});

test("no tab continues after the end of the session, and another account receives nothing", async () => {
  const ana = browser();
  const bob = browser();
  const tabs = [ana.tab(), ana.tab()];
  const other = bob.tab();
  await until(() => ana.streams.length === 1 && bob.streams.length === 1);
  ana.say("signed-out", {});
  for (const tab of tabs) await until(() => tab.types().join() === "signed-out");
  ana.say("message", { seq: 1 }, "9");
  await until(() => ana.streams.every(({ closed }) => closed));
  expect(other.received).toEqual([]);
});

test("without locks each tab has its own stream while it is visible", async () => {
  const { tab, streams } = browser();
  const one = tab({ locks: null });
  const hidden = tab({ locks: null, asleep: true });
  expect(streams).toHaveLength(1);
  one.rest();
  expect(streams[0]?.closed).toBe(true);
  hidden.wake();
  expect(streams).toHaveLength(2);
});
