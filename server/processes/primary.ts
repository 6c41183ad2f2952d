import cluster from "node:cluster";
import type { Logger } from "pino";
import { scheduleBackups } from "#server/backup/schedule.ts";
import type { Config } from "#server/config.ts";
import { claimDataDir } from "#server/data-dir.ts";
import type { Service } from "#server/lifecycle.ts";
import { databaseFor } from "#server/processes/database-for.ts";
import { openMetricsPort } from "#server/processes/metrics-port.ts";
import { listenForRolls } from "#server/processes/roll-socket.ts";
import { createWorkers } from "#server/processes/workers.ts";

/**
 * A server of several processes: this one owns what there is only once, the data folder, the port and
 * the embedded PostgreSQL, and keeps the others, who answer the requests. Returns the address to print.
 */
export async function start(config: Config, log: Logger, service: Service): Promise<string> {
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
