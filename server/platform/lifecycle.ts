import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { openNotes } from "#server/platform/processes/in-flight.ts";
import { bounds } from "../../scripts/lib/watchdog.mjs";

/** From the signal to the end, in milliseconds, whatever hangs: the supervisor allows ten seconds. */
const stopMs = 9300;

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** The priority of a process that backs up: those that answer requests go first. */
export const behindOthers = 10;

type Log = Pick<Logger, "info" | "warn" | "error" | "fatal">;

/** What a service that is starting may use. */
export type Service = {
  /** Registers how to undo a step of the start; the last step is undone first. */
  onStop: (step: string, undo: () => Promise<void> | void) => void;
  /** Ends the process for a restart: something broke that only a new process can repair. */
  giveUp: (error: unknown) => void;
  /** Stops in order, as on SIGTERM. */
  end: () => void;
  /** Aborted as soon as a stop begins: what ends after that is meant to end. */
  stopping: AbortSignal;
};

/**
 * Runs a service from its start to its end: prints the ready line, stops in order on SIGTERM, SIGINT and
 * SIGHUP (exit code 0), or when the supervisor is gone; a start that fails prints its sentence and exits
 * with 1, and so does an uncaught error. A `worker` reports that it is ready, or why it cannot start, only
 * to its primary, which prints it once for all of them.
 */
export async function runService(options: {
  log: Log;
  /** Returns the address to print. */
  start: (service: Service) => Promise<string>;
  worker?: boolean;
}): Promise<void> {
  const { log, start, worker = false } = options;
  const steps: { step: string; undo: () => Promise<void> | void }[] = [];
  let stopping: Promise<void> | null = null;
  let starting: Promise<unknown> = Promise.resolve();
  const stopBegun = new AbortController();

  /** Undoes the steps and exits. The first call decides; later ones change nothing. */
  function stop(exitCode: number): Promise<void> {
    stopping ??= (async () => {
      stopBegun.abort();
      setTimeout(() => leave(exitCode), stopMs);
      // A start in progress finishes its step first, so that the step can be undone.
      await starting.catch(() => {});
      for (const { step, undo } of steps.toReversed()) {
        try {
          await undo();
        } catch (error) {
          log.error({ err: error, step }, "a step of stopping failed");
        }
      }
      await waitAtMost(unansweredMs, untilAnswered());
      leave(exitCode);
    })();
    return stopping;
  }

  function giveUp(error: unknown): void {
    log.fatal({ err: error }, "Postcard cannot go on and ends for a restart");
    // Nothing can be trusted to stop in order any more; the restart takes over PostgreSQL.
    process.exit(1);
  }

  process.on("uncaughtException", giveUp);
  process.on("unhandledRejection", giveUp);
  const hear = (signal: NodeJS.Signals) => {
    if (!stopping) log.info({ signal }, "stopping");
    void stop(0);
  };
  for (const signal of signals) process.on(signal, hear);
  if (process.channel) {
    process.on("disconnect", () => {
      log.warn({}, "the supervisor is gone: stopping");
      void stop(0);
    });
  }
  // The reader of our output may go away; that is no reason to stop serving.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

  const started = start({
    onStop: (step, undo) => {
      steps.push({ step, undo });
      // A stop was requested meanwhile: the start ends here.
      if (stopping) throw new Error("The start was interrupted.");
    },
    giveUp,
    end: () => void stop(0),
    stopping: stopBegun.signal,
  });
  starting = started;
  try {
    const publicUrl = await started;
    if (stopping) return;
    for (const signal of signals) removeOtherListeners(signal, hear);
    if (!worker) process.stdout.write(`Postcard is ready at ${publicUrl}\n`);
    if (process.send) startHeartbeat();
    // Returns memory that only the start needed to the system: 25 MB (npm run bench -- --only memory).
    setTimeout(() => globalThis.gc?.({ type: "major", flavor: "last-resort" }), 3000).unref();
  } catch (error) {
    if (!stopping && worker) sendToSupervisor({ failed: sentenceFor(error, log) });
    else if (!stopping) printFailure(error, log);
    await stop(1);
  }
}

/**
 * From now on the supervisor hears that we are alive, and can read what we are working on if we no longer
 * are.
 */
function startHeartbeat(): void {
  sendToSupervisor({ ready: true, notes: openNotes() });
  setInterval(() => sendToSupervisor({ alive: true }), bounds.lookMs).unref();
}

/** How long system calls that are still running at the end may take, milliseconds. */
const unansweredMs = 500;

/** System calls that hold a thread: process.exit() waits for them, even forever. */
const isUnanswered = () =>
  process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo|GetNameInfo)/.test(name));

async function untilAnswered(): Promise<void> {
  while (isUnanswered()) await sleep(20);
}

/** Ends the process, even when a disk that is gone blocks one of its threads. */
function leave(exitCode: number): void {
  if (isUnanswered()) process.kill(process.pid, "SIGKILL");
  else process.exit(exitCode);
}

/**
 * Sends to the process that started us. It may be gone, which `disconnect` reports, so a failure here is
 * ignored.
 */
function sendToSupervisor(message: object): void {
  process.send?.(message, undefined, undefined, () => {});
}

/** Development tools end the process on a signal, which would cut our stop short. */
function removeOtherListeners(signal: NodeJS.Signals, hear: (signal: NodeJS.Signals) => void) {
  for (const listener of process.listeners(signal)) {
    if (listener !== hear) process.off(signal, listener);
  }
}

/** Prints one sentence for a known failure; the stack is logged as well for an unknown one. */
export function printFailure(error: unknown, log?: Log): void {
  process.stderr.write(`${sentenceFor(error, log)}\n`);
}

function sentenceFor(error: unknown, log?: Log): string {
  const { message, constructor } = error as Error;
  const code = (error as NodeJS.ErrnoException).code;
  if (constructor !== Error || code !== undefined) log?.fatal({ err: error }, "the start failed");
  return message.split("\n", 1)[0] ?? "";
}

/** Ends a program that this process started, with SIGKILL after `patience` milliseconds. */
export async function endChild(child: ChildProcess | null, patience: number): Promise<void> {
  if (!child || child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await waitAtMost(patience, ended);
  child.kill("SIGKILL");
}

/** Waits for work, but no longer than `patience` milliseconds. */
export async function waitAtMost(patience: number, work: Promise<unknown>): Promise<void> {
  const abort = new AbortController();
  const late = sleep(patience, undefined, { signal: abort.signal }).catch(() => {});
  await Promise.race([work, late]);
  abort.abort();
}

/** Aborted when this process is to end. */
export function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of signals) process.on(signal, () => stop.abort());
  // A server that started this process is gone.
  process.on("disconnect", () => stop.abort());
  process.channel?.unref();
  return stop.signal;
}
