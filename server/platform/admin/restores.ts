import { z } from "zod";
import { throttledProgress } from "#server/platform/admin/backups.ts";
import { printLine } from "#server/platform/admin/print.ts";
import type { ProductData } from "#server/platform/admin/product-data.ts";
import { usageError, type ParsedArguments } from "#server/platform/admin/command-line.ts";
import { useBucket } from "#server/platform/backup/bucket-files.ts";
import { inMegabytes } from "#server/platform/backup/required-space.ts";
import { restoreBackup, type Restored } from "#server/platform/backup/restore.ts";
import type { RestoreProgress } from "#server/platform/backup/restore-target.ts";
import { readBackupPlace, type Config } from "#server/config.ts";
import { createLog } from "#server/platform/log.ts";
import { untilStopped } from "#server/platform/lifecycle.ts";

/** restore: into an empty DATA_DIR, and the database of DATABASE_URL if that is set. */
export async function runRestore(
  given: Config,
  { operands, options }: ParsedArguments,
  { imageTables, deleteAgain }: ProductData,
): Promise<number> {
  const { backupDir: from, backupBucket } = readBackupPlace(operands[0] ?? "");
  if (backupBucket) useBucket(backupBucket, given.dataDir);
  if (given.imageStoreFrom) throw usageError("IMAGE_STORE_FROM is for moving pictures: unset it.");
  // Loading rows needs a session, which a pooler does not provide.
  const config = { ...given, databaseUrl: given.databaseDirectUrl ?? given.databaseUrl };
  const restored = await restoreBackup(from, config, {
    imageTables,
    deleteAgain: (accounts) => deleteAgain(config, accounts),
    to: momentFrom(options["to"]),
    log: createLog("silent"),
    onProgress: throttledProgress(restoreProgress),
    signal: untilStopped(),
  });
  printRestored(restored);
  return 0;
}

/** The moment of --to; null without it. Throws usageError with a sentence. */
function momentFrom(given: string | boolean | undefined): Date | null {
  if (given === undefined) return null;
  if (!z.iso.datetime({ offset: true }).safeParse(given).success) {
    throw usageError(
      `--to is ${String(given)}, but must be a moment, such as 2026-11-28T10:15:00Z.`,
    );
  }
  return new Date(String(given));
}

function printRestored({ folder, until, rows, pictures, ...restored }: Restored): void {
  const counted = rows === null ? "" : `${rows} rows and `;
  const upTo = rows === null ? `until ${until}` : `of ${until}`;
  printLine(`Restored ${folder}, ${upTo}: ${counted}${pictures} pictures.`);
  for (const note of restored.notes) printLine(`  ${note}`);
  for (const key of restored.skipped) {
    printLine(`  without its original, so not restored: picture ${key}`);
  }
  for (const table of restored.unknown) {
    printLine(`  no table of Postcard's, so not restored: ${table}`);
  }
  if (restored.deletedAgain > 0) {
    printLine(`  deleted for good before, so deleted again: ${restored.deletedAgain} accounts`);
  }
  printLine(`It was served at ${restored.publicUrl}. Start it with npm start.`);
}

function restoreProgress(progress: RestoreProgress): string {
  if (progress.step === "rows") return `Rows of ${progress.table}`;
  if (progress.step === "images") return `Pictures: ${progress.done} of ${progress.of}`;
  if (progress.step === "replay") return "PostgreSQL replays its log";
  const bytes = inMegabytes(progress.bytes);
  if (progress.step === "log") return `Comparing the log with its hashes: ${bytes}`;
  const what =
    progress.step === "unpack" ? "Unpacking the database" : "Comparing the backup with its hashes";
  return `${what}: ${bytes} of ${inMegabytes(progress.of)}`;
}
