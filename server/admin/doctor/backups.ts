import { note, ok, problem, type Finding } from "#server/admin/doctor/finding.ts";
import { listBackups } from "#server/backup/manifest.ts";
import { lastTime } from "#server/backup/schedule.ts";
import type { Config } from "#server/config.ts";

/** One that is due may take hours, milliseconds. */
const patienceMs = 6 * 60 * 60_000;

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
  if (!newest) return [problem("Backups", `There is none in ${backupDir}: the log says why.`)];
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
