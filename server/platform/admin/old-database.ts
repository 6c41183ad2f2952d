import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { printLine } from "#server/platform/admin/print.ts";
import { type ParsedArguments } from "#server/platform/admin/command-line.ts";
import type { Config } from "#server/config.ts";
import { diskUsage } from "#server/platform/disk-space.ts";
import { removeStoredPrograms } from "#server/platform/db/stored-programs.ts";
import { oldClusters } from "#server/platform/db/postgres-cluster.ts";
import { formatSize } from "#shared/sizes.ts";

/**
 * old-database: shows and removes what upgrades of PostgreSQL left behind. Works with or without a running
 * server.
 */
export async function oldDatabase(
  { dataDir }: Config,
  { options }: ParsedArguments,
): Promise<number> {
  const found = oldClusters(dataDir);
  if (found.length === 0) printLine("There is no database of before an upgrade of PostgreSQL.");
  for (const { major, folder } of found) {
    const size = formatSize(await diskUsage(folder));
    if (options["remove"] !== true) {
      printLine(`${folder}: the database of PostgreSQL ${major}, ${size}. --remove removes it.`);
      continue;
    }
    // If the removal breaks off, the rest is no database: the next start removes folders with this name as
    // well.
    const draft = join(dataDir, "postgres", `draft-removed-${major}`);
    renameSync(folder, draft);
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
    await removeStoredPrograms(dataDir, major);
    printLine(`Removed ${folder}, ${size}.`);
  }
  return 0;
}
