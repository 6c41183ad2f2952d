import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { awaitAttempt } from "#app/features/identity/await-attempt.ts";
import {
  attemptSeconds,
  popupNumbers,
  providerSeconds,
  type AttemptState,
} from "#shared/providers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A popup and a server of the test's own. */
function watch() {
  const asked: number[] = [];
  const began = Date.now();
  const world = {
    closed: false,
    state: { state: "waiting" } as AttemptState | Error,
    report: () => undefined as void,
    closedAt: [] as number[],
    ended: null as unknown,
    asked,
    controller: new AbortController(),
  };
  const following = awaitAttempt({
    ask: async () => {
      asked.push(Date.now() - began);
      if (world.state instanceof Error) throw world.state;
      return world.state;
    },
    looksClosed: () => world.closed,
    onReport: (listener) => {
      world.report = listener;
      return () => undefined;
    },
    onClosed: ({ code }) => {
      expect(code).toBe("popup-closed-by-user");
      world.closedAt.push(Date.now() - began);
    },
    signal: world.controller.signal,
  });
  const remember = (ended: unknown) => {
    world.ended = ended;
    return ended;
  };
  following.then(remember, remember);
  return world;
}

const done: AttemptState = { state: "done", outcome: "signed-in", to: "/saved" };

test("the popup's numbers are the specification's", () => {
  expect(popupNumbers).toEqual({
    width: 500,
    height: 600,
    closedAfterMs: 8000,
    pollFromMs: 2000,
    pollToMs: 10_000,
    firstPageMs: 15_000,
  });
  expect(attemptSeconds).toBe(10 * 60);
  expect(providerSeconds).toBe(30);
});

describe("a sign-in in a popup", () => {
  test("is polled every 2 to 10 seconds, and given up after ten minutes", async () => {
    const world = watch();
    await vi.advanceTimersByTimeAsync(attemptSeconds * 1000 + 20_000);
    const pauses = world.asked.map((at, index) => at - (world.asked[index - 1] ?? 0));
    expect(Math.min(...pauses)).toBe(2000);
    expect(Math.max(...pauses)).toBe(10_000);
    expect(world.ended).toMatchObject({ code: "sign-in-expired" });
    expect(world.closedAt).toEqual([]);
  });

  test("ends at once when the popup reports that it is back", async () => {
    const world = watch();
    await vi.advanceTimersByTimeAsync(500);
    world.state = done;
    world.report();
    await vi.advanceTimersByTimeAsync(0);
    expect(world.ended).toEqual(done);
  });

  test("ends without a report, too", async () => {
    const world = watch();
    world.state = done;
    await vi.advanceTimersByTimeAsync(2000);
    expect(world.ended).toEqual(done);
  });

  test("survives a connection that fails", async () => {
    const world = watch();
    world.state = new Error("away");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(world.ended).toBeNull();
    world.state = done;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(world.ended).toEqual(done);
  });

  test("fails with the server's code", async () => {
    const world = watch();
    world.state = { state: "failed", code: "account-exists" };
    await vi.advanceTimersByTimeAsync(2000);
    expect(world.ended).toMatchObject({ name: "SignInProblem", code: "account-exists" });
  });

  test("counts as closed when the popup looked closed for 8 seconds, not before", async () => {
    const world = watch();
    world.closed = true;
    await vi.advanceTimersByTimeAsync(2000 + 7999);
    expect(world.closedAt).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(world.closedAt).toEqual([10_000]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(world.closedAt).toHaveLength(1);
  });

  test("does not count as closed when it looked so for a moment", async () => {
    const world = watch();
    world.closed = true;
    await vi.advanceTimersByTimeAsync(2000);
    world.closed = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(world.closedAt).toEqual([]);
  });

  test("that was taken for closed still counts when it comes back", async () => {
    const world = watch();
    world.closed = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(world.closedAt).toHaveLength(1);
    const before = world.asked.length;
    world.state = done;
    world.report();
    await vi.advanceTimersByTimeAsync(0);
    expect(world.ended).toEqual(done);
    expect(world.asked).toHaveLength(before + 1);
  });

  test("is cancelled by another one; one that was closed ends in silence", async () => {
    const world = watch();
    world.controller.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(world.ended).toMatchObject({ code: "cancelled-popup-request" });
    const closed = watch();
    closed.closed = true;
    await vi.advanceTimersByTimeAsync(60_000);
    closed.controller.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(closed.ended).toMatchObject({ code: "popup-closed-by-user" });
  });

  test("ends in silence when it was closed by mistake and another is opened at once", async () => {
    const closed = watch();
    await vi.advanceTimersByTimeAsync(1000);
    closed.closed = true;
    closed.controller.abort();
    // The new popup has the focus by now, so that nothing looks closed from here.
    closed.closed = false;
    await vi.advanceTimersByTimeAsync(0);
    expect(closed.ended).toMatchObject({ code: "popup-closed-by-user" });
  });
});
