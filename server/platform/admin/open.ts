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

/** How to close what was opened, the last one first. */
type Undo = (() => Promise<void> | void)[];

async function undoAll(undo: Undo): Promise<void> {
  for (const step of undo.splice(0).toReversed()) await step();
}

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
  const undo: Undo = [];
  const close = () => undoAll(undo);
  try {
    const db = await openDatabase(config, log, undo, opens === "while-restoring");
    const hadSecrets = existsSync(config.secretsFile);
    const secrets =
      opens === "with-new-secrets" && !hadSecrets
        ? await renewSecrets(config.secretsFile, db)
        : await openSecrets(config.secretsFile, db, isInUse);
    // Jobs added here are done by the server, now or when it runs again.
    const jobs = createJobs({ db, log });
    undo.push(jobs.stop);
    const stores = openImageStores({ config, log });
    await stores.check();
    const { store, privateStore, files } = stores;
    if (opens === "in-this-folder") await forgetImageStore(db);
    await claimConfiguredStore(
      config,
      db,
      { store, someKeys },
      { anew: opens === "in-this-folder" },
    );
    return { config, db, secrets, hadSecrets, jobs, store, privateStore, files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openDatabase(
  config: Config,
  log: Logger,
  undo: Undo,
  restoring: boolean,
): Promise<Database> {
  const { connection, isOurs, close } = await openConnection(config, log, restoring);
  undo.push(close);
  if (isOurs) await migrate({ connection });
  else await refuseOlderDatabase(connection);
  // Commands may take long: they may read whole tables.
  const db = createDatabase({
    connection,
    readConnection: replicaOf(config),
    log,
    bounds: { ...patientBounds, connections: 20 },
  });
  undo.push(db.close);
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
  const undo: Undo = [];
  const close = () => undoAll(undo);
  try {
    const claim = restoring ? null : claimFreeDataDir(config.dataDir);
    if (claim) undo.push(claim.release);
    if (!restoring) refuseUnfinishedRestore(config.dataDir);
    const given = await connectionFor(config, log, claim !== null, undo);
    const { direct: connection } = await examineAddresses(given, config.databaseDirectUrl);
    return { connection, isOurs: restoring || claim !== null, close };
  } catch (error) {
    await close();
    throw error;
  }
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
  undo: Undo,
): Promise<PoolConfig> {
  if (databaseUrl !== null) return { connectionString: databaseUrl };
  if (!ours) return running(dataDir);
  // With a log that nobody archives, a continuous backup would have to begin anew.
  const archives = backupDir !== null;
  const postgres = await startEmbeddedPostgres({ dataDir, log, onLost: giveUp, archives });
  undo.push(postgres.stop);
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
