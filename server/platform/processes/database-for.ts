import type { PoolConfig } from "pg";
import type { Logger } from "pino";
import type { Config } from "#server/config.ts";
import { connectionsNeeded } from "#server/platform/db/time-limits.ts";
import { storePrograms } from "#server/platform/db/stored-programs.ts";
import { findBinaries } from "#server/platform/db/postgres-binaries.ts";
import { needsUpgrade } from "#server/platform/db/postgres-cluster.ts";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "#server/platform/db/embedded-postgres.ts";
import type { Service } from "#server/platform/lifecycle.ts";

/**
 * How to reach the database, and how to learn that its disk is full; not available if the database is not
 * ours.
 */
export type DatabaseAccess = { connection: PoolConfig; onFull?: EmbeddedPostgres["onFull"] };

/** The embedded PostgreSQL, started for this service, or the database that DATABASE_URL names. */
export async function databaseFor(
  config: Config,
  log: Logger,
  service: Service,
): Promise<DatabaseAccess> {
  if (config.databaseUrl !== null) return { connection: { connectionString: config.databaseUrl } };
  const { dataDir } = config;
  const { stopping } = service;
  const binaries = findBinaries();
  if (needsUpgrade(dataDir, binaries)) {
    // Needed once in years, so it is not loaded otherwise.
    const { upgradePostgres } = await import("#server/platform/db/upgrade.ts");
    await upgradePostgres({ dataDir, log, stopping });
  }
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log,
    onLost: (error) => service.giveUp(error),
    stopping,
    connections: connectionsNeeded(config.processes),
    archives: config.backupDir !== null,
  });
  service.onStop("PostgreSQL", postgres.stop);
  await storePrograms(dataDir, binaries, log);
  return postgres;
}
