import { createInterface } from "node:readline/promises";
import { printResult, printLine, printMore } from "#server/platform/admin/print.ts";
import {
  cursorFrom,
  daysFrom,
  flag,
  oneOperand,
  value,
  wholeNumber,
  usageError,
  type ParsedArguments,
} from "#server/platform/admin/command-line.ts";
import type { Command, CommandWork } from "#server/commands/command.ts";
import { printDetails, printList, stateOf } from "#server/commands/print-accounts.ts";
import { limits } from "#shared/limits.ts";
import { reportLimits } from "#shared/report-limits.ts";

/** Commands for accounts. */
export const accountCommands: Record<string, Command> = {
  list: {
    uses: [
      [
        "[words] [--suspended | --leaving | --moderators | --operators] [--limit 50]\n      [--after cursor] [--json]",
        "accounts whose username, name or email contains the words",
      ],
    ],
    options: {
      suspended: flag,
      leaving: flag,
      moderators: flag,
      operators: flag,
      limit: value,
      after: value,
      json: flag,
    },
    operands: [0, 1],
    prepare: list,
  },
  show: {
    uses: [["<address> [--json]", "everything about one account"]],
    options: { json: flag },
    operands: oneOperand,
    prepare: show,
  },
  suspend: {
    uses: [
      [
        "<address> [--reason words] [--days n]",
        "hides it and signs it out right away; its owner reads the reason",
        "and may answer it once; without --days it has no end",
      ],
    ],
    options: { reason: value, days: value },
    operands: oneOperand,
    prepare: suspend,
  },
  restore: {
    uses: [["<address>", "ends a suspension, or cancels a pending deletion"]],
    operands: oneOperand,
    prepare: restore,
  },
  delete: {
    uses: [
      [
        "<address> [--now] [--yes]",
        `deletes it in ${limits.deletionDays} days, or now; asks first`,
      ],
    ],
    options: { now: flag, yes: flag },
    operands: oneOperand,
    prepare: deleteAccount,
  },
  "reset-link": {
    uses: [["<address>", "prints a link that sets a new password, once, within 30 minutes"]],
    operands: oneOperand,
    prepare: resetLink,
  },
  "second-step-off": {
    uses: [["<address>", "for someone who lost both phone and recovery codes: verify who asks"]],
    operands: oneOperand,
    prepare: secondStepOff,
  },
  role: {
    uses: [
      [
        "<address> give|take moderator|operator",
        "an operator moderates, and does in the browser what this does",
      ],
    ],
    operands: [3, 3],
    prepare: role,
  },
};

function list({ options, operands: [filter = ""] }: ParsedArguments): CommandWork {
  const limit = wholeNumber("limit", options["limit"] ?? 50, 1000);
  const states = (["suspended", "leaving"] as const).filter((state) => options[state]);
  if (states.length > 1) throw usageError("--suspended and --leaving can't be combined.");
  const roles = (["moderator", "operator"] as const).filter((role) => options[`${role}s`]);
  if (roles.length > 1) throw usageError("--moderators and --operators can't be combined.");
  const wanted = {
    filter,
    state: states[0] ?? null,
    role: roles[0] ?? null,
    cursor: cursorFrom(options),
    limit,
  };
  return async ({ features }) => {
    const { items, nextCursor } = await features.administration.list(wanted);
    printResult(options, { accounts: items, after: nextCursor }, () => {
      printList(items);
      if (items.length === 0) printLine("No accounts found.");
      printMore(nextCursor);
    });
  };
}

function show({ options, operands: [address = ""] }: ParsedArguments): CommandWork {
  return async ({ features }) => {
    printResult(options, await features.administration.show(address), printDetails);
  };
}

function suspend({ options, operands: [address = ""] }: ParsedArguments): CommandWork {
  const reason = options["reason"] === undefined ? null : String(options["reason"]);
  if (options["days"] !== undefined && reason === null) {
    throw usageError("--days needs a --reason, which the suspended member can read.");
  }
  const days = daysFrom(options, reportLimits.mostSuspendedDays);
  return async ({ features }) => {
    const why = reason === null ? undefined : { reason, days };
    const { username } = await features.dashboard.suspend(null, address, why);
    printLine(`@${username} is suspended: hidden, and signed out everywhere.`);
  };
}

function restore({ operands: [address = ""] }: ParsedArguments): CommandWork {
  return async ({ features }) => {
    const before = await features.administration.find(address);
    const { username } = await features.dashboard.restore(null, address);
    if (stateOf(before) === "active") printLine(`@${username} was already active.`);
    else printLine(`@${username} is restored (was ${stateOf(before)}).`);
  };
}

function deleteAccount({ options, operands: [address = ""] }: ParsedArguments): CommandWork {
  const when = options["now"] ? "now" : `in ${limits.deletionDays} days`;
  if (!options["yes"] && !process.stdin.isTTY) {
    throw usageError("There's no terminal to ask in. Add --yes to delete without asking.");
  }
  return async ({ features, db }) => {
    const { administration, deletion } = features;
    const { id, username, posts } = await administration.find(address);
    const question = `Delete @${username} with ${posts} posts for good, ${when}? Type the username: `;
    if (!options["yes"] && (await ask(question)) !== username) {
      printLine("Nothing was deleted.");
      return 1;
    }
    const dueAt = await db.transaction(async () => {
      await administration.record(null, "delete", { accountId: id, detail: when });
      return deletion.requestFor(id, options["now"] ? 0 : limits.deletionDays);
    });
    if (!options["now"]) {
      printLine(
        `@${username} is hidden now and will be deleted on ${new Date(dueAt).toISOString()}.`,
      );
      printLine(
        `Until then, "restore ${username}" brings it back, and so does its owner by signing in.`,
      );
      return;
    }
    printLine(`Deleting @${username}. If interrupted, it continues while Postcard runs.`);
    await deletion.deleteAccount(id);
    printLine(`@${username} and everything it had are deleted.`);
  };
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question).finally(() => terminal.close());
  return answer.trim().replace(/^@/, "").toLowerCase();
}

function resetLink({ operands: [address = ""] }: ParsedArguments): CommandWork {
  return async ({ features }) => {
    const { username, url } = await features.dashboard.resetLink(null, address);
    printLine(
      `With this link @${username} can set a new password, once, within 30 minutes. It ends every session:`,
    );
    printLine(url);
  };
}

function secondStepOff({ operands: [address = ""] }: ParsedArguments): CommandWork {
  return async ({ features }) => {
    const { username } = await features.administration.turnSecondStepOff(address);
    printLine(`Two-step sign-in is off for @${username}.`);
  };
}

function role({ operands: [address = "", action = "", name = ""] }: ParsedArguments): CommandWork {
  if (name !== "moderator" && name !== "operator")
    throw usageError(`"${name}" isn't a role. Roles: "moderator" and "operator".`);
  if (action !== "give" && action !== "take") {
    throw usageError(`Use "give" or "take", not "${action}".`);
  }
  const wanted = action === "give" ? name : "member";
  return async ({ features }) => {
    const { administration, dashboard } = features;
    if (action === "take" && (await administration.find(address)).role !== name) {
      printLine(`Not ${name === "operator" ? "an operator" : "a moderator"}: nothing was changed.`);
      return 1;
    }
    const { username } = await dashboard.setRole(null, address, wanted);
    printLine(`@${username} is now ${wanted === "operator" ? "an operator" : `a ${wanted}`}.`);
  };
}
