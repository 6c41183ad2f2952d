import { readdirSync } from "node:fs";

/** A backup's folder is named after its time, and gets that name when it is complete. */
const nameForm = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;

/** The beginning of the folder name of an unfinished backup. */
export const draftStart = ".draft-";

export const nameOf = (takenAt: Date): string =>
  `${takenAt.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;

export const momentOf = (name: string): Date => new Date(name.replace(nameForm, "$1T$2:$3:$4Z"));

/** The names of the backups in a folder, the oldest first; none if there is no folder. */
export function backupNames(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => nameForm.test(name))
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
