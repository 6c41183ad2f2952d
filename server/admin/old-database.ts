import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { line } from "#server/admin/print.ts";
import { type Given } from "#server/admin/words.ts";
import type { Config } from "#server/config.ts";
import { bytesOf } from "#server/free-bytes.ts";
import { forgetPrograms } from "#server/db/kept-programs.ts";
import { oldClusters } from "#server/db/postgres-cluster.ts";
import { sizeInWords } from "#shared/sizes.ts";

/** old-database: what upgrades of PostgreSQL left behind, and how to be rid of it. Beside a server or without one. */
export async function oldDatabase({ dataDir }: Config, { options }: Given): Promise<number> {
  const found = oldClusters(dataDir);
  if (found.length === 0) line("There is no database of before an upgrade of PostgreSQL.");
  for (const { major, folder } of found) {
    const size = sizeInWords(await bytesOf(folder));
    if (options["remove"] !== true) {
      line(`${folder}: the database of PostgreSQL ${major}, ${size}. --remove removes it.`);
      continue;
    }
    // Half of it is no database: the next start, too, removes what has this name.
    const draft = join(dataDir, "postgres", `draft-removed-${major}`);
    renameSync(folder, draft);
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
    await forgetPrograms(dataDir, major);
    line(`Removed ${folder}, ${size}.`);
  }
  return 0;
}
