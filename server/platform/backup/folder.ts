import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readInspection } from "#server/platform/backup/folder.queries.ts";
import {
  patienceMs,
  troubleOf,
  type BackupSummary,
  type DrillSummary,
} from "#server/platform/backup/inspect-folder.ts";
import type { Database } from "#server/platform/db/database.ts";

/** A folder of backups, the newest first; `trouble`: what is wrong with it, in a sentence, or empty. */
export type Folder = {
  list: BackupSummary[];
  continuousDrill: DrillSummary | null;
  trouble: string;
};

/** Before the first inspection. */
export const unseenFolder: Folder = { list: [], continuousDrill: null, trouble: "" };

/** The folder at the last inspection, which it never touches. Null before the first inspection. */
export async function readFolder(db: Database, path: string): Promise<Folder | null> {
  const found = await readInspection(db, path, patienceMs / 1000);
  if (!found) return null;
  const { backups: list, continuousDrill, state, isSilent } = found;
  return { list, continuousDrill, trouble: troubleOf(isSilent ? "silent" : state, path) };
}

const program = fileURLToPath(new URL("inspect-folder-program.ts", import.meta.url));

/**
 * Starts an inspection of BACKUP_DIR, which prints what it found and ends with `dueCode` if a backup is due.
 * While the folder does not answer, it hangs, and possibly cannot be killed.
 */
export const startInspection = (output: "ignore" | "pipe" = "ignore"): ChildProcess =>
  spawn(process.execPath, [program], { stdio: ["ignore", output, "ignore"] });
