import { stat } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "#server/adapters/image-store/durable-files.ts";
import { note, ok, problem, type Finding } from "#server/admin/doctor/finding.ts";
import { listBackups } from "#server/backup/manifest.ts";
import { lastTime, patienceMs } from "#server/backup/schedule.ts";
import { draftStart } from "#server/backup/take.ts";
import type { Config } from "#server/config.ts";

/** One that is under way writes all the time; what a broken one left is not touched any more, milliseconds. */
const silentMs = 10 * 60_000;

/** Whether somebody is writing one into the folder. */
async function isBeingMade(directory: string, now: Date): Promise<boolean> {
  const drafts = (await namesIn(directory)).filter((name) => name.startsWith(draftStart));
  // While pictures are copied, they lie beside the draft for a moment.
  for (const folder of [
    ...drafts,
    ...drafts.map((name) => join(name, "database")),
    "pictures/tmp",
  ]) {
    const path = join(directory, folder);
    for (const written of [path, ...(await namesIn(path)).map((name) => join(path, name))]) {
      const found = await stat(written).catch(() => null);
      if (found && now.getTime() - found.mtimeMs < silentMs) return true;
    }
  }
  return false;
}

/** Whether the backups of BACKUP_DIR are taken, and how the drill of the newest one went. */
export async function lookAtBackups(
  { backupDir, backupAt }: Pick<Config, "backupDir" | "backupAt">,
  now = new Date(),
): Promise<Finding[]> {
  if (backupDir === null) {
    return [
      note("Backups", "The server takes none by itself: set BACKUP_DIR to a folder for them."),
    ];
  }
  const newest = (await listBackups(backupDir)).at(-1);
  if (!newest) {
    return [
      (await isBeingMade(backupDir, now))
        ? note("Backups", "The first backup is being made.")
        : problem("Backups", `There is none in ${backupDir}: the log says why.`),
    ];
  }
  const { manifest, drill } = newest;
  const what = `The newest one is of ${manifest.takenAt}`;
  const due = lastTime(backupAt, new Date(now.getTime() - patienceMs));
  if (new Date(manifest.takenAt) < due) {
    return [problem("Backups", `${what}, which is too long ago: the log says why.`)];
  }
  if (!drill) return [note("Backups", `${what}. It was not restored for a drill yet.`)];
  const [fault] = drill.faults;
  return fault === undefined
    ? [ok("Backups", `${what}, and its drill found everything right.`)]
    : [problem("Backups", `${what}, and its drill found that something is not right: ${fault}`)];
}
