import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { openImageStores } from "#server/adapters/image-store/open.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import { createApp } from "#server/app.ts";
import type { Config } from "#server/config.ts";
import { createHints } from "#server/platform/db/hints.ts";
import { sampleImageKeys } from "#server/features/administration/index.ts";
import { hintWords } from "#server/features/change-hint.ts";
import { createFeatures, type Features } from "#server/features/index.ts";
import { hasAccounts } from "#server/features/people/index.ts";
import { diskSpaceOf } from "#server/platform/disk-space.ts";
import { drain } from "#server/http/drain.ts";
import { retire } from "#server/http/retire.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { waitAtMost } from "#server/platform/lifecycle.ts";
import { claimConfiguredStore } from "#server/platform/image-store-claim.ts";
import { listen, readyDatabase, type Serve } from "#server/platform/processes/serving.ts";
import { storeLoggedErrors } from "#server/platform/status/logged-errors.ts";
import { startMonitor } from "#server/platform/status/monitor.ts";
import { builtScreens, loadBuiltScreens, loadDevelopmentScreens } from "#server/screens.ts";
import { sourceLanguage } from "../scripts/lib/languages.mjs";
import { openSecrets } from "#server/platform/secrets.ts";
import { startSweeps } from "#server/platform/sweeps.ts";

const projectRoot = fileURLToPath(new URL("..", import.meta.url));

/** How long requests and jobs may take to finish when the server stops, in milliseconds. */
const inFlightMs = { requests: 7500, jobs: 3000 };

/** All steps from a database to a process that answers requests. */
export const serve: Serve = async ({ config, log, service, openDatabase, isFirst = true }) => {
  const { onStop } = service;
  const { store, privateStore, files, ...pictures } = openImageStores({ config, log });
  await pictures.check();
  const db = await readyDatabase(config, log, service, await openDatabase());
  const secrets = await openSecrets(config.secretsFile, db, hasAccounts);
  await claimConfiguredStore(config, db, { store, someKeys: sampleImageKeys });

  onStop("errors", storeLoggedErrors(db));
  const jobs = createJobs({ db, log });
  const hints = createHints({ db, log, words: hintWords });
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
  onStop("sweeps", startSweeps({ db, swept: [...sweepsOf(features), mail], log }));
  const screens = await loadScreens(config, log);
  onStop("screens", screens.close);
  const metrics = config.metricsPort === null ? null : await import("#server/platform/metrics.ts");
  const deps = { config, db, features, store, pictures, hints, log, screens, metrics };
  const app = await createApp(deps);
  onStop("requests and jobs", async () => {
    const later = Promise.all([jobs.stop(), features.homeLists.stop()]);
    await Promise.all([drain(app, inFlightMs.requests), waitAtMost(inFlightMs.jobs, later)]);
  });
  await jobs.start();
  features.homeLists.start();
  await listen(app, config);
  // Each of several processes watches, because the first may be replaced; only one of them notifies (0197).
  const room = (folder: string) => pictures.onDisk(() => diskSpaceOf(folder));
  onStop("watch", startMonitor({ config, db, troubles: features.troubles, log, room }));
  if (isFirst) await logFirstOperatorLink(features, config, log);
  return {
    retire: () => {
      features.live.stop();
      return retire(app);
    },
  };
};

/** The features with data that expires. */
const sweepsOf = (features: Features) => [
  features.identity,
  features.apps,
  features.invitations,
  features.images,
  features.resumableUploads,
  features.visitorUploads,
  features.homeLists,
  features.search,
  features.tags,
  features.providers,
  features.idempotency,
  features.chat,
  features.sharedLinks,
  features.exports,
  features.imports,
  features.deviceImports,
  features.deletion,
  features.moderation,
  features.notifications,
  features.digest,
  features.blocks,
];

/**
 * Until somebody is an operator, each start logs a link for the first one; of several processes, one logs it.
 */
async function logFirstOperatorLink(
  { firstOperator }: Features,
  { publicUrl }: Config,
  log: Logger,
): Promise<void> {
  const path = await firstOperator.issue();
  if (path === null) return;
  log.warn(
    { link: publicUrl + path },
    "nobody is an operator yet: the first person to open this link within an hour becomes one",
  );
}

function loadScreens(config: Config, log: Logger) {
  const report = (error: unknown, path: string) =>
    log.error({ err: error, path }, "a screen could not be rendered");
  if (config.nodeEnv === "development") {
    return loadDevelopmentScreens(projectRoot, config.languages, report);
  }
  // English has the names of all pages and is there in any case.
  for (const language of [sourceLanguage, ...config.languages]) {
    if (existsSync(builtScreens(projectRoot, language))) continue;
    throw new Error(`The screens are not built in "${language}": npm start builds them.`);
  }
  return loadBuiltScreens(projectRoot, report, config.languages);
}
