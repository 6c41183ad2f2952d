import {
  clockFinding,
  fixed,
  note,
  ok,
  problem,
  type Finding,
} from "#server/admin/doctor/finding.ts";
import { readDatabaseHealth, readJobHealth, rebuildIndex } from "#server/db/health.ts";
import { reconcileCounters } from "#server/db/reconcile-counters.ts";
import { repairCounters } from "#server/db/repair-counters.ts";
import { checkSomeImages } from "#server/features/administration/index.ts";
import type { Installation } from "#server/installation.ts";
import { formatSize } from "#shared/sizes.ts";

/** Pictures of each table that are compared: an answer within seconds. */
const sampledImages = 200;
/** Half of what PostgreSQL has before it stops (2 billion): an autovacuum begins at 200 million. */
const mostUnfrozen = 1_000_000_000;
const longTransaction = 60 * 60;

/** What can be seen in an open installation. */
export async function checkInstallation(
  installation: Installation,
  fix: boolean,
): Promise<Finding[]> {
  return [
    ...(await database(installation, fix)),
    await counters(installation, fix),
    await pictures(installation),
    ...(await jobs(installation)),
    ...(await pushes(installation)),
  ];
}

async function database({ db }: Installation, fix: boolean): Promise<Finding[]> {
  const asked = Date.now();
  const condition = await readDatabaseHealth(db);
  const answered = Date.now();
  const findings = [
    ok("Database", `PostgreSQL ${condition.version}, ${formatSize(condition.bytes)}.`),
  ];
  if (condition.damagedBlocks > 0) {
    findings.push(
      problem(
        "Database",
        `${condition.damagedBlocks} blocks on its disk were damaged. Make a backup now, look at the disk, and restore onto a good one.`,
      ),
    );
  }
  for (const index of condition.brokenIndexes) findings.push(await brokenIndex({ db }, index, fix));
  if (condition.longestTransaction > longTransaction) {
    findings.push(
      note(
        "Database",
        `A transaction has been open for ${Math.floor(condition.longestTransaction / 3600)} h, and keeps deleted rows on the disk. See pg_stat_activity.`,
      ),
    );
  }
  if (condition.unfrozen > mostUnfrozen) {
    findings.push(
      problem(
        "Database",
        "Old rows weren't frozen for long, and PostgreSQL will stop writing. Run VACUUM as its owner.",
      ),
    );
  }
  if (!condition.autovacuum) {
    findings.push(
      problem("Database", "autovacuum is off: tables grow and searches get slow. Turn it on."),
    );
  }
  // The answer was made between the two.
  const ahead =
    condition.now < asked ? condition.now - asked : Math.max(0, condition.now - answered);
  findings.push(
    clockFinding("database's", ahead) ?? ok("Clock", "The database's and this machine's agree."),
  );
  if (condition.madeInTheFuture > 0) {
    findings.push(
      note(
        "Clock",
        `${condition.madeInTheFuture} accounts were made later than now: a clock was ahead, and what was posted then stands first until its time comes.`,
      ),
    );
  }
  return findings;
}

async function brokenIndex(
  { db }: Pick<Installation, "db">,
  index: string,
  fix: boolean,
): Promise<Finding> {
  if (!fix)
    return problem("Database", `The index ${index} is broken and not used. --fix makes it again.`);
  await rebuildIndex(db, index);
  return fixed("Database", `The index ${index} was broken, and was made again.`);
}

async function counters({ db }: Installation, fix: boolean): Promise<Finding> {
  const { found, left } = fix ? await repairCounters(db) : await both(db);
  if (found.length === 0) return ok("Counters", "They say what the rows say.");
  if (left.length > 0) {
    return problem(
      "Counters",
      `${left.length} don't say what the rows say. ${fix ? 'These need you: see "npm run admin -- check-counters".' : "--fix sets them."}`,
    );
  }
  return fixed("Counters", `${found.length} didn't say what the rows say, and do now.`);
}

async function both(db: Installation["db"]) {
  const found = await reconcileCounters(db);
  return { found, left: found };
}

async function pictures(installation: Installation): Promise<Finding> {
  let faults = 0;
  const { checked, all } = await checkSomeImages(installation, () => (faults += 1), sampledImages);
  if (checked === 0) return ok("Pictures", "There are none yet.");
  const which = all ? `All ${checked} pictures` : `${checked} pictures, chosen at random,`;
  if (faults === 0) return ok("Pictures", `${which} are as they were kept.`);
  return problem(
    "Pictures",
    `${which} were compared: ${faults} files are missing or damaged. "npm run admin -- check-pictures" names them; they can come back from a backup.`,
  );
}

async function jobs({ db }: Installation): Promise<Finding[]> {
  const found = await readJobHealth(db);
  if (found.length === 0) return [ok("Jobs", "Nothing waits, and nothing was given up lately.")];
  return found.map(({ name, failed, late }) =>
    failed > 0
      ? problem(
          "Jobs",
          `${failed} of ${name} were given up in the last minutes. The log says why: "a job was given up".`,
        )
      : note(
          "Jobs",
          `${late} of ${name} should have begun more than ten minutes ago. Is Postcard running?`,
        ),
  );
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
