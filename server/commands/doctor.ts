import { note, ok, problem, type Finding } from "#server/platform/admin/doctor/finding.ts";
import {
  checkCounters,
  checkDatabase,
  checkJobs,
  type Check,
} from "#server/platform/admin/doctor/database.ts";
import { accountsAhead, checkSomeImages } from "#server/features/administration/index.ts";
import { reconcileCounters, repairCounters } from "#server/features/counters.queries.ts";
import type { Installation } from "#server/installation.ts";

/** How many images of each table are compared, so that the command ends within seconds. */
const sampledImages = 200;

/** The checks that run in an open installation, in this order. */
export const checks: readonly Check<Installation>[] = [
  checkDatabase,
  ahead,
  checkCounters({ reconcileCounters, repairCounters }),
  pictures,
  checkJobs,
  pushes,
];

async function ahead({ db }: Installation): Promise<Finding[]> {
  const accounts = await accountsAhead(db);
  if (accounts === 0) return [];
  return [
    note(
      "Clock",
      `${accounts} accounts were made later than now: a clock was ahead, and what was posted then stands first until its time comes.`,
    ),
  ];
}

async function pictures(installation: Installation): Promise<Finding[]> {
  let faults = 0;
  const { checked, all } = await checkSomeImages(installation, () => (faults += 1), sampledImages);
  if (checked === 0) return [ok("Pictures", "There are none yet.")];
  const which = all ? `All ${checked} pictures` : `${checked} pictures, chosen at random,`;
  if (faults === 0) return [ok("Pictures", `${which} are as they were kept.`)];
  return [
    problem(
      "Pictures",
      `${which} were compared: ${faults} files are missing or damaged. "npm run admin -- check-pictures" names them; they can come back from a backup.`,
    ),
  ];
}

async function pushes({ features, config }: Installation): Promise<Finding[]> {
  const services = await features.push.checkServices();
  if (services.length === 0 && !config.publicUrl.startsWith("https:")) return [];
  const away = services.filter(({ answers }) => !answers);
  if (away.length === 0) {
    const count = services.reduce((sum, { subscriptions }) => sum + subscriptions, 0);
    return [ok("Pushes", `${count} browsers and apps are pushed to, and their services answer.`)];
  }
  return away.map(({ origin, subscriptions }) =>
    problem(
      "Pushes",
      `${origin}, the service of ${subscriptions} browsers and apps, can't be reached from here. Let this machine connect to it.`,
    ),
  );
}
