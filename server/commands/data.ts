import { printLine } from "#server/platform/admin/print.ts";
import { flag, value, type ParsedArguments } from "#server/platform/admin/command-line.ts";
import type { Command, CommandWork } from "#server/commands/command.ts";
import { prepareImageCheck } from "#server/commands/check-images.ts";
import { prepareImageMove } from "#server/commands/move-images.ts";
import { prepareImageRenewal } from "#server/commands/renew-images.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";

/** Commands that check and move stored data. */
export const dataCommands: Record<string, Command> = {
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
  "renew-images": {
    uses: [
      [
        "[--after place]",
        "makes the widths that images of an earlier version lack, from",
        "their originals",
      ],
    ],
    options: { after: value },
    prepare: prepareImageRenewal,
  },
  "new-secrets": {
    uses: [["", "recreates a lost secrets.json: see docs/operations.md"]],
    prepare: newSecrets,
    opens: "with-new-secrets",
  },
};

function checkCounters({ options }: ParsedArguments): CommandWork {
  return async ({ db }) => {
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
