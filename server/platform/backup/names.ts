import { isInBucket } from "#server/platform/backup/bucket-files.ts";
import { join, lengthOf, namesIn } from "#server/platform/backup/files.ts";

/** A backup's folder is named after its time, and gets that name when it is complete. */
const nameForm = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;

/** The images of a backup of either kind, and those that came since the base of a chain. */
export const imageListName = "pictures.jsonl.gz";
export const newImagesName = "pictures-since.jsonl";

/** The beginning of the folder name of an unfinished backup. */
export const draftStart = ".draft-";

export const nameOf = (takenAt: Date): string =>
  `${takenAt.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;

export const momentOf = (name: string): Date => new Date(name.replace(nameForm, "$1T$2:$3:$4Z"));

/** The names of the backups in a folder, the oldest first; none if there is no folder. */
export async function backupNames(directory: string): Promise<string[]> {
  return (await sortedNames(directory)).whole;
}

/** The names of backups that were begun in a folder, and that nobody goes on with after an interruption. */
export async function draftNames(directory: string): Promise<string[]> {
  return (await sortedNames(directory)).drafts;
}

/** In a bucket a backup has its name from its beginning, and is complete once its manifest is sealed. */
async function sortedNames(directory: string): Promise<{ whole: string[]; drafts: string[] }> {
  const names = await namesIn(directory);
  const named = names.filter((name) => nameForm.test(name));
  if (!isInBucket(directory)) {
    return { whole: named, drafts: names.filter((name) => name.startsWith(draftStart)) };
  }
  const seals = named.map((name) => lengthOf(join(directory, name, "manifest.json.sha256")));
  const sealed = await Promise.all(seals);
  return {
    whole: named.filter((_, index) => sealed[index] !== null),
    drafts: named.filter((_, index) => sealed[index] === null),
  };
}
