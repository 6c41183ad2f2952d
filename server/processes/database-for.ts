import type { PoolConfig } from "pg";
import type { Logger } from "pino";
import type { Config } from "#server/config.ts";
import { connectionsNeeded } from "#server/db/bounds.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#server/db/embedded-postgres.ts";
import type { Service } from "#server/lifecycle.ts";

/** How to reach the database, and who says when its disk is full; nobody, where it is not ours. */
export type Beneath = { connection: PoolConfig; onFull?: EmbeddedPostgres["onFull"] };

/** The embedded PostgreSQL, started for this service, or the one that DATABASE_URL names. */
export async function databaseFor(config: Config, log: Logger, service: Service): Promise<Beneath> {
  if (config.databaseUrl !== null) return { connection: { connectionString: config.databaseUrl } };
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    onLost: (error) => service.giveUp(error),
    stopping: service.stopping,
    connections: connectionsNeeded(config.processes),
  });
  service.onStop("PostgreSQL", postgres.stop);
  return postgres;
}
