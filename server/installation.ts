import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolConfig } from "pg";
import type { Logger } from "pino";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { openImageStores } from "#server/adapters/image-store/open.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import type { Config } from "#server/config.ts";
import { claimFreeDataDir, refuseUnfinishedRestore, type Secrets } from "#server/data-dir.ts";
import { patientBounds } from "#server/db/bounds.ts";
import { createDatabase, replicaOf, type Database } from "#server/db/database.ts";
import { findRunningPostgres, startEmbeddedPostgres } from "#server/db/embedded-postgres.ts";
import { noHints } from "#server/db/hints.ts";
import { forgetImageStore } from "#server/db/installation-row.ts";
import type { NewId } from "#server/db/ids.ts";
import { migrate, missingMigrations } from "#server/db/migrate.ts";
import { examineAddresses } from "#server/db/pooler.ts";
import { createFeatures, type Features } from "#server/features/index.ts";
import { createJobs } from "#server/jobs.ts";
import { claimConfiguredStore } from "#server/image-store-claim.ts";
import { openSecrets, renewSecrets } from "#server/secrets.ts";

export type Installation = {
  features: Features;
  db: Database;
  store: ImageStore;
  /** pictures of messages */
  privateStore: ImageStore;
  config: Config;
  secrets: Secrets;
  /** the address people use, without a slash at the end */
  publicUrl: string;
  /** false when they were made just now */
  hadSecrets: boolean;
  close: () => Promise<void>;
};

/** What others are refused: secrets that are lost made anew, pictures kept here and no longer elsewhere. */
export type Opens = "with-new-secrets" | "in-this-folder";

type Options = {
  newId?: NewId;
  /** of people who are made up: nobody is written to */
  isDemo?: boolean;
  opens?: Opens | null;
};

/** How to close what was opened, the last first. */
type Undo = (() => Promise<void> | void)[];

async function undoAll(undo: Undo): Promise<void> {
  for (const step of undo.splice(0).toReversed()) await step();
}

/** How long a server that is just starting may take until its database answers, milliseconds. */
const patienceMs = 30_000;

/**
 * Opens the installation of a configuration for a command: a stopped one is ours until we close it;
 * in a running one we are one more user of its database and its picture folder, beside the server.
 * Throws an Error with one sentence.
 */
export async function openInstallation(
  config: Config,
  log: Logger,
  { newId, isDemo = false, opens = null }: Options = {},
): Promise<Installation> {
  const undo: Undo = [];
  const close = () => undoAll(undo);
  try {
    const db = await openDatabase(config, log, undo);
    const hadSecrets = existsSync(config.secretsFile);
    const secrets =
      opens === "with-new-secrets" && !hadSecrets
        ? await renewSecrets(config.secretsFile, db)
        : await openSecrets(config.secretsFile, db);
    // What is added here is done by the server, now or once it runs again.
    const own = createJobs({ db, log });
    undo.push(own.stop);
    // People who are made up are not written to.
    const jobs = isDemo ? { ...own, add: async () => {} } : own;
    const stores = openImageStores({ config, log });
    await stores.check();
    const { privateStore, files } = stores;
    if (opens === "in-this-folder") await forgetImageStore(db);
    await claimConfiguredStore(config, db, stores.store, { anew: opens === "in-this-folder" });
    // What is made up stays here when strangers keep the pictures of people.
    const store =
      isDemo && config.imageStore.kind === "imgbb"
        ? createDiskStore({ dataDir: config.dataDir })
        : stores.store;
    const features = createFeatures({
      db,
      log,
      // The limits are there for strangers, not for whoever owns the machine.
      config: { ...config, rateLimits: false },
      secrets,
      store,
      privateStore,
      files,
      // A running server finds what changed by itself, within seconds.
      hints: noHints,
      jobs,
      mail: openMail({ config, files, jobs, log }),
      isDemo,
      ...(newId && { newId }),
    });
    const { publicUrl } = config;
    return { features, db, store, privateStore, config, secrets, publicUrl, hadSecrets, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openDatabase(config: Config, log: Logger, undo: Undo): Promise<Database> {
  const { connection, isOurs, close } = await openConnection(config, log);
  undo.push(close);
  if (isOurs) await migrate({ connection });
  else await refuseOlderDatabase(connection);
  // Nobody waits for a command: whole tables may be read.
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
 * The database of a configuration as it is: of a stopped installation, which is ours until we close it, or
 * of a running one. Throws an Error with one sentence.
 */
export async function openConnection(
  config: Pick<Config, "dataDir" | "databaseUrl" | "databaseDirectUrl">,
  log: Logger,
): Promise<{ connection: PoolConfig; isOurs: boolean; close: () => Promise<void> }> {
  const undo: Undo = [];
  const close = () => undoAll(undo);
  try {
    const claim = claimFreeDataDir(config.dataDir);
    if (claim) undo.push(claim.release);
    refuseUnfinishedRestore(config.dataDir);
    const given = await connectionFor(config, log, claim !== null, undo);
    const { direct: connection } = await examineAddresses(given, config.databaseDirectUrl);
    return { connection, isOurs: claim !== null, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The server that runs may be older than this code: its tables are not changed under it. */
async function refuseOlderDatabase(connection: PoolConfig): Promise<void> {
  const missing = await missingMigrations(connection);
  if (missing.length === 0) return;
  throw new Error(
    "The Postcard that runs is older than this one: restart it first, so that it brings its database up to date.",
  );
}

async function connectionFor(
  { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">,
  log: Logger,
  ours: boolean,
  undo: Undo,
): Promise<PoolConfig> {
  if (databaseUrl !== null) return { connectionString: databaseUrl };
  if (!ours) return running(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, log, onLost: giveUp });
  undo.push(postgres.stop);
  return postgres.connection;
}

function giveUp(error: Error): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** The database of the server that owns the folder; it may be starting at this moment. */
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
