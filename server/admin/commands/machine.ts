import { doctor } from "#server/admin/doctor/doctor.ts";
import { oldDatabase } from "#server/admin/old-database.ts";
import { prepareImageCheck } from "#server/admin/check-images.ts";
import { prepareImageMove } from "#server/admin/move-images.ts";
import { printLine } from "#server/admin/print.ts";
import { roll } from "#server/admin/roll.ts";
import {
  flag,
  oneOperand,
  value,
  type Command,
  type ParsedArguments,
  type CommandWork,
} from "#server/admin/command-line.ts";

/** What whoever has the machine does with what Postcard stands on. */
export const machineCommands: Record<string, Command> = {
  "check-counters": {
    uses: [["[--json]", "compares every counter with the rows it counts"]],
    options: { json: flag },
    prepare: checkCounters,
  },
  "check-pictures": {
    uses: [
      [
        "[--after place] [--json]",
        "compares every picture's files with its row: missing, cut, altered,",
        "and files that no row names",
      ],
    ],
    options: { after: value, json: flag },
    prepare: prepareImageCheck,
  },
  "move-pictures": {
    uses: [
      [
        "[--remove] [--after place]",
        "copies every picture from IMAGE_STORE_FROM to IMAGE_STORE and",
        "compares it; --remove empties the former: see docs/operations.md",
      ],
    ],
    options: { after: value, remove: flag },
    prepare: prepareImageMove,
  },
  "new-secrets": {
    uses: [["", "recreates a lost secrets.json: see docs/operations.md"]],
    prepare: newSecrets,
    opens: "with-new-secrets",
  },
  doctor: {
    uses: [
      [
        "[--fix] [--json]",
        "looks at everything Postcard stands on, says what to do, and with --fix",
        "repairs what it safely can; the same as npm run doctor",
      ],
    ],
    options: { fix: flag, json: flag },
    standalone: ({ options }) => doctor(options),
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
    options: { drill: flag, scheduled: flag, "new-folder": flag },
    operands: [0, 1],
    standalone: (given) => async (config) => (await backups()).runBackup(config, given),
  },
  "restore-backup": {
    uses: [
      [
        "<folder>",
        "(npm run restore) restores a backup, or the newest of a folder of",
        "them, into an empty DATA_DIR and an empty database",
      ],
    ],
    operands: oneOperand,
    standalone: (given) => async (config) => (await backups()).runRestore(config, given),
  },
  "use-data-dir": {
    uses: [["", "keeps pictures in this DATA_DIR from now on, after another was lost"]],
    prepare: useDataDir,
    opens: "in-this-folder",
  },
};

const backups = () => import("#server/admin/backups.ts");

function checkCounters({ options }: ParsedArguments): CommandWork {
  return async ({ db }) => {
    const { reconcileCounters } = await import("#server/db/reconcile-counters.ts");
    const found = await reconcileCounters(db);
    if (options["json"]) printLine(JSON.stringify(found));
    else {
      for (const { counter, id, stored, counted } of found) {
        printLine(`${counter} of ${id} is ${stored}, but should be ${counted}.`);
      }
      if (found.length === 0) printLine("All counters are correct.");
    }
    return found.length === 0 ? 0 : 1;
  };
}

function newSecrets(): CommandWork {
  return async ({ hadSecrets }) => {
    if (hadSecrets) {
      printLine("secrets.json exists. Nothing was changed.");
      return 1;
    }
    printLine("New secrets were created. Everyone has to sign in and turn on notifications again.");
    printLine(
      'Until you run "second-step-off" for them, members with two-step sign-in stay locked out.',
    );
  };
}

function useDataDir(): CommandWork {
  return async ({ config }) => {
    printLine(
      `Pictures are kept in ${config.dataDir} from now on. "check-pictures" says which are missing.`,
    );
  };
}
