import {
  clockFinding,
  fixed,
  note,
  ok,
  problem,
  type Finding,
} from "#server/platform/admin/doctor/finding.ts";
import { countJobs } from "#server/platform/db/failed-jobs.ts";
import { readDatabaseHealth, rebuildIndex } from "#server/platform/db/health.ts";
import type { Counters } from "#server/platform/db/counters.ts";
import type { Database } from "#server/platform/db/database.ts";
import { formatSize } from "#shared/sizes.ts";

/** Half of the 2 billion at which PostgreSQL stops; autovacuum begins at 200 million. */
const mostUnfrozen = 1_000_000_000;
const longTransaction = 60 * 60;

type On = { db: Database };

/** Checks one thing in an open installation; with `fix`, repairs it as far as that is safe. */
export type Check<Installation> = (installation: Installation, fix: boolean) => Promise<Finding[]>;

export async function checkDatabase({ db }: On, fix: boolean): Promise<Finding[]> {
  const asked = Date.now();
  const condition = await readDatabaseHealth(db);
  const answered = Date.now();
  const { version, bytes, damagedBlocks, longestTransaction, unfrozen, now } = condition;
  const broken: Finding[] = [];
  for (const index of condition.brokenIndexes) broken.push(await brokenIndex({ db }, index, fix));
  // The database read its clock somewhere between the two.
  const ahead = now < asked ? now - asked : Math.max(0, now - answered);
  return [
    ok("Database", `PostgreSQL ${version}, ${formatSize(bytes)}.`),
    damagedBlocks > 0 &&
      problem(
        "Database",
        `${damagedBlocks} blocks on its disk were damaged. Make a backup now, look at the disk, and restore onto a good one.`,
      ),
    ...broken,
    longestTransaction > longTransaction &&
      note(
        "Database",
        `A transaction has been open for ${Math.floor(longestTransaction / 3600)} h, and keeps deleted rows on the disk. See pg_stat_activity.`,
      ),
    unfrozen > mostUnfrozen &&
      problem(
        "Database",
        "Old rows weren't frozen for long, and PostgreSQL will stop writing. Run VACUUM as its owner.",
      ),
    !condition.autovacuum &&
      problem("Database", "autovacuum is off: tables grow and searches get slow. Turn it on."),
    clockFinding("database's", ahead) ?? ok("Clock", "The database's and this machine's agree."),
  ].filter((finding) => finding !== false);
}

async function brokenIndex({ db }: On, index: string, fix: boolean): Promise<Finding> {
  if (!fix)
    return problem("Database", `The index ${index} is broken and not used. --fix makes it again.`);
  await rebuildIndex(db, index);
  return fixed("Database", `The index ${index} was broken, and was made again.`);
}

/** Whether the counters agree with the rows they count. */
export function checkCounters({ reconcileCounters, repairCounters }: Counters): Check<On> {
  return async ({ db }, fix) => {
    const found = await reconcileCounters(db);
    if (found.length === 0) return [ok("Counters", "All of them match.")];
    const { length: left } = fix ? await repairCounters(db, found) : found;
    const text =
      left === 0
        ? `${found.length} counters didn't match their rows, and do now.`
        : `${left} counters don't match their rows. ${fix ? 'These need you: see "npm run admin -- check-counters".' : "--fix sets them."}`;
    return [left === 0 ? fixed("Counters", text) : problem("Counters", text)];
  };
}

export async function checkJobs({ db }: On): Promise<Finding[]> {
  const found = await countJobs(db);
  const failed = found.reduce((sum, each) => sum + each.failed, 0);
  const late = found.reduce((sum, each) => sum + each.late, 0);
  return [
    failed > 0 &&
      problem("Jobs", `${failed} failed in the last minutes: "npm run admin -- jobs" says which.`),
    late > 0 &&
      note("Jobs", `${late} should have begun more than ten minutes ago. Is Postcard running?`),
    failed + late === 0 && ok("Jobs", "None is late, and none failed lately."),
  ].filter((finding) => finding !== false);
}
