import { printLine } from "#server/platform/admin/print.ts";
import { flag, type ParsedArguments } from "#server/platform/admin/command-line.ts";
import type { Command, CommandWork } from "#server/commands/command.ts";
import { imageCommands } from "#server/commands/images.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";

/** Commands that check and move stored data. */
export const dataCommands: Record<string, Command> = {
  "check-counters": {
    uses: [["[--json]", "compares every counter with the rows it counts"]],
    options: { json: flag },
    prepare: checkCounters,
  },
  ...imageCommands,
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
