import { Agent, request } from "node:http";
import { createHistogram, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** One request of many. */
export type Asked = { method?: string; path: string; body?: string };

export type Load = {
  url: string;
  headers?: Record<string, string>;
  /** the n-th request to the url's server; without it each GETs the url */
  ask?: (index: number) => Asked;
  /** requests a second, on time whatever the answers do */
  rate: number;
  /** how many to send in all; at most `mostRequests` */
  count: number;
  /** connections kept open; more requests than these wait for one, and the wait counts */
  connections?: number;
  /** milliseconds after which everything unanswered counts as failed */
  patience?: number;
};

/** Latencies in milliseconds, from the moment a request was due to the last byte of its answer. */
export type LoadResult = {
  answered: number;
  failed: number;
  /** asked to come again later (503); their latency is not counted */
  refused: number;
  /** answered requests a second, from the first due moment to the last answer */
  rate: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
  bytes: number;
};

const mostRequests = 200_000;
const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Sends requests at a constant rate and measures each from the moment it was due, not from the moment a
 * connection was free: a server that stalls is charged for every request that had to wait (without this the
 * load generator would wait along with it and hide the stall: "coordinated omission"). Only to this machine.
 * @throws for another machine, or more requests than are sensible
 */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const { rate, count, headers = {}, connections = 32, patience = 10_000, ask } = load;
  const url = new URL(load.url);
  if (!loopback.has(url.hostname)) throw new Error("Load is sent to this machine only.");
  if (!(count >= 1 && count <= mostRequests && rate > 0)) {
    throw new Error(`Load takes a rate above 0 and 1 to ${mostRequests} requests.`);
  }

  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  // In microseconds, up to two minutes.
  const latencies = createHistogram({ lowest: 1, highest: 120_000_000, figures: 3 });
  const result = { answered: 0, failed: 0, refused: 0, bytes: 0 };
  const waiting = new Set<() => void>();

  const send = (due: number, index: number): Promise<void> =>
    new Promise((resolve) => {
      const { method, path, body } = ask?.(index) ?? { path: url };
      const done = (bytes: number | null) => {
        if (!waiting.delete(giveUp)) return;
        latencies.record(Math.max(1, Math.round((performance.now() - due) * 1000)));
        if (bytes === null) result.failed += 1;
        else {
          result.answered += 1;
          result.bytes += bytes;
        }
        resolve();
      };
      const refuse = () => {
        if (waiting.delete(giveUp)) result.refused += 1;
        resolve();
      };
      const outgoing = request(new URL(path, url), { agent, method, headers }, (answer) => {
        if (answer.statusCode === 503) {
          answer.resume();
          return refuse();
        }
        let bytes = 0;
        answer.on("data", (piece: Buffer) => (bytes += piece.length));
        answer.on("end", () => done([200, 201].includes(answer.statusCode ?? 0) ? bytes : null));
        answer.on("error", () => done(null));
      });
      const giveUp = () => {
        done(null);
        outgoing.destroy();
      };
      waiting.add(giveUp);
      outgoing.on("error", () => done(null));
      outgoing.end(body);
    });

  const started = performance.now();
  const dueAt = (index: number) => started + (index * 1000) / rate;
  const answers: Promise<void>[] = [];
  while (answers.length < count) {
    while (answers.length < count && dueAt(answers.length) <= performance.now()) {
      answers.push(send(dueAt(answers.length), answers.length));
    }
    await sleep(1);
  }
  const abandon = setTimeout(() => {
    for (const giveUp of waiting) giveUp();
  }, patience);
  await Promise.all(answers);
  clearTimeout(abandon);
  agent.destroy();

  return {
    ...result,
    rate: Math.round((result.answered * 1000) / (performance.now() - started)),
    p50: toMs(latencies.percentile(50)),
    p90: toMs(latencies.percentile(90)),
    p99: toMs(latencies.percentile(99)),
    max: toMs(latencies.max),
  };
}

function toMs(microseconds: number): number {
  return Math.round(microseconds / 10) / 100;
}
