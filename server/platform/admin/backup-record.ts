import type { Logger } from "pino";
import { openImageStores } from "#server/adapters/image-store/open.ts";
import { openConnection } from "#server/platform/admin/open.ts";
import { findCorruptImages } from "#server/platform/backup/live-images.ts";
import { pathOfImage, type ImageTables } from "#server/platform/backup/images.ts";
import type { Taken } from "#server/platform/backup/take.ts";
import type { Config } from "#server/config.ts";
import { patientBounds } from "#server/platform/db/time-limits.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { diskSpaceOf } from "#server/platform/disk-space.ts";
import {
  readBackupRun,
  writeBackupRun,
  type BackupRunUpdate,
} from "#server/platform/status/backup-runs.queries.ts";

export type Run = { config: Config; directory: string; log: Logger; imageTables: ImageTables };

/*
 * Records the results of backups into BACKUP_DIR in the database, where servers read them: servers notify
 * operators (server/platform/status/monitor.ts) and never read that folder. What cannot be recorded is only
 * logged.
 */

export const recordFailure = (run: Run, failure: string) => record(run, async () => ({ failure }));

export const recordTaken = (run: Run) => record(run, async () => ({ failure: "" }));

/** Compares images in the server's store with the backup. Returns the files that are corrupt. */
export async function recordCorruptImages(
  run: Run,
  taken: Taken,
  signal: AbortSignal,
): Promise<string[]> {
  const { config, directory, log, imageTables } = run;
  let rotten: string[] = [];
  await record(run, async (db) => {
    const found = await findCorruptImages(taken, {
      imageTables,
      stores: openImageStores({ config, log }),
      db,
      before: (await readBackupRun(db, config.backupDir ?? directory))?.rotten ?? [],
      signal,
    });
    const missing = taken.faulty.flatMap((image) =>
      image.missing.map((name) => pathOfImage(image, name)),
    );
    rotten = [...new Set([...missing, ...found])];
    return { rotten };
  });
  return rotten;
}

async function record(
  { config, directory, log }: Run,
  learn: (db: Database) => Promise<BackupRunUpdate>,
): Promise<void> {
  const { backupDir } = config;
  if (backupDir === null || directory !== backupDir) return;
  try {
    await using closing = new AsyncDisposableStack();
    const { connection, close } = await openConnection(config, log);
    closing.defer(close);
    const db = createDatabase({ connection, log, bounds: patientBounds });
    closing.defer(db.close);
    const room = await diskSpaceOf(directory).catch(() => undefined);
    await writeBackupRun(db, backupDir, { ...(await learn(db)), ...(room && { room }) });
  } catch (error) {
    log.warn({ err: error }, "what became of the backup could not be written down");
  }
}
