import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** What a process says of itself. Bytes, milliseconds, and how many. */
export type ProcessReport = {
  /** used by objects after the last collection that was asked for */
  live: number;
  /** set aside by V8 */
  heap: number;
  /** beside it: buffers, WebAssembly */
  external: number;
  /** since the report before: how late the loop was */
  delay: { p50: number; p99: number; max: number };
  /** what keeps the process alive, by kind */
  active: Record<string, number>;
};

const everyMs = 5000;

const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e4) / 100;

/**
 * Puts a report of this process into `folder` every five seconds, under its number. At SIGUSR2 it collects
 * its garbage first: what is left is what is held.
 */
export function reportSamples(folder: string): void {
  const path = join(folder, `${process.pid}.json`);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let live = 0;

  function write(): void {
    const { heapTotal, external } = process.memoryUsage();
    const active: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) active[kind] = (active[kind] ?? 0) + 1;
    const report: ProcessReport = {
      live,
      heap: heapTotal,
      external,
      delay: { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) },
      active,
    };
    delay.reset();
    writeFileSync(`${path}.new`, JSON.stringify(report));
    renameSync(`${path}.new`, path);
  }

  setInterval(write, everyMs).unref();
  process.on("SIGUSR2", () => {
    globalThis.gc?.();
    live = process.memoryUsage().heapUsed;
    // What the collection took is no delay of the server's.
    delay.reset();
  });
}
