import { limits } from "#shared/limits.ts";
import type { DoctorFinding, Need } from "#shared/operator.ts";
import { formatSize } from "#shared/sizes.ts";
import type { Jobs } from "#server/platform/db/failed-jobs.ts";
import type { OpenTrouble } from "#server/platform/status/troubles.queries.ts";

/** Also said by the doctor and at the command line. */
export const backupsOff = "Automatic backups are off.";
export const howToBackUp =
  "Set BACKUP_DIR to a folder on another disk, or to a bucket, and restart.";
export const mailOff = "Email isn't set up.";

type State = {
  troubles: readonly OpenTrouble[];
  /** null if automatic backups are off; `trouble` is empty if nothing is wrong with them */
  backups: { trouble: string } | null;
  /** null where there is none */
  continuous?: { trouble: string } | null;
  mailLeaves: boolean;
  /** bytes; null if unknown */
  free: number | null;
  jobs: Jobs;
  /** of the last checks */
  findings: readonly DoctorFinding[];
};

/** What a trouble is about. */
const aboutTrouble = {
  backup: "backups",
  drill: "backups",
  pictures: "photos",
  disk: "disk",
} as const satisfies Record<OpenTrouble["kind"], Need["about"]>;

/** What the doctor says about these is known better, and as it is now. */
const knownNow = new Set(["Backups", "Disk", "Jobs"]);

/**
 * Everything that an operator has to see to, one sentence or two each, the most urgent first. What is not
 * here is in order as far as the server knows. It reads what was found before, and looks at nothing itself.
 */
export function listNeeds({
  troubles,
  backups,
  continuous,
  mailLeaves,
  free,
  jobs,
  findings,
}: State): Need[] {
  const needs: Need[] = troubles.map(({ kind, said, beganAt }) => ({
    about: aboutTrouble[kind],
    text: said,
    since: beganAt,
    amount: null,
  }));
  const isNew = (about: Need["about"]) => needs.every((need) => need.about !== about);
  const add = (about: Need["about"], text: string, amount: number | null = null) =>
    needs.push({ about, text, since: null, amount });
  if (free !== null && free < limits.uploads.reserve && isNew("disk")) {
    add("disk", `Only ${formatSize(free)} of disk space is free: new photos are refused.`, free);
  }
  for (const seen of [backups, continuous]) {
    if (seen?.trouble && isNew("backups")) add("backups", seen.trouble);
  }
  const failed = jobs.failed.length;
  const late = jobs.waiting.reduce((sum, each) => sum + each.late, 0);
  if (failed > 0) add("jobs", `${count(failed, "job")} failed.`, failed);
  if (late > 0)
    add("late", `${count(late, "job")} should have begun more than ten minutes ago.`, late);
  for (const { state, about, text } of findings) {
    const photosKnown = about === "Pictures" && !isNew("photos");
    if (state === "problem" && !knownNow.has(about) && !photosKnown) add("checks", text);
  }
  if (!backups) add("backups-off", backupsOff);
  if (!mailLeaves) add("mail-off", mailOff);
  return needs;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
