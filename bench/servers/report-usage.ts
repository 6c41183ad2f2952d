import { reportSamples } from "./report-samples.ts";

/**
 * Loaded before a measured server (`node --import`): reports over the channel to its parent what the process
 * has used so far. The server itself is not changed for measuring.
 */
export type Usage = {
  /** CPU time of all threads, microseconds */
  cpu: number;
  /** resident memory now, bytes */
  memory: number;
  /** the most resident memory since the start, bytes */
  peakMemory: number;
};

process.on("message", (message) => {
  if (message !== "usage" && message !== "settled-usage") return;
  if (message === "settled-usage") globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const usage: Usage = {
    cpu: user + system,
    memory: process.memoryUsage.rss(),
    peakMemory: process.resourceUsage().maxRSS * 1024,
  };
  process.send?.({ usage });
});

if (process.env.BENCH_SAMPLES) reportSamples(process.env.BENCH_SAMPLES);
