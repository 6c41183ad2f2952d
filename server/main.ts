import "#server/as-in-production.ts";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PoolConfig } from "pg";
import type { Logger } from "pino";
import { openImageStores } from "#server/adapters/image-store/open.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import { createApp } from "#server/app.ts";
import { atPort, readConfig, type Config } from "#server/config.ts";
import { claimDataDir } from "#server/data-dir.ts";
import { createDatabase } from "#server/db/database.ts";
import { createHints } from "#server/db/hints.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#server/db/embedded-postgres.ts";
import { migrate } from "#server/db/migrate.ts";
import { createFeatures } from "#server/features/index.ts";
import { createJobs } from "#server/jobs.ts";
import { drain } from "#server/http/drain.ts";
import { atMost, explain, runService, type Service } from "#server/lifecycle.ts";
import { createLog } from "#server/log.ts";
import { openSecrets } from "#server/secrets.ts";
import { startSweeps } from "#server/sweeps.ts";
import { loadBuiltScreens, loadDevelopmentScreens } from "#server/screens.ts";

const projectRoot = fileURLToPath(new URL("..", import.meta.url));

/** How long what is under way may take to finish when the server stops, in milliseconds. */
const inFlightMs = { requests: 7500, jobs: 3000 };

/** Every step from the configuration to a listening server; returns the address to print. */
async function start(config: Config, log: Logger, service: Service): Promise<string> {
  const { onStop } = service;
  const claim = claimDataDir(config.dataDir);
  onStop("data folder", claim.release);
  if (!config.rateLimits) log.warn("RATE_LIMITS is off: nothing slows down guessing and flooding");

  const { store, privateStore, ...pictures } = openImageStores({ config, log });
  await pictures.check();

  const { connection, onFull } = await databaseFor(config, log, service);
  const migrations = await migrate({ connection });
  if (migrations.length > 0) log.info({ migrations }, "the database was brought up to date");
  const db = createDatabase({ connection, log });
  onFull?.(db.setFull);
  // Whoever stops us may stop PostgreSQL in the same moment, as systemd does.
  service.stopping.addEventListener("abort", db.expectEnd);
  onStop("database", () => atMost(1000, db.close()));
  const secrets = await openSecrets(config.dataDir, db);

  const jobs = createJobs({ db, log });
  const hints = createHints({ db, log });
  onStop("hints", () => atMost(1000, hints.close()));
  const mail = openMail({ config, jobs, log });
  onStop("mail", mail.close);
  const features = createFeatures({
    db,
    log,
    config,
    secrets,
    store,
    privateStore,
    hints,
    jobs,
    mail,
  });
  onStop("sweeps", startSweeps({ db, features, mail, log }));
  const screens = await loadScreens(config, log);
  onStop("screens", screens.close);
  const app = await createApp({ config, db, features, store, pictures, log, screens });
  onStop("requests and jobs", async () => {
    await Promise.all([drain(app, inFlightMs.requests), atMost(inFlightMs.jobs, jobs.stop())]);
  });
  await jobs.start();
  await app.listen({ port: config.port, host: config.host }).catch((cause: Error) => {
    throw new Error(listenSentence(cause, config), { cause });
  });
  return config.publicUrl;
}

/** The embedded PostgreSQL, or the one that DATABASE_URL names. */
async function databaseFor(
  config: Config,
  log: Logger,
  service: Service,
): Promise<{ connection: PoolConfig; onFull?: EmbeddedPostgres["onFull"] }> {
  if (config.databaseUrl !== null) return { connection: { connectionString: config.databaseUrl } };
  const onLost = (error: Error) => service.giveUp(error);
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    onLost,
    stopping: service.stopping,
  });
  service.onStop("PostgreSQL", postgres.stop);
  return postgres;
}

function loadScreens(config: Config, log: Logger) {
  const report = (error: unknown, path: string) =>
    log.error({ err: error, path }, "a screen could not be rendered");
  if (config.nodeEnv === "development") return loadDevelopmentScreens(projectRoot, report);
  if (!existsSync(join(projectRoot, "build", "server", "index.js"))) {
    throw new Error("The screens are not built: npm start builds them.");
  }
  return loadBuiltScreens(projectRoot, report);
}

function listenSentence(error: NodeJS.ErrnoException, { port, host }: Config): string {
  if (error.code === "EADDRINUSE") return `PORT is ${port}, but something else uses it already.`;
  if (error.code === "EACCES") return `PORT is ${port}, but this user may not open that port.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return `HOST is "${host}", but this machine has no such address.`;
  }
  return `PORT is ${port} and HOST is "${host}", but listening there fails (${error.code}).`;
}

/** PORT=0: the addresses in the configuration need a number before anything listens. */
async function withRealPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const probe = createServer();
  const port = await new Promise<number>((resolve) => {
    probe.listen(0, config.host, () => resolve((probe.address() as { port: number }).port));
  });
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return atPort(config, port);
}

try {
  const config = await withRealPort(readConfig());
  const log = createLog(config.logLevel);
  await runService({ log, start: (service) => start(config, log, service) });
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
