import cluster from "node:cluster";
import type { PoolConfig } from "pg";
import type { Config } from "#server/config.ts";
import { findRunningPostgres } from "#server/platform/db/embedded-postgres.ts";
import type { ToWorker } from "#server/platform/processes/messages.ts";
import type { Start } from "#server/platform/processes/serving.ts";

/**
 * One of the processes that answer requests: its primary owns the data folder, the port and the embedded
 * PostgreSQL, and decides when it ends.
 */
export async function start({ config, log, service, serve }: Start): Promise<string> {
  // Node would end a worker at once when its primary is gone; ours finishes its work first (lifecycle.ts).
  cluster.worker?.once("disconnect", () => {
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  });
  let onFull: ((full: boolean) => void) | undefined;
  let onRetire: () => void = service.end;
  process.on("message", (message: ToWorker) => {
    if ("full" in message) onFull?.(message.full);
    else if (message.retire) onRetire();
  });
  const { retire } = await serve({
    config,
    log,
    service,
    // Its later replacements are not: a link that was already printed stays valid.
    isFirst: cluster.worker?.id === 1,
    openDatabase: async () => ({
      connection: connectionTo(config),
      onFull: (listener) => {
        onFull = listener;
      },
    }),
  });
  onRetire = () => {
    log.info("another process takes over: finishing what is under way");
    void retire().finally(service.end);
  };
  return config.publicUrl;
}

function connectionTo({ databaseUrl, dataDir }: Config): PoolConfig {
  if (databaseUrl !== null) return { connectionString: databaseUrl };
  const connection = findRunningPostgres(dataDir);
  if (!connection) throw new Error("PostgreSQL is just being started again.");
  return connection;
}
