import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { doctor, type Examined } from "#server/platform/admin/doctor/doctor.ts";
import { printLine } from "#server/platform/admin/print.ts";
import type { ProductData } from "#server/platform/admin/product-data.ts";
import {
  flag,
  oneOperand,
  value,
  type Command,
  type CommandWork,
  type ParsedArguments,
} from "#server/platform/admin/command-line.ts";
import type { Config } from "#server/config.ts";
import { claimFreeDataDir, type Secrets } from "#server/platform/data-dir.ts";
import { oldClusters } from "#server/platform/db/postgres-cluster.ts";
import { removeStoredPrograms } from "#server/platform/db/stored-programs.ts";
import { diskUsage } from "#server/platform/disk-space.ts";
import { askForRoll } from "#server/platform/processes/rolling-restart-socket.ts";
import { formatSize } from "#shared/sizes.ts";

type On = { config: Config; secrets: Secrets; close: () => Promise<void> };

/** Commands for the installation's machine: backups, restores, restarts, its database. */
export const machineCommands = <Installation extends On>(
  product: Examined<Installation> & { productData: ProductData },
): Record<string, Command<On>> => ({
  doctor: {
    uses: [
      [
        "[--fix] [--json]",
        "looks at everything Postcard stands on, says what to do, and with --fix",
        "repairs what it safely can; the same as npm run doctor",
      ],
    ],
    options: { fix: flag, json: flag },
    standalone: ({ options }) => doctor(options, product),
  },
  roll: {
    uses: [
      [
        "",
        "replaces the processes of a running server one after another by new",
        "ones, with the code that lies here now, and refuses nobody meanwhile",
      ],
    ],
    standalone: () => roll,
  },
  "old-database": {
    uses: [
      ["[--remove]", "the database that an upgrade of PostgreSQL left as it was, and its size"],
    ],
    options: { remove: flag },
    standalone: (given) => (config) => oldDatabase(config, given),
  },
  backup: {
    uses: [
      [
        "[folder] [--drill] [--new-folder]",
        "(npm run backup) takes a backup into a folder, or BACKUP_DIR; --drill",
        "restores it into a temporary database, too, and compares it;",
        "--new-folder accepts a new disk in the place of the former",
      ],
    ],
    options: { drill: flag, scheduled: flag, now: flag, continuous: flag, "new-folder": flag },
    operands: [0, 1],
    standalone: (given) => async (config) =>
      // A server of the release before starts it so; this one starts server/ship.ts.
      given.options["continuous"]
        ? (await continuous()).runContinuous(config, product.productData.imageTables)
        : (await backups()).runBackup(config, given, product.productData),
  },
  "restore-backup": {
    uses: [
      [
        "<folder> [--to <moment>]",
        "(npm run restore) restores a backup, or what reaches furthest in a",
        "folder of them, into an empty DATA_DIR and an empty database; --to",
        "2026-11-28T10:15:00Z restores it as it was then",
      ],
    ],
    options: { to: value },
    operands: oneOperand,
    standalone: (given) => async (config) =>
      (await restores()).runRestore(config, given, product.productData),
  },
  "use-data-dir": {
    uses: [["", "keeps pictures in this DATA_DIR from now on, after another was lost"]],
    prepare: useDataDir,
    opens: "in-this-folder",
  },
});

const backups = () => import("#server/platform/admin/backups.ts");
const restores = () => import("#server/platform/admin/restores.ts");
const continuous = () => import("#server/platform/admin/continuous.ts");

function useDataDir(): CommandWork<On> {
  return async ({ config }) => {
    printLine(
      `Pictures are kept in ${config.dataDir} from now on. "check-pictures" says which are missing.`,
    );
  };
}

/** Asks the server of DATA_DIR to replace its processes, and waits until it has. */
export async function roll({ dataDir }: Config): Promise<number> {
  const outcome = await askForRoll(dataDir);
  if (!outcome) throw new Error(whyNobodyAnswered(dataDir));
  if (outcome.failed !== null) {
    throw new Error(`Not finished; the processes that were not replaced go on. ${outcome.failed}`);
  }
  printLine("All processes were replaced, one after another.");
  return 0;
}

function whyNobodyAnswered(dataDir: string): string {
  const claim = claimFreeDataDir(dataDir);
  claim?.release();
  if (claim) return `No Postcard runs on ${dataDir}: npm start starts one.`;
  return (
    "This Postcard is one process, which cannot be replaced while it serves, or it is just starting: " +
    "restart it, or set PROCESSES to 2 or more and restart it once."
  );
}

/**
 * old-database: shows and removes what upgrades of PostgreSQL left behind. Works with or without a running
 * server.
 */
async function oldDatabase({ dataDir }: Config, { options }: ParsedArguments): Promise<number> {
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
