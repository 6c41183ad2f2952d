import type { Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWorkers } from "#server/platform/processes/workers.ts";

/** Stands in for a process: messages to it are recorded, and the test decides what happens to it. */
function fakeWorker(number: number) {
  const received: unknown[] = [];
  let alive: NodeJS.Timeout;
  const worker = Object.assign(new EventEmitter(), {
    process: { pid: number, kill: (signal: string) => received.push(signal) },
    isConnected: () => true,
    send: (message: unknown) => received.push(message),
  });
  return {
    received,
    worker: worker as unknown as Worker,
    ready: () => {
      worker.emit("message", { ready: true });
      alive = setInterval(() => worker.emit("message", { alive: true }), 1000);
    },
    hang: () => clearInterval(alive),
    fail: (failed: string) => {
      worker.emit("message", { failed });
      worker.emit("exit", 1, null);
    },
    die: (signal: string | null = "SIGKILL") => worker.emit("exit", signal ? null : 0, signal),
  };
}

function setUp(count: number) {
  const forked: ReturnType<typeof fakeWorker>[] = [];
  const errors: { pause: number }[] = [];
  const workers = createWorkers({
    count,
    fork: () => {
      forked.push(fakeWorker(forked.length + 1));
      return forked.at(-1)?.worker as Worker;
    },
    stopMs: 5,
    log: {
      info: () => undefined,
      error: ((details: { pause: number }) => void errors.push(details)) as never,
    },
  });
  return { workers, forked, errors };
}

/** Lets pending promises settle. */
const settle = () => vi.advanceTimersByTimeAsync(0);

async function started(count: number) {
  const set = setUp(count);
  const start = set.workers.start();
  for (let place = 0; place < count; place += 1) {
    set.forked[place]?.ready();
    await settle();
  }
  await start;
  return set;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first one starts alone until it is ready; if it fails, its sentence ends the start", async () => {
  const { workers, forked } = setUp(3);
  const start = workers.start();
  expect(forked).toHaveLength(1);
  forked[0]?.fail("PORT is taken.");
  await expect(start).rejects.toThrow("PORT is taken.");
  expect(forked).toHaveLength(1);
});

test("one that keeps dying at once is restarted after longer and longer pauses, unless it ran well in between", async () => {
  const { forked, errors } = await started(2);
  for (const pause of [250, 500, 1000]) {
    const { length } = forked;
    forked.at(-1)?.die();
    await vi.advanceTimersByTimeAsync(pause - 1);
    expect(forked).toHaveLength(length);
    await vi.advanceTimersByTimeAsync(1);
    expect(forked).toHaveLength(length + 1);
    forked.at(-1)?.ready();
    await settle();
  }
  await vi.advanceTimersByTimeAsync(61_000);
  forked.at(-1)?.die();
  expect(errors.map(({ pause }) => pause)).toEqual([250, 500, 1000, 250]);
});

test("one that hangs is killed, and another takes its place; one that is still starting may be silent", async () => {
  const { forked, errors } = await started(2);
  forked[0]?.hang();
  await vi.advanceTimersByTimeAsync(21_000);
  expect(forked.map(({ received }) => received)).toEqual([["SIGKILL"], []]);
  forked[0]?.die();
  await vi.advanceTimersByTimeAsync(250);
  expect(forked).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(forked[2]?.received).toEqual([]);
  expect(errors).toMatchObject([{ worker: 1, seconds: 20, underWay: [] }, { pause: 250 }]);
});

test("one that cannot start is tried again", async () => {
  const { forked, errors } = await started(2);
  forked[1]?.die();
  await vi.advanceTimersByTimeAsync(250);
  forked[2]?.fail("no memory");
  await vi.advanceTimersByTimeAsync(500);
  expect(forked).toHaveLength(4);
  expect(errors.at(-1)).toMatchObject({ reason: "no memory" });
});

test("a rolling restart retires each once its successor is ready, runs only once at a time, and replaces one that dies meanwhile once", async () => {
  const { workers, forked } = await started(2);
  const roll = workers.roll();
  expect(workers.roll()).toBe(roll);
  await settle();
  expect(forked).toHaveLength(3);
  expect(forked[0]?.received).toEqual([]);
  forked[2]?.ready();
  await settle();
  expect(forked[0]?.received).toEqual([{ retire: true }]);
  expect(forked).toHaveLength(3);
  forked[0]?.die(null);
  await settle();
  expect(forked).toHaveLength(4);
  forked[1]?.die();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(forked).toHaveLength(4);
  forked[3]?.ready();
  await roll;
  expect(forked).toHaveLength(4);
});

test("a successor that cannot start ends the rolling restart with its sentence, and the others go on", async () => {
  const { workers, forked } = await started(2);
  const roll = workers.roll();
  await settle();
  forked[2]?.fail("secrets.json is missing.");
  await expect(roll).rejects.toThrow("secrets.json is missing.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(forked).toHaveLength(3);
  expect([forked[0]?.received, forked[1]?.received]).toEqual([[], []]);
});

test("a stop reaches all of them, kills those that do not end, and restarts none", async () => {
  const { workers, forked } = await started(2);
  const stopped = workers.stop();
  forked[0]?.die(null);
  await stopped;
  expect(forked[0]?.received).toEqual(["SIGTERM"]);
  expect(forked[1]?.received).toEqual(["SIGTERM", "SIGKILL"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(forked).toHaveLength(2);
});

test("a full disk is reported to all, and to those started later", async () => {
  const { workers, forked } = await started(2);
  workers.setFull(true);
  expect(forked[1]?.received).toEqual([{ full: true }]);
  forked[1]?.die();
  await vi.advanceTimersByTimeAsync(250);
  forked[2]?.ready();
  expect(forked[2]?.received).toEqual([{ full: true }]);
});
