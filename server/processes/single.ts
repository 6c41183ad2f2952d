import { scheduleBackups } from "#server/backup/schedule.ts";
import { claimDataDir } from "#server/data-dir.ts";
import { databaseFor } from "#server/processes/database-for.ts";
import { openMetricsPort } from "#server/processes/metrics-port.ts";
import type { Start } from "#server/processes/serving.ts";

/** A server of one process, which does everything itself; returns the address to print. */
export async function start({ config, log, service, serve }: Start): Promise<string> {
  const claim = claimDataDir(config.dataDir);
  service.onStop("data folder", claim.release);
  await serve({ config, log, service, openDatabase: () => databaseFor(config, log, service) });
  service.onStop("backups", scheduleBackups({ config, log }));
  await openMetricsPort(config, service);
  return config.publicUrl;
}
