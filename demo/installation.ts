import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolConfig } from "pg";
import type { Logger } from "pino";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import type { Config } from "#server/config.ts";
import { claimFreeDataDir, loadSecrets } from "#server/data-dir.ts";
import { createDatabase } from "#server/db/database.ts";
import { findRunningPostgres, startEmbeddedPostgres } from "#server/db/embedded-postgres.ts";
import { migrate } from "#server/db/migrate.ts";
import { createFeatures, type Features } from "#server/features/index.ts";
import { createJobs } from "#server/jobs.ts";
import { createClock, type Clock } from "./clock.ts";

export type Installation = {
  features: Features;
  clock: Clock;
  /** A word of the installation's own secret: the same every time, unknown to everybody else. */
  secretFor: (purpose: string) => string;
  close: () => Promise<void>;
};

/** How long a server that is just starting may take until its database answers, milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Opens the installation of a configuration: a stopped one is ours until we close it; in a running
 * one we are one more user of its database and its picture folder, beside the server.
 * Throws an Error with one sentence.
 */
export async function openInstallation(config: Config, log: Logger): Promise<Installation> {
  const undo: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const claim = claimFreeDataDir(config.dataDir);
    if (claim) undo.push(claim.release);
    const connection = await connectionFor(config, log, claim !== null, undo);
    await migrate({ connection });
    const db = createDatabase({ connection, log });
    undo.push(db.close);
    const secrets = loadSecrets(config.dataDir);
    const clock = createClock();
    const jobs = createJobs({ db, log });
    const features = createFeatures({
      db,
      log,
      // Sixty sign-ups from one place in a minute are what the limits are there to stop.
      config: { ...config, rateLimits: false },
      secrets,
      store: createDiskStore({ dataDir: config.dataDir }),
      jobs,
      mail: openMail({ config, jobs, log }),
      newId: clock.newId,
    });
    return { features, clock, secretFor: (purpose) => word(secrets.authSecret, purpose), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function connectionFor(
  { dataDir, databaseUrl }: Config,
  log: Logger,
  ours: boolean,
  undo: (() => Promise<void> | void)[],
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
  const deadline = Date.now() + PATIENCE_MS;
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
  const answered = await db.ping(2000);
  await db.close();
  return answered;
}

function word(secret: string, purpose: string): string {
  const bytes = createHmac("sha256", secret).update(purpose).digest();
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const text = Array.from(bytes.subarray(0, 12), (byte) => letters[byte % letters.length]).join("");
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
}
