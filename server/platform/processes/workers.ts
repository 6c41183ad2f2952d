import type { Worker } from "node:cluster";
import type { Logger } from "pino";
import { waitAtMost } from "#server/platform/lifecycle.ts";
import type { FromWorker, ToWorker } from "#server/platform/processes/messages.ts";
import { createWatchdog } from "../../../scripts/lib/watchdog.mjs";

/** The pause before a worker that died is started again, milliseconds, doubled up to the longest. */
const pauseMs = { first: 250, longest: 30_000 };
/** A worker that lived this long was healthy: its next death counts as a first one. */
const wellMs = 60_000;
/**
 * How long workers may take to stop; they have a shorter limit of their own (inFlightMs in
 * server/serve.ts).
 */
const longestStopMs = 8400;
/** How long a replaced worker may take to finish its work; retire.ts has the shorter limit. */
const retireMs = 345_000;

const hangSentence = "a process says nothing any more: it is killed, and another one started";
const leftSentence =
  "a process says nothing any more, and is left alone: three were replaced within ten minutes";

/** A position that should have a worker at all times. */
type Slot = {
  worker: Worker | null;
  pause: number;
  timer?: NodeJS.Timeout;
  /** a worker is being started for it */
  filling: Promise<void> | null;
  /** a rolling restart is handling it now */
  rolling: boolean;
};

type Deps = {
  count: number;
  fork: () => Worker;
  log: Pick<Logger, "error" | "info">;
  /** milliseconds until a worker that has not stopped is killed */
  stopMs?: number;
};

/** State shared by all workers. */
type Workers = Required<Omit<Deps, "count">> & {
  slots: Slot[];
  living: Set<Worker>;
  watch: ReturnType<typeof createWatchdog>;
  /** whether the disk of the database is full */
  full: boolean;
  stopping: Promise<void> | null;
};

/**
 * Keeps this many workers running: one that dies is restarted by itself, and all can be replaced one after
 * another while they serve.
 */
export function createWorkers({ count, fork, log, stopMs = longestStopMs }: Deps) {
  const slots: Slot[] = Array.from({ length: count }, () => {
    return { worker: null, pause: pauseMs.first, filling: null, rolling: false };
  });
  const watch = createWatchdog();
  const all: Workers = {
    slots,
    fork,
    log,
    stopMs,
    living: new Set(),
    watch,
    full: false,
    stopping: null,
  };
  let rolling: Promise<void> | null = null;

  return {
    /**
     * The first worker does what is needed once and meets what is wrong: its sentence is thrown. The others
     * follow together; if one of them fails it is tried again, and nothing waits for it.
     */
    start: async (): Promise<void> => {
      const [first, ...others] = slots;
      if (first) await fill(all, first);
      await Promise.all(others.map((slot) => fillOrTryAgain(all, slot)));
    },
    /**
     * Replaces them one after another, each once its successor is ready. Throws the sentence of a successor
     * that cannot start; the remaining ones then stay as they are.
     */
    roll: (): Promise<void> => {
      rolling ??= (async () => {
        for (const slot of slots) await replace(all, slot);
      })().finally(() => {
        rolling = null;
      });
      return rolling;
    },
    /** Stops them all at once; those that do not end in time are killed. */
    stop: (): Promise<void> => {
      all.stopping ??= (async () => {
        for (const { timer } of slots) clearTimeout(timer);
        await end(all, [...all.living]);
      })();
      return all.stopping;
    },
    /** Tells all of them, and those started later, whether the disk of the database is full. */
    setFull: (full: boolean): void => {
      all.full = full;
      for (const worker of all.living) sendTo(worker, { full });
    },
  };
}

/** Resolves with a worker that is ready; throws its sentence if it ends before that. */
function begin(all: Workers): Promise<Worker> {
  const { living, log } = all;
  const worker = all.fork();
  living.add(worker);
  all.watch(worker, {
    kill: () => worker.process.kill("SIGKILL"),
    onHang: ({ left, ...hang }) =>
      log.error({ worker: worker.process.pid, ...hang }, left ? leftSentence : hangSentence),
  });
  let failed: string | undefined;
  return new Promise((resolve, reject) => {
    worker.on("message", (message: FromWorker) => {
      failed = message.failed ?? failed;
      if (!message.ready) return;
      if (all.full) sendTo(worker, { full: true });
      resolve(worker);
    });
    worker.on("error", reject);
    worker.once("exit", (code: number, signal: string | null) => {
      living.delete(worker);
      reject(new Error(failed ?? `A process ended while it started (${endOf(code, signal)}).`));
    });
  });
}

/** Puts a worker that is ready into its slot, and replaces it when it dies. */
function put(all: Workers, slot: Slot, worker: Worker): void {
  const since = Date.now();
  slot.worker = worker;
  worker.once("exit", (code: number, signal: string | null) => {
    if (slot.worker !== worker) return;
    slot.worker = null;
    if (Date.now() - since > wellMs) slot.pause = pauseMs.first;
    refill(all, slot, { worker: worker.process.pid, end: endOf(code, signal) });
  });
}

function fill(all: Workers, slot: Slot): Promise<void> {
  slot.filling = begin(all)
    .then((worker) => put(all, slot, worker))
    .finally(() => {
      slot.filling = null;
    });
  return slot.filling;
}

function refill(all: Workers, slot: Slot, why: object): void {
  if (all.stopping || slot.rolling) return;
  const { pause } = slot;
  all.log.error({ ...why, pause }, "a process ended and is started again; the others go on");
  slot.pause = Math.min(pause * 2, pauseMs.longest);
  slot.timer = setTimeout(() => void fillOrTryAgain(all, slot), pause);
}

async function fillOrTryAgain(all: Workers, slot: Slot): Promise<void> {
  try {
    await fill(all, slot);
  } catch (error) {
    refill(all, slot, { reason: (error as Error).message });
  }
}

async function replace(all: Workers, slot: Slot): Promise<void> {
  if (all.stopping) throw new Error("Postcard is stopping.");
  slot.rolling = true;
  clearTimeout(slot.timer);
  try {
    await slot.filling?.catch(() => undefined);
    const successor = await begin(all);
    const { worker } = slot;
    put(all, slot, successor);
    if (worker) await retire(all, worker);
  } finally {
    slot.rolling = false;
    if (!slot.worker) refill(all, slot, { reason: "it ended during the roll" });
  }
}

async function retire(all: Workers, worker: Worker): Promise<void> {
  if (!all.living.has(worker)) return;
  const gone = endingOf(worker);
  all.log.info({ worker: worker.process.pid }, "a process is replaced");
  sendTo(worker, { retire: true });
  await waitAtMost(retireMs, gone);
  if (all.living.has(worker)) await end(all, [worker]);
}

async function end({ living, stopMs }: Workers, workers: Worker[]): Promise<void> {
  const gone = Promise.all(workers.map(endingOf));
  for (const worker of workers) worker.process.kill("SIGTERM");
  await waitAtMost(stopMs, gone);
  for (const worker of workers) {
    if (living.has(worker)) worker.process.kill("SIGKILL");
  }
}

function sendTo(worker: Worker, message: ToWorker): void {
  // One that is just dying receives nothing more.
  if (worker.isConnected()) worker.send(message, () => undefined);
}

function endingOf(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
  });
}

function endOf(code: number, signal: string | null): string {
  return signal ?? `code ${code}`;
}
