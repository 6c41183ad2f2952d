import type { Logger } from "pino";
import { scheduleBackups } from "#server/backup/schedule.ts";
import type { Config } from "#server/config.ts";
import { claimDataDir } from "#server/data-dir.ts";
import type { Service } from "#server/lifecycle.ts";
import { databaseFor } from "#server/processes/database-for.ts";
import { openMetricsPort } from "#server/processes/metrics-port.ts";
import { serve } from "#server/processes/serve.ts";

/** A server of one process, which does everything itself; returns the address to print. */
export async function start(config: Config, log: Logger, service: Service): Promise<string> {
  const claim = claimDataDir(config.dataDir);
  service.onStop("data folder", claim.release);
  await serve({ config, log, service, openDatabase: () => databaseFor(config, log, service) });
  service.onStop("backups", scheduleBackups({ config, log }));
  await openMetricsPort(config, service);
  return config.publicUrl;
}
