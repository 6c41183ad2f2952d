import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchForSilence } from "#server/platform/db/unresponsive.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database that is silent after 1,800 ms, and whether a new connection to it is answered. */
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

test("silence is found out while something was asked, and ends when somebody answers", async () => {
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
  // nobody asked since: nobody looks
  watch.answered(false);
  await pass(10_000);
  expect(door.tried).toBe(12);
});

test("one answer to anybody, or a new connection that is answered, is none", async () => {
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

test("what is given up is no answer, and what fails late is not heard in the silence", async () => {
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

test("a process that stood still itself calls nobody silent", async () => {
  const { watch, events, pass } = watched();
  watch.asked();
  await pass(500);
  // as after half a minute of work: the clock moved, and nobody looked
  vi.setSystemTime(Date.now() + 30_000);
  await pass(300);
  watch.answered(true);
  expect(events).toEqual([]);
});

test("after its end nobody looks", async () => {
  const { watch, events, door, pass } = watched();
  watch.asked();
  watch.end();
  await pass(10_000);
  watch.asked();
  await pass(10_000);
  expect([events, door.tried]).toEqual([[], 0]);
});
