import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { openImageStores } from "#server/adapters/image-store/open.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import { createApp } from "#server/app.ts";
import type { Config } from "#server/config.ts";
import { createDatabase, replicaOf, type Database } from "#server/db/database.ts";
import { createHints } from "#server/db/hints.ts";
import { migrate } from "#server/db/migrate.ts";
import { examineAddresses } from "#server/db/pooler.ts";
import { createFeatures, type Features } from "#server/features/index.ts";
import { diskSpaceOf } from "#server/disk-space.ts";
import { drain } from "#server/http/drain.ts";
import { createJobs } from "#server/jobs.ts";
import { waitAtMost, type Service } from "#server/lifecycle.ts";
import { claimConfiguredStore } from "#server/image-store-claim.ts";
import type { DatabaseAccess } from "#server/processes/database-for.ts";
import { storeLoggedErrors } from "#server/status/logged-errors.ts";
import { startMonitor } from "#server/status/monitor.ts";
import { loadBuiltScreens, loadDevelopmentScreens } from "#server/screens.ts";
import { openSecrets } from "#server/secrets.ts";
import { startSweeps } from "#server/sweeps.ts";

const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/** How long what is under way may take to finish when the server stops, in milliseconds. */
const inFlightMs = { requests: 7500, jobs: 3000 };

const unpreparedSentence =
  "the pooler at DATABASE_URL keeps no prepared statements, so PostgreSQL plans each anew";

type Serving = {
  config: Config;
  log: Logger;
  service: Service;
  openDatabase: () => Promise<DatabaseAccess>;
  /** the only process, or the first of several */
  isFirst?: boolean;
};

/** Every step from a database to a process that answers requests. */
export async function serve({
  config,
  log,
  service,
  openDatabase,
  isFirst = true,
}: Serving): Promise<{ app: FastifyInstance; features: Features }> {
  const { onStop } = service;
  const { store, privateStore, files, ...pictures } = openImageStores({ config, log });
  await pictures.check();
  const db = await readyDatabase(config, log, service, await openDatabase());
  const secrets = await openSecrets(config.secretsFile, db);
  await claimConfiguredStore(config, db, store);

  onStop("errors", storeLoggedErrors(db));
  const jobs = createJobs({ db, log });
  const hints = createHints({ db, log });
  onStop("hints", () => waitAtMost(1000, hints.close()));
  const mail = openMail({ config, files, jobs, log });
  onStop("mail", mail.close);
  const features = createFeatures({
    db,
    log,
    config,
    secrets,
    store,
    privateStore,
    files,
    hints,
    jobs,
    mail,
  });
  onStop("sweeps", startSweeps({ db, features, mail, log }));
  const screens = await loadScreens(config, log);
  onStop("screens", screens.close);
  const metrics = config.metricsPort === null ? null : await import("#server/metrics.ts");
  const deps = { config, db, features, store, pictures, hints, log, screens, metrics };
  const app = await createApp(deps);
  onStop("requests and jobs", async () => {
    const later = Promise.all([jobs.stop(), features.homeLists.stop()]);
    await Promise.all([drain(app, inFlightMs.requests), waitAtMost(inFlightMs.jobs, later)]);
  });
  await jobs.start();
  features.homeLists.start();
  await app.listen({ port: config.port, host: config.host }).catch((cause: Error) => {
    throw new Error(listenSentence(cause, config), { cause });
  });
  // Of several processes each watches: the first may be replaced, and one alone tells (0197).
  const room = (folder: string) => pictures.onDisk(() => diskSpaceOf(folder));
  onStop("watch", startMonitor({ config, db, troubles: features.troubles, log, room }));
  if (isFirst) await logFirstOperatorLink(features, config, log);
  return { app, features };
}

/** The database, brought up to date. */
async function readyDatabase(
  config: Config,
  log: Logger,
  { stopping, onStop }: Service,
  { connection, onFull }: DatabaseAccess,
): Promise<Database> {
  const addresses = await examineAddresses(connection, config.databaseDirectUrl);
  if (addresses.pooler && !addresses.pooler.prepares) log.warn(unpreparedSentence);
  const migrations = await migrate({ connection: addresses.direct });
  if (migrations.length > 0) log.info({ migrations }, "the database was brought up to date");
  const readConnection = replicaOf(config);
  const db = createDatabase({ ...addresses, readConnection, log, processes: config.processes });
  onFull?.(db.setFull);
  // Whoever stops us may stop PostgreSQL in the same moment, as systemd does.
  stopping.addEventListener("abort", db.expectEnd);
  onStop("database", () => waitAtMost(1000, db.close()));
  return db;
}

/** While nobody has the role, the log of each start holds a link; of several processes one writes it. */
async function logFirstOperatorLink(
  { firstOperator }: Features,
  { publicUrl }: Config,
  log: Logger,
): Promise<void> {
  const path = await firstOperator.issue();
  if (path === null) return;
  log.warn(
    { link: publicUrl + path },
    "nobody is an operator yet: whoever opens this link, once and within an hour, becomes one",
  );
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
