import cluster from "node:cluster";
import { archiveContinuously } from "#server/platform/backup/continuous.ts";
import { scheduleBackups } from "#server/platform/backup/schedule.ts";
import { claimDataDir } from "#server/platform/data-dir.ts";
import { databaseFor } from "#server/platform/processes/database-for.ts";
import { openMetricsPort } from "#server/platform/processes/metrics-port.ts";
import { listenForRolls } from "#server/platform/processes/rolling-restart-socket.ts";
import type { Begun } from "#server/platform/processes/serving.ts";
import { createWorkers } from "#server/platform/processes/workers.ts";

/**
 * A server of several processes: this one owns what exists only once, the data folder, the port and the
 * embedded PostgreSQL, and keeps the others running, which answer the requests. Returns the address to
 * print.
 */
export async function start({ config, log, service }: Begun): Promise<string> {
  const { onStop, stopping } = service;
  const claim = claimDataDir(config.dataDir);
  onStop("data folder", claim.release);
  const { onFull } = await databaseFor(config, log, service);
  const workers = createWorkers({
    count: config.processes,
    log,
    // The port that was chosen when PORT is 0: the addresses are built from it.
    fork: () => cluster.fork({ PORT: String(config.port) }),
  });
  onFull?.(workers.setFull);
  // Otherwise a worker that is still starting would be waited for.
  stopping.addEventListener("abort", () => void workers.stop());
  onStop("processes", workers.stop);
  await workers.start();
  await openMetricsPort(config, service);
  onStop("roll", listenForRolls(config.dataDir, workers.roll, log));
  onStop("backups", scheduleBackups({ config, log }));
  onStop("continuous backup", archiveContinuously({ config, log }));
  return config.publicUrl;
}
