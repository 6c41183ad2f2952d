import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { sampleImageKeys } from "#server/features/administration/index.ts";
import { claimConfiguredStore } from "#server/platform/image-store-claim.ts";
import { watchDatabaseCpu } from "./database-cpu.ts";

/** A throw-away Postcard: an empty migrated database and a folder for the server's files. */
export type Installation = {
  connection: pg.ClientConfig;
  /** the same database as an address, for a server in its own process */
  databaseUrl: string;
  dataDir: string;
  /** CPU time of the database so far, microseconds; null where the system does not report it */
  databaseCpu: () => number | null;
  stop: () => Promise<void>;
};

/** Starts the embedded PostgreSQL, with the settings of the product, in a temporary folder. */
export async function startInstallation(): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), "postcard-bench-"));
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, "database"),
    log,
    onLost: fail,
  });
  const { connection } = postgres;
  await migrate({ connection });
  const dataDir = join(folder, "data");
  await prepareImageStore(connection, dataDir);
  const { user, host, port, database } = connection;
  const socket = `host=${encodeURIComponent(host)}&port=${port}`;
  return {
    connection,
    databaseUrl: `postgres://${user}@localhost/${database}?${socket}`,
    dataDir,
    databaseCpu: await watchDatabaseCpu(connection),
    stop: async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * As a first start does, while there are none: a server would look for image files that our town doesn't
 * have.
 */
async function prepareImageStore(connection: pg.ClientConfig, dataDir: string): Promise<void> {
  mkdirSync(dataDir);
  const db = createDatabase({ connection, log: { warn: () => {}, error: () => {} } });
  const config = { dataDir, imageStore: { kind: "disk" }, imageStoreFrom: null } as const;
  await claimConfiguredStore(config, db, {
    store: createDiskStore({ dataDir }),
    someKeys: sampleImageKeys,
  });
  await db.close();
}

function fail(error: Error): never {
  throw error;
}
