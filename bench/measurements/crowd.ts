import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { sendLoad, type LoadResult } from "../load.ts";
import { asBrowser, type Member } from "../product.ts";
import type { MeasuredServer } from "../servers/measured-server.ts";
import type { Figure } from "../table.ts";

const seconds = 20;
const goals = { slower: 2, livenessMs: 200 };

/**
 * Three times as many home pages as the server can make, for twenty seconds: those it lets in should be as
 * fast as at half its load, measured before and after, and it should report that it is alive.
 */
export async function crowd({ cookie }: Member, { url }: MeasuredServer): Promise<Figure> {
  const headers = { ...asBrowser(cookie), "accept-encoding": "identity" };
  const load = (rate: number, forSeconds: number, connections: number): Promise<LoadResult> =>
    sendLoad({
      url: `${url}/`,
      headers,
      rate,
      count: Math.max(1, Math.round(rate * forSeconds)),
      connections,
      patience: 60_000,
    });
  // As many as eight clients get that always ask for the next one: warm, then counted.
  await sendLoad({ url: `${url}/`, headers, rate: 1000, count: 300, connections: 8 });
  const { rate: capacity } = await load(1000, 0.6, 8);

  const before = await load(capacity / 2, 10, 64);
  const liveness = watchLiveness(url);
  const crowded = await load(capacity * 3, seconds, 4000);
  const slowest = await liveness.stop();
  // It has ten seconds to recover.
  await load(capacity / 2, 10, 64);
  const after = await load(capacity / 2, 10, 64);

  const half = (before.p99 + after.p99) / 2;
  const ratio = crowded.p99 / half;
  return {
    what: `Three times what it can do, ${seconds} s: home pages that were let in, p99`,
    value:
      `${ratio.toFixed(1)} × (${crowded.p99} ms against ${half.toFixed(1)} ms at half load; ` +
      `${crowded.answered} answered of ${crowded.answered + crowded.refused}, ` +
      `${crowded.failed} failed; liveness ${Math.round(slowest)} ms at most; ` +
      `${after.refused} refused at half load after it)`,
    goal: `≤ ${goals.slower} ×, liveness under ${goals.livenessMs} ms`,
    met: ratio <= goals.slower && slowest < goals.livenessMs && after.refused === 0,
  };
}

/** Asks four times a second whether the server is alive; returns the longest answer time, milliseconds. */
function watchLiveness(url: string): { stop: () => Promise<number> } {
  let slowest = 0;
  const ended = new AbortController();
  const watch = (async () => {
    while (!ended.signal.aborted) {
      const asked = performance.now();
      await (await fetch(`${url}/health/live`)).text();
      slowest = Math.max(slowest, performance.now() - asked);
      await sleep(250);
    }
  })();
  return {
    stop: async () => {
      ended.abort();
      await watch;
      return slowest;
    },
  };
}
