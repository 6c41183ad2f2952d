import type { Logger } from "pino";

/*
 * An outage is one line of the log when it begins, with the first error's stack, and one when it is over,
 * with how many requests met it: a log that fills the disk helps nobody. Each process tells its own.
 */

type Outage = {
  /** epoch ms */
  since: number;
  met: number;
  /** of the requests that met it */
  status: number;
  requests: number;
  /** since when whoever was away answers again; null: it does not */
  over: number | null;
};

type Log = Pick<Logger, "error" | "warn">;
type Watcher = { log: Log; isOver: (code: string) => Promise<boolean> };

/** What the log says when it begins and when it ends, by the refusal that people read. */
const words: Record<string, readonly [begins: string, ends: string]> = {
  "not-ready": ["the database is away", "the database is back"],
  busy: ["requests wait too long", "requests are answered in time again"],
  "read-only": ["the database takes no writes", "the database takes writes again"],
  "disk-full": ["the disk is full: nothing is kept", "the disk has room again"],
  "disk-read-only": ["the disk cannot be written", "the disk can be written again"],
  "picture-host-away": ["the store of pictures is away", "the store of pictures is back"],
};

const lookMs = 1000;
/** It is over once nobody met it for so long: what is away comes back for a moment, too, milliseconds. */
const quietMs = 5000;
/** Where nobody looks whether it is over, it is told again after so long. */
const forgottenMs = 60_000;

const outages = new Map<string, Outage>();
let watcher: Watcher | null = null;

export const isOutageKind = (code: string): boolean => Object.hasOwn(words, code);

type Met = {
  log: Pick<Logger, "error">;
  code: string;
  status: number;
  error: unknown;
  /** a request is answered with it; else it is only what such a request met */
  isRequest?: boolean;
  /** what was refused on purpose begins none */
  begins?: boolean;
  now?: number;
};

/** Somebody met an outage: the first is logged, with its stack; later ones are counted. */
export function recordOutage(met: Met): void {
  const { log, code, status, error, isRequest = true, begins = true, now = Date.now() } = met;
  const known = outages.get(code);
  if (known && (watcher || now - known.met < forgottenMs)) {
    known.met = now;
    known.over = null;
    if (isRequest) {
      known.requests += 1;
      known.status = status;
    }
    return;
  }
  if (!begins) return;
  outages.set(code, { since: now, met: now, status, requests: isRequest ? 1 : 0, over: null });
  const [text = code] = words[code] ?? [];
  (watcher?.log ?? log).error({ err: error }, text);
}

/** Looks whether outages are over, by asking who was away, and tells how long they were. Returns how to stop. */
export function watchOutages(given: Watcher): () => void {
  watcher = given;
  let looking = false;
  const timer = setInterval(() => {
    if (looking || outages.size === 0) return;
    looking = true;
    void checkOutages(given).finally(() => (looking = false));
  }, lookMs).unref();
  return () => {
    clearInterval(timer);
    if (watcher === given) watcher = null;
  };
}

/** One look. Never throws. */
export async function checkOutages({ log, isOver }: Watcher, now = Date.now): Promise<void> {
  for (const [code, outage] of outages) {
    if (!(await isOver(code).catch(() => false))) {
      outage.over = null;
      continue;
    }
    outage.over ??= now();
    if (now() - Math.max(outage.over, outage.met) < quietMs) continue;
    outages.delete(code);
    const seconds = Math.max(
      1,
      Math.round((Math.max(outage.over, outage.met) - outage.since) / 1000),
    );
    const { requests, status } = outage;
    const many = `${requests.toLocaleString("en")} ${requests === 1 ? "request" : "requests"}`;
    const [, text = code] = words[code] ?? [];
    log.warn({ seconds, requests }, `${text} after ${seconds} s, ${many} answered ${status}`);
  }
}
