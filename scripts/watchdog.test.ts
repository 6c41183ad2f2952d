import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bounds, createWatchdog, type Hang } from "./lib/watchdog.mjs";

const silenceMs = bounds.silentLooks * bounds.lookMs;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Children of one watchdog, each of which is replaced by the test. */
function setUp() {
  const watch = createWatchdog();
  const hangs: Hang[] = [];
  const begin = () => {
    const child = new EventEmitter();
    const kill = vi.fn();
    watch(child, { kill, onHang: (hang) => hangs.push(hang) });
    const say = (message: object) => child.emit("message", message);
    return { kill, say, end: () => child.emit("exit") };
  };
  const hang = async () => {
    const child = begin();
    child.say({ ready: true });
    await vi.advanceTimersByTimeAsync(silenceMs);
    if (child.kill.mock.calls.length > 0) child.end();
    return child;
  };
  return { begin, hang, hangs };
}

test("a process that reports now and then is never killed, and a silent one is killed once", async () => {
  const { begin, hangs } = setUp();
  const { kill, say } = begin();
  say({ ready: true });
  for (let times = 0; times < 10; times += 1) {
    await vi.advanceTimersByTimeAsync(silenceMs - bounds.lookMs);
    say({ alive: true });
  }
  expect(kill).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3 * silenceMs);
  expect(kill).toHaveBeenCalledOnce();
  expect(hangs).toEqual([{ seconds: 20, underWay: [], left: false }]);
});

test("a process that is not ready yet, or has ended, is not watched", async () => {
  const { begin, hangs } = setUp();
  const starting = begin();
  const ended = begin();
  ended.say({ ready: true });
  ended.end();
  await vi.advanceTimersByTimeAsync(5 * silenceMs);
  expect(starting.kill).not.toHaveBeenCalled();
  expect(hangs).toEqual([]);
});

test("three are replaced within ten minutes, the fourth is left until the first is that long ago", async () => {
  const { hang, hangs } = setUp();
  for (let times = 0; times < 3; times += 1) await hang();
  const fourth = await hang();
  expect(hangs.map(({ left }) => left)).toEqual([false, false, false, true]);
  await vi.advanceTimersByTimeAsync(bounds.withinMs - 3 * silenceMs - 2 * bounds.lookMs);
  expect(fourth.kill).not.toHaveBeenCalled();
  expect(hangs).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(2 * bounds.lookMs);
  expect(fourth.kill).toHaveBeenCalledOnce();
});

test("a process that was left alone and reports again is well", async () => {
  const { hang, hangs } = setUp();
  for (let times = 0; times < 3; times += 1) await hang();
  const fourth = await hang();
  for (let times = 0; times < 60; times += 1) {
    fourth.say({ alive: true });
    await vi.advanceTimersByTimeAsync(silenceMs / 2);
  }
  expect(fourth.kill).not.toHaveBeenCalled();
  expect(hangs).toHaveLength(4);
});
