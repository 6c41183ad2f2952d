import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchForSilence } from "#server/platform/db/unresponsive.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * Watches a database that counts as silent after 1,800 ms, and controls whether a new connection is
 * answered.
 */
function watched() {
  const events: string[] = [];
  const door = { opens: false, tried: 0 };
  const watch = watchForSilence({
    silence: 1800,
    reach: async () => {
      door.tried += 1;
      return door.opens;
    },
    onSilent: () => void events.push("silent"),
    onBack: () => void events.push("back"),
  });
  return { watch, events, door, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test("silence is detected while a question is open, and ends when the database answers", async () => {
  const { watch, events, door, pass } = watched();
  await pass(10_000);
  watch.asked();
  await pass(1700);
  expect([events, door.tried]).toEqual([[], 1]);
  await pass(200);
  expect([events, watch.isSilent()]).toEqual([["silent"], true]);
  await pass(10_000);
  expect(door.tried).toBe(11);
  door.opens = true;
  await pass(1000);
  expect([events, watch.isSilent()]).toEqual([["silent", "back"], false]);
  // nothing was asked since: nothing is checked
  watch.answered(false);
  await pass(10_000);
  expect(door.tried).toBe(12);
});

test("it is not silence if any question, or a new connection, is answered", async () => {
  const { watch, events, door, pass } = watched();
  watch.asked();
  for (let time = 0; time < 10; time += 1) {
    watch.asked();
    await pass(800);
    watch.answered(true);
  }
  expect([events, door.tried]).toEqual([[], 0]);
  door.opens = true;
  await pass(60_000);
  expect(events).toEqual([]);
  expect(door.tried).toBeGreaterThan(50);
});

test("giving up is no answer, and a late failure does not end the silence", async () => {
  const { watch, events, pass } = watched();
  for (let time = 0; time < 4; time += 1) {
    watch.asked();
    watch.asked();
    await pass(500);
    watch.answered(false);
  }
  expect(events).toEqual(["silent"]);
  watch.answered(true);
  expect(watch.isSilent()).toBe(true);
});

test("a process that was itself blocked calls nothing silent", async () => {
  const { watch, events, pass } = watched();
  watch.asked();
  await pass(500);
  // as after half a minute of work: the clock moved, and nothing was checked
  vi.setSystemTime(Date.now() + 30_000);
  await pass(300);
  watch.answered(true);
  expect(events).toEqual([]);
});

test("after its end nothing is checked", async () => {
  const { watch, events, door, pass } = watched();
  watch.asked();
  watch.end();
  await pass(10_000);
  watch.asked();
  await pass(10_000);
  expect([events, door.tried]).toEqual([[], 0]);
});
