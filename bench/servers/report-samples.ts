import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** What a process reports about itself: bytes, milliseconds, and counts. */
export type ProcessReport = {
  /** used by objects after the last requested collection */
  live: number;
  /** reserved by V8 */
  heap: number;
  /** outside the heap: buffers, WebAssembly */
  external: number;
  /** since the previous report: how late the loop was */
  delay: { p50: number; p99: number; max: number };
  /** what keeps the process alive, by kind */
  active: Record<string, number>;
};

const everyMs = 5000;

const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e4) / 100;

/**
 * Writes a report of this process into `folder` every five seconds, named by its pid. On SIGUSR2 it collects
 * garbage first: what is left is really in use.
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
    // The time of the collection is no delay of the server's.
    delay.reset();
  });
}
