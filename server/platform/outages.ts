import type { Logger } from "pino";

/*
 * An outage is one line in the log when it begins, with the first error's stack, and one when it is over,
 * with the number of affected requests: a log that fills the disk helps nobody. Each process logs its own.
 */

type Outage = {
  /** epoch ms */
  since: number;
  met: number;
  /** of the affected requests */
  status: number;
  requests: number;
  /** since when the failed service answers again; null while it does not */
  over: number | null;
};

type Log = Pick<Logger, "error" | "warn">;
type Watcher = { log: Log; isOver: (code: string) => Promise<boolean> };

/** What the log says when an outage begins and when it ends, by the refusal that people read. */
const words: Record<string, readonly [begins: string, ends: string]> = {
  "not-ready": ["the database is away", "the database is back"],
  busy: ["requests wait too long", "requests are answered in time again"],
  "read-only": ["the database takes no writes", "the database takes writes again"],
  "disk-full": ["the disk is full: nothing is kept", "the disk has room again"],
  "disk-read-only": ["the disk cannot be written", "the disk can be written again"],
  "picture-host-away": ["the store of pictures is away", "the store of pictures is back"],
};

const lookMs = 1000;
/**
 * An outage is over after this long without an error, since a service may come back for just a moment,
 * milliseconds.
 */
const quietMs = 5000;
/** If nothing checks whether it is over, it is logged again after this long, milliseconds. */
const forgottenMs = 60_000;

const outages = new Map<string, Outage>();
let watcher: Watcher | null = null;

export const isOutageKind = (code: string): boolean => Object.hasOwn(words, code);

type Met = {
  log: Pick<Logger, "error">;
  code: string;
  status: number;
  error: unknown;
  /** a request was answered with it; otherwise it only happened during a request */
  isRequest?: boolean;
  /** deliberate refusals do not begin an outage */
  begins?: boolean;
  now?: number;
};

/** Records an outage met by some work: the first is logged, with its stack; later ones are counted. */
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

/**
 * Checks whether outages are over, and logs how long they were; from here on, whatever this process met before.
 * Returns a function that stops it.
 */
export function watchOutages(given: Watcher): () => void {
  watcher = given;
  outages.clear();
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

/** One check. Never throws. */
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
