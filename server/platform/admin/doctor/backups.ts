import { note, ok, problem, type Finding } from "#server/platform/admin/doctor/finding.ts";
import { coverageSentence } from "#server/platform/backup/coverage.ts";
import { startInspection } from "#server/platform/backup/folder.ts";
import {
  patienceMs,
  troubleOf,
  type FolderInspection,
} from "#server/platform/backup/inspect-folder.ts";
import { lastDueTime, overdueMs } from "#server/platform/backup/schedule.ts";
import type { Config } from "#server/config.ts";
import { backupsOff, howToBackUp } from "#server/platform/status/needs.ts";

const silentWords = "Is the disk of BACKUP_DIR there? Backups go on once it answers.";

/** `isMaking`: a backup is being taken at this moment. */
type Found = FolderInspection & { isMaking?: boolean };

/** Whether backups into BACKUP_DIR are taken, and the result of the newest one's drill. */
export async function checkBackups(
  { backupDir, backupAt }: Pick<Config, "backupDir" | "backupAt">,
  now = new Date(),
  look: () => Promise<Found | null> = inspectInProcess,
): Promise<Finding[]> {
  if (backupDir === null) {
    return [note("Backups", `${backupsOff} ${howToBackUp}`)];
  }
  const found = await look();
  const trouble = troubleOf(found?.state ?? "silent", backupDir);
  if (!found || trouble) return [problem("Backups", found ? trouble : `${trouble} ${silentWords}`)];
  const [newest] = found.backups;
  if (!newest && found.isMaking) return [note("Backups", "The first backup is being made.")];
  if (!newest) return [problem("Backups", `There is none in ${backupDir}: the log says why.`)];
  const { takenAt, drill } = newest;
  const what = `The newest one is of ${new Date(takenAt).toISOString()}`;
  const due = lastDueTime(backupAt, new Date(now.getTime() - overdueMs));
  if (takenAt < due.getTime()) {
    return [problem("Backups", `${what}, which is too long ago: the log says why.`)];
  }
  const [replayFault] = found.continuousDrill?.faults ?? [];
  if (replayFault !== undefined) {
    return [
      problem(
        "Backups",
        `The drill of the continuous backup found that something is not right: ${replayFault}`,
      ),
    ];
  }
  if (!drill) return [note("Backups", `${what}. It was not restored for a drill yet.`)];
  const [fault] = drill.faults;
  const parts = drill.coverage ? ` ${coverageSentence(drill.coverage)}` : "";
  return fault === undefined
    ? [ok("Backups", `${what}, and its drill found everything right.${parts}`)]
    : [problem("Backups", `${what}, and its drill found that something is not right: ${fault}`)];
}

/** Null if the folder does not answer: the process that reads it hangs, and this one does not. */
async function inspectInProcess(): Promise<Found | null> {
  const child = startInspection("pipe");
  const late = setTimeout(() => {
    child.kill("SIGKILL");
    // It may go on after this process has ended.
    child.stdout?.destroy();
    child.unref();
  }, patienceMs);
  try {
    let said = "";
    for await (const chunk of child.stdout ?? []) said += String(chunk);
    return JSON.parse(said) as Found;
  } catch {
    return null;
  } finally {
    clearTimeout(late);
  }
}
