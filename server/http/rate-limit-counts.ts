import { randomBytes } from "node:crypto";
import type { FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import type { Hint, Hints } from "#server/features/change-hint.ts";

export const windowMs = 60_000;
/** How often other processes are informed about a caller who asks a lot, milliseconds. */
const announceMs = 1000;
/** From this share of the limit on, a caller asks a lot, over all processes of this server. */
const aLot = 1 / 12;
/** Callers who are remembered; the least recent are forgotten first. */
const mostCallers = 5000;

type Window = {
  /** epoch milliseconds */
  since: number;
  own: number;
  /** what others know of `own` */
  announced: number;
  /** by process */
  others: Map<string, number>;
};

type Counted = Extract<Hint, { kind: "counted" }>;

type Deps = {
  /** its name among the hints */
  limit: string;
  most: number;
  /** of this server */
  processes: number;
  hints: Pick<Hints, "publish" | "listen">;
  now?: () => number;
};

export type RateLimitCounts = ReturnType<typeof createRateLimitCounts>;

/**
 * Counts what callers do within a minute, in memory, and adds what other processes counted for the same
 * caller: once a second each informs the others about those who ask a lot, and about nobody else. So a limit
 * holds for all processes and servers together, except for what comes within that second, and costs nothing
 * while nobody floods (decision 0183). The windows of a caller are aligned: the earliest one announced holds
 * everywhere, so that all start again at the same moment.
 */
export function createRateLimitCounts({ limit, most, processes, hints, now = Date.now }: Deps) {
  const ourName = randomBytes(6).toString("base64url");
  const announceFrom = Math.max(1, Math.floor((most * aLot) / processes));
  const windows = new Map<string, Window>();
  const due = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function living(caller: string): Window | undefined {
    const found = windows.get(caller);
    return found && found.since + windowMs > now() ? found : undefined;
  }

  function windowOf(caller: string): Window {
    const fresh = { since: now(), own: 0, announced: 0, others: new Map<string, number>() };
    const window = living(caller) ?? fresh;
    windows.delete(caller);
    windows.set(caller, window);
    if (windows.size > mostCallers) windows.delete(windows.keys().next().value ?? "");
    return window;
  }

  const read = (window: Window | undefined) => ({
    count: window ? countOf(window) : 0,
    /** milliseconds until a new window begins */
    ttl: window ? window.since + windowMs - now() : 0,
  });

  /** What was counted in this window, including `points`. */
  function add(caller: string, points = 1) {
    const window = windowOf(caller);
    window.own += points;
    if (isShared(window)) announceLater(caller);
    return read(window);
  }

  /** Once one process has announced a caller, all do. */
  function isShared({ own, others }: Window): boolean {
    return own >= announceFrom || others.size > 0;
  }

  function announceLater(caller: string): void {
    due.add(caller);
    timer ??= setTimeout(announce, announceMs).unref();
  }

  function announce(): void {
    timer = undefined;
    for (const caller of due) {
      const window = living(caller);
      if (!window || window.own === window.announced) continue;
      const { own: count, since } = window;
      window.announced = count;
      hints.publish({ kind: "counted", limit, caller, process: ourName, count, since });
    }
    due.clear();
  }

  function hear({ caller, process, count, since }: Counted): void {
    if (since + windowMs <= now()) return;
    const window = windowOf(caller);
    window.since = isShared(window) ? Math.min(window.since, since) : Math.min(since, now());
    // Hints overtake each other; within a window counts never go down.
    window.others.set(process, Math.max(count, window.others.get(process) ?? 0));
    if (window.own > window.announced) announceLater(caller);
  }

  const stopListening = hints.listen((batch) => {
    for (const hint of batch) {
      if (hint.kind !== "counted" || hint.limit !== limit || hint.process === ourName) continue;
      hear(hint);
    }
  });

  return {
    add,
    get: (caller: string) => read(living(caller)),
    close() {
      stopListening();
      clearTimeout(timer);
    },
  };
}

const countOf = ({ own, others }: Window): number =>
  [...others.values()].reduce((sum, count) => sum + count, own);

/** For @fastify/rate-limit, which makes its store by itself. */
export function rateLimitStore(counts: RateLimitCounts): FastifyRateLimitStoreCtor {
  const store: InstanceType<FastifyRateLimitStoreCtor> = {
    incr(caller, done) {
      const { count, ttl } = counts.add(caller);
      done(null, { current: count, ttl });
    },
    child: () => store,
  };
  return function Store() {
    return store;
  } as unknown as FastifyRateLimitStoreCtor;
}
