import type pg from "pg";
import { join, replace } from "#server/platform/backup/files.ts";
import { recordAsOurs, readKnownFolder } from "#server/platform/backup/folder.queries.ts";
import {
  inspectFolder,
  markName,
  readMark,
  unmarkedSentence,
} from "#server/platform/backup/inspect-folder.ts";

/**
 * Throws one sentence if this installation has backups at a path, but the folder there now is another one: if
 * its disk is not mounted, a backup would fill the disk below, and be hidden later.
 */
export async function refuseUnmarked(
  client: pg.Client,
  path: string,
  isNew = false,
): Promise<void> {
  const known = await readKnownFolder(client, path);
  const mark = await readMark(path);
  if (known?.installation && mark && mark !== known.installation) throw foreignBackupsError(path);
  if (isNew || !known?.isOurs) return;
  if ((await inspectFolder(path, known)).state === "unmarked")
    throw new Error(unmarkedSentence(path));
}

/** Marks the folder at its first backup, and records that in the database. */
export async function markFolder(
  client: pg.Client,
  path: string,
  installation: string | null,
): Promise<void> {
  if (installation === null || !(await readKnownFolder(client, path))) return;
  if ((await readMark(path)) !== installation) {
    await replace(join(path, markName), `${installation}\n`);
  }
  await recordAsOurs(client, path);
}

export const foreignBackupsError = (directory: string): Error =>
  new Error(`${directory} holds backups of another Postcard: choose a folder of its own.`);
