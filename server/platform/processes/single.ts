import { archiveContinuously } from "#server/platform/backup/continuous.ts";
import { scheduleBackups } from "#server/platform/backup/schedule.ts";
import { claimDataDir } from "#server/platform/data-dir.ts";
import { databaseFor } from "#server/platform/processes/database-for.ts";
import { openMetricsPort } from "#server/platform/processes/metrics-port.ts";
import type { Start } from "#server/platform/processes/serving.ts";

/** A server of one process, which does everything itself; returns the address to print. */
export async function start({ config, log, service, serve }: Start): Promise<string> {
  const claim = claimDataDir(config.dataDir);
  service.onStop("data folder", claim.release);
  await serve({ config, log, service, openDatabase: () => databaseFor(config, log, service) });
  service.onStop("backups", scheduleBackups({ config, log }));
  service.onStop("continuous backup", archiveContinuously({ config, log }));
  await openMetricsPort(config, service);
  return config.publicUrl;
}
