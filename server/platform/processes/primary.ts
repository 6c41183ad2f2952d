import cluster from "node:cluster";
import { scheduleBackups } from "#server/platform/backup/schedule.ts";
import { claimDataDir } from "#server/platform/data-dir.ts";
import { databaseFor } from "#server/platform/processes/database-for.ts";
import { openMetricsPort } from "#server/platform/processes/metrics-port.ts";
import { listenForRolls } from "#server/platform/processes/rolling-restart-socket.ts";
import type { Begun } from "#server/platform/processes/serving.ts";
import { createWorkers } from "#server/platform/processes/workers.ts";

/**
 * A server of several processes: this one owns what there is only once, the data folder, the port and
 * the embedded PostgreSQL, and keeps the others, who answer the requests. Returns the address to print.
 */
export async function start({ config, log, service }: Begun): Promise<string> {
  const { onStop, stopping } = service;
  const claim = claimDataDir(config.dataDir);
  onStop("data folder", claim.release);
  const { onFull } = await databaseFor(config, log, service);
  const workers = createWorkers({
    count: config.processes,
    log,
    // The port that was chosen, where PORT is 0: the addresses are made from it.
    fork: () => cluster.fork({ PORT: String(config.port) }),
  });
  onFull?.(workers.setFull);
  // One that is still starting is waited for otherwise.
  stopping.addEventListener("abort", () => void workers.stop());
  onStop("processes", workers.stop);
  await workers.start();
  await openMetricsPort(config, service);
  onStop("roll", listenForRolls(config.dataDir, workers.roll, log));
  onStop("backups", scheduleBackups({ config, log }));
  return config.publicUrl;
}
