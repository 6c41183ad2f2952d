import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readInspection } from "#server/platform/backup/folder.queries.ts";
import {
  patienceMs,
  troubleOf,
  type BackupSummary,
} from "#server/platform/backup/inspect-folder.ts";
import type { Database } from "#server/platform/db/database.ts";

/**
 * The state of a folder of backups at the last inspection, the newest backup first; `trouble`: what is wrong
 * with the folder, in a sentence, or empty. Never touches the folder. Null before the first inspection.
 */
export async function readFolder(
  db: Database,
  path: string,
): Promise<{ list: BackupSummary[]; trouble: string } | null> {
  const found = await readInspection(db, path, patienceMs / 1000);
  if (!found) return null;
  return { list: found.backups, trouble: troubleOf(found.isSilent ? "silent" : found.state, path) };
}

const program = fileURLToPath(new URL("inspect-folder-program.ts", import.meta.url));

/**
 * Starts an inspection of BACKUP_DIR, which prints what it found and ends with `dueCode` if a backup is due.
 * While the folder does not answer, it hangs, and possibly cannot be killed.
 */
export const startInspection = (output: "ignore" | "pipe" = "ignore"): ChildProcess =>
  spawn(process.execPath, [program], { stdio: ["ignore", output, "ignore"] });
