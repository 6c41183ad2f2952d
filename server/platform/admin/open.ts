import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolConfig } from "pg";
import type { Logger } from "pino";
import { openImageStores } from "#server/adapters/image-store/open.ts";
import type { Config } from "#server/config.ts";
import { claimFreeDataDir, refuseUnfinishedRestore } from "#server/platform/data-dir.ts";
import { patientBounds } from "#server/platform/db/time-limits.ts";
import { createDatabase, replicaOf, type Database } from "#server/platform/db/database.ts";
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from "#server/platform/db/embedded-postgres.ts";
import { forgetImageStore } from "#server/platform/db/installation-row.ts";
import { migrate, missingMigrations } from "#server/platform/db/migrate.ts";
import { examineAddresses } from "#server/platform/db/pooler.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { claimConfiguredStore } from "#server/platform/image-store-claim.ts";
import { openSecrets, renewSecrets } from "#server/platform/secrets.ts";

/**
 * What only some commands may do: replace lost secrets, use images in this folder that moved elsewhere, or
 * open what this process is restoring at the moment.
 */
export type Opens = "with-new-secrets" | "in-this-folder" | "while-restoring";

type Product = {
  /** whether rows need the secrets, if the database does not know which secrets it belongs to */
  isInUse: Parameters<typeof openSecrets>[2];
  /** content addresses of some of the images that rows name */
  someKeys: Parameters<typeof claimConfiguredStore>[2]["someKeys"];
};

/** How long a server that is just starting may take until its database answers, milliseconds. */
const patienceMs = 30_000;

/**
 * Opens what a command needs of an installation. A stopped installation is claimed until it is closed; in a
 * running one, the command uses the database and the image folder beside the server. Throws an Error with one
 * sentence.
 */
export async function openGround(
  config: Config,
  log: Logger,
  { isInUse, someKeys }: Product,
  opens: Opens | null,
) {
  await using opening = new AsyncDisposableStack();
  const db = await openDatabase(config, log, opening, opens === "while-restoring");
  const hadSecrets = existsSync(config.secretsFile);
  const secrets =
    opens === "with-new-secrets" && !hadSecrets
      ? await renewSecrets(config.secretsFile, db)
      : await openSecrets(config.secretsFile, db, isInUse);
  // Jobs added here are done by the server, now or when it runs again.
  const jobs = createJobs({ db, log });
  opening.defer(jobs.stop);
  const stores = openImageStores({ config, log });
  await stores.check();
  const { store, privateStore, files } = stores;
  const anew = opens === "in-this-folder";
  if (anew) await forgetImageStore(db);
  await claimConfiguredStore(config, db, { store, someKeys }, { anew });
  const opened = opening.move();
  const close = () => opened.disposeAsync();
  return { config, db, secrets, hadSecrets, jobs, store, privateStore, files, close };
}

async function openDatabase(
  config: Config,
  log: Logger,
  opening: AsyncDisposableStack,
  restoring: boolean,
): Promise<Database> {
  const { connection, isOurs, close } = await openConnection(config, log, restoring);
  opening.defer(close);
  if (isOurs) await migrate({ connection });
  else await refuseOlderDatabase(connection);
  // Commands may take long: they may read whole tables.
  const db = createDatabase({
    connection,
    readConnection: replicaOf(config),
    log,
    bounds: { ...patientBounds, connections: 20 },
  });
  opening.defer(db.close);
  return db;
}

/**
 * The database of a configuration: of a stopped installation, which is claimed until it is closed, of a
 * running one, or of one that this process is `restoring`, which has claimed it. Throws an Error with one
 * sentence.
 */
export async function openConnection(
  config: Pick<Config, "dataDir" | "databaseUrl" | "databaseDirectUrl" | "backupDir">,
  log: Logger,
  restoring = false,
): Promise<{ connection: PoolConfig; isOurs: boolean; close: () => Promise<void> }> {
  await using opening = new AsyncDisposableStack();
  const claim = restoring ? null : claimFreeDataDir(config.dataDir);
  if (claim) opening.defer(claim.release);
  if (!restoring) refuseUnfinishedRestore(config.dataDir);
  const given = await connectionFor(config, log, claim !== null, opening);
  const { direct: connection } = await examineAddresses(given, config.databaseDirectUrl);
  const opened = opening.move();
  const close = () => opened.disposeAsync();
  return { connection, isOurs: restoring || claim !== null, close };
}

/** A running server may be older than this code: its tables are not changed under it. */
async function refuseOlderDatabase(connection: PoolConfig): Promise<void> {
  const missing = await missingMigrations(connection);
  if (missing.length === 0) return;
  throw new Error(
    "The Postcard that runs is older than this one: restart it first, so that it brings its database up to date.",
  );
}

async function connectionFor(
  { dataDir, databaseUrl, backupDir }: Pick<Config, "dataDir" | "databaseUrl" | "backupDir">,
  log: Logger,
  ours: boolean,
  opening: AsyncDisposableStack,
): Promise<PoolConfig> {
  if (databaseUrl !== null) return { connectionString: databaseUrl };
  if (!ours) return running(dataDir);
  // With a log that nobody archives, a continuous backup would have to begin anew.
  const archives = backupDir !== null;
  const postgres = await startEmbeddedPostgres({ dataDir, log, onLost: giveUp, archives });
  opening.defer(postgres.stop);
  return postgres.connection;
}

function giveUp(error: Error): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** The database of the server that owns the folder, which may be starting at this moment. */
async function running(dataDir: string): Promise<PoolConfig> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const connection = findRunningPostgres(dataDir);
    if (connection && (await answers(connection))) return connection;
    if (Date.now() > deadline) {
      throw new Error(`A Postcard uses ${dataDir}, but its database does not answer.`);
    }
    await sleep(300);
  }
}

async function answers(connection: PoolConfig): Promise<boolean> {
  const db = createDatabase({ connection, log: { warn: () => {}, error: () => {} } });
  const answer = await db.ping(2000);
  await db.close();
  return answer !== "away";
}
