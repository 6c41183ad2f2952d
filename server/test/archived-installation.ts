import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStores } from "#server/adapters/image-store/open.ts";
import { readConfig } from "#server/config.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { hasAccounts } from "#server/features/people/index.ts";
import { shipOnce } from "#server/platform/admin/continuous.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { patientBounds } from "#server/platform/db/time-limits.ts";
import { segmentsIn, spoolOf } from "#server/platform/db/wal-spool.ts";
import { openSecrets } from "#server/platform/secrets.ts";
import { afterFile } from "#server/test/after-file.ts";
import { newFolder, silent } from "#server/test/backups.ts";
import { testFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";

export const fail = (error: Error): never => {
  throw error;
};

/** An installation whose own PostgreSQL archives its log, with a folder for backups, or a bucket. */
export async function archivedInstallation(backups: Record<string, string> = {}) {
  const folder = newFolder();
  // PostgreSQL runs as another user if we are root.
  chmodSync(folder, 0o711);
  const dataDir = join(folder, "data");
  mkdirSync(join(folder, "backups"));
  const config = readConfig({
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    BACKUP_DIR: join(folder, "backups"),
    LOG_LEVEL: "silent",
    ...backups,
  });
  const backupDir = config.backupDir ?? "";
  const options = { dataDir, log: silent, onLost: fail, archives: true };
  const postgres = await startEmbeddedPostgres(options);
  const { connection } = postgres;
  await migrate({ connection });
  const db = createDatabase({ connection, log: silent, bounds: patientBounds });
  const secrets = await openSecrets(config.secretsFile, db, hasAccounts);
  // Before the features, which end before their database.
  afterFile(async () => {
    await db.close();
    await postgres.stop();
  });
  const stores = openStores(dataDir, { kind: "disk" }, silent);
  const features = testFeatures(db, { folder: dataDir, secrets, stores });
  const spool = spoolOf(dataDir);
  const signal = new AbortController().signal;
  return {
    ...features,
    db,
    config,
    dataDir,
    backupDir,
    spool,
    postgres,
    /** what the server does every minute */
    ship: () => shipOnce({ config, imageTables, log: silent, signal }),
    /** Has PostgreSQL finish the segment in use; resolves once it is in the spool. */
    finishSegment: async () => {
      const [row] = await query<{ name: string }>(
        db,
        "select pg_walfile_name(pg_switch_wal() - 1) as name",
      );
      const { name = "" } = row ?? {};
      while (!(await segmentsIn(spool)).includes(name)) await sleep(50);
      return name;
    },
  };
}
