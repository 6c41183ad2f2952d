import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createAdmission, lookMs, type Rank } from "#server/http/admission.ts";

/** A server with its own clock that serves one request after another, each in `costMs`. */
function simulated(costMs: number) {
  let time = 0;
  const admission = createAdmission({ now: () => time });
  const counts = { admitted: 0, refused: 0, members: 0 };
  const waits: number[] = [];
  const work: { left: number; leave: () => void }[] = [];
  let worked = 0;

  function arrive(rank: Rank = "visitor"): void {
    void ask(rank);
  }

  async function ask(rank: Rank): Promise<void> {
    const came = time;
    const leave = await admission.enter(rank);
    if (!leave) {
      counts.refused += 1;
      return;
    }
    counts.admitted += 1;
    if (rank === "member") counts.members += 1;
    waits.push(time - came);
    work.push({ left: costMs, leave });
  }

  /** Lets `ms` pass while `perSecond` requests come. */
  async function pass(ms: number, perSecond: number, rank?: () => Rank): Promise<void> {
    let due = 0;
    for (const end = time + ms; time < end;) {
      time += 1;
      for (due += perSecond / 1000; due >= 1; due -= 1) arrive(rank?.());
      const [current] = work;
      if (current) {
        worked += 1;
        current.left -= 1;
        if (current.left <= 0) {
          work.shift();
          current.leave();
        }
      }
      if (time % lookMs === 0) {
        admission.look(worked / lookMs);
        worked = 0;
      }
      await turn();
    }
  }

  return { admission, arrive, pass, counts, waits };
}

describe("while the processor has time", () => {
  test("everybody is let in at once", async () => {
    const { pass, counts, admission } = simulated(5);
    await pass(2000, 100);
    expect([counts.refused, admission.isCrowd()]).toEqual([0, false]);
    expect(counts.admitted).toBeGreaterThan(195);
  });

  test("slow requests that only wait block nobody", async () => {
    const admission = createAdmission({ now: () => 0 });
    const entered = Promise.all(Array.from({ length: 100 }, () => admission.enter("visitor")));
    for (let looks = 0; looks < 6; looks += 1) admission.look(0.1);
    expect(await entered).not.toContain(null);
  });
});

describe("a burst", () => {
  test("waits, and nobody is refused", async () => {
    const { arrive, pass, counts, admission } = simulated(8);
    for (let i = 0; i < 400; i += 1) arrive();
    await pass(4000, 0);
    expect(counts).toMatchObject({ admitted: 400, refused: 0 });
    expect(admission.isIdle()).toBe(true);
  });

  test("a modest number in flight is never refused, however slow each is", async () => {
    const { arrive, pass, counts } = simulated(150);
    for (let i = 0; i < 60; i += 1) arrive();
    // Sixty clients, each of which sends again when it is answered.
    for (let seconds = 0; seconds < 20; seconds += 1) {
      const before = counts.admitted;
      await pass(500, 0);
      for (let i = before; i < counts.admitted; i += 1) arrive();
    }
    expect(counts.refused).toBe(0);
  });
});

describe("a crowd", () => {
  test.each([
    ["three times what can be served", 375],
    ["a queue that grows by seventy a second", 195],
  ])("of %s is recognised, and those let in hardly wait", async (_what, perSecond) => {
    const { pass, counts, waits, admission } = simulated(8);
    await pass(1500, perSecond);
    expect(admission.isCrowd()).toBe(true);
    waits.length = 0;
    counts.admitted = 0;
    await pass(3000, perSecond);
    expect(Math.max(...waits)).toBeLessThanOrEqual(12);
    // Of 125 a second that can be served.
    expect(counts.admitted).toBeGreaterThan(300);
    expect(counts.refused).toBeGreaterThan(150);
  });

  test("is over soon after it has left", async () => {
    const { pass, counts, admission } = simulated(8);
    await pass(3000, 400);
    await pass(4000, 40);
    expect(admission.isCrowd()).toBe(false);
    const { refused } = counts;
    await pass(2000, 40);
    expect(counts.refused).toBe(refused);
  });

  test("of visitors lets members pass", async () => {
    const { pass, counts } = simulated(8);
    await pass(2000, 400);
    counts.members = 0;
    let nth = 0;
    await pass(2000, 400, () => ((nth += 1) % 10 === 0 ? "member" : "visitor"));
    // Forty of them come each second.
    expect(counts.members).toBeGreaterThanOrEqual(76);
  });

  test("of thousands at once is refused beyond a bound, without nesting", async () => {
    const { arrive, pass, counts, admission } = simulated(8);
    for (let i = 0; i < 20_000; i += 1) arrive();
    await pass(1000, 0);
    expect(counts.refused).toBe(19_000 - 4);
    expect(counts.admitted).toBeGreaterThan(50);
    expect(admission.isIdle()).toBe(false);
  });
});
