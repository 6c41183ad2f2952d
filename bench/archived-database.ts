import { mkdirSync } from "node:fs";
import type pg from "pg";
import { pino } from "pino";
import { readConfig } from "#server/config.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { renewSecrets } from "#server/platform/secrets.ts";

const onLost = (error: Error): never => {
  throw error;
};

export const silent = pino({ level: "silent" });

/** An embedded PostgreSQL of its own with a folder for backups, as a server of these settings has it. */
export type Archived = {
  connection: pg.ClientConfig;
  config: ReturnType<typeof readConfig>;
  environment: Record<string, string>;
  close: () => Promise<void>;
};

/** Starts one in a new folder, with our tables; `archives`: whether its log is copied for a continuous backup. */
export async function openArchived(dataDir: string, archives: boolean): Promise<Archived> {
  const environment = {
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    BACKUP_DIR: `${dataDir}-backups`,
    LOG_LEVEL: "silent",
  };
  const config = readConfig(environment);
  mkdirSync(config.backupDir ?? "");
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, onLost, archives });
  const { connection } = postgres;
  await migrate({ connection });
  const db = createDatabase({ connection, log: silent });
  await renewSecrets(config.secretsFile, db);
  await db.close();
  return { connection, config, environment, close: postgres.stop };
}
