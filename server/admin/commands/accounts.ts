import { createInterface } from "node:readline/promises";
import { answer, line, printDetails, printList, stateOf, tellMore } from "#server/admin/print.ts";
import {
  afterFrom,
  daysFrom,
  flag,
  one,
  value,
  wholeNumber,
  wrongUsage,
  type Command,
  type Given,
  type Work,
} from "#server/admin/words.ts";
import { limits } from "#shared/limits.ts";
import { reportLimits } from "#shared/report-limits.ts";

/** What an operator does with accounts. */
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
    operands: one,
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
    operands: one,
    prepare: suspend,
  },
  restore: {
    uses: [["<address>", "ends a suspension, or cancels a pending deletion"]],
    operands: one,
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
    operands: one,
    prepare: deleteAccount,
  },
  "reset-link": {
    uses: [["<address>", "prints a link that sets a new password, once, within 30 minutes"]],
    operands: one,
    prepare: resetLink,
  },
  "second-step-off": {
    uses: [["<address>", "for someone who lost both phone and recovery codes: verify who asks"]],
    operands: one,
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

function list({ options, operands: [filter = ""] }: Given): Work {
  const limit = wholeNumber("limit", options["limit"] ?? 50, 1000);
  const states = (["suspended", "leaving"] as const).filter((state) => options[state]);
  if (states.length > 1) throw wrongUsage("--suspended and --leaving can't be combined.");
  const roles = (["moderator", "operator"] as const).filter((role) => options[`${role}s`]);
  if (roles.length > 1) throw wrongUsage("--moderators and --operators can't be combined.");
  const wanted = {
    filter,
    state: states[0] ?? null,
    role: roles[0] ?? null,
    cursor: afterFrom(options),
    limit,
  };
  return async ({ features }) => {
    const { items, nextCursor } = await features.administration.list(wanted);
    answer(options, { accounts: items, after: nextCursor }, () => {
      printList(items);
      if (items.length === 0) line("No accounts found.");
      tellMore(nextCursor);
    });
  };
}

function show({ options, operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    answer(options, await features.administration.show(address), printDetails);
  };
}

function suspend({ options, operands: [address = ""] }: Given): Work {
  const reason = options["reason"] === undefined ? null : String(options["reason"]);
  if (options["days"] !== undefined && reason === null) {
    throw wrongUsage("--days needs a --reason: whoever is suspended for a while reads why.");
  }
  const days = daysFrom(options, reportLimits.mostSuspendedDays);
  return async ({ features }) => {
    const why = reason === null ? undefined : { reason, days };
    const { username } = await features.desk.suspend(null, address, why);
    line(`@${username} is suspended: hidden, and signed out everywhere.`);
  };
}

function restore({ operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    const before = await features.administration.find(address);
    const { username } = await features.desk.restore(null, address);
    if (stateOf(before) === "active") line(`@${username} was already active.`);
    else line(`@${username} is restored (was ${stateOf(before)}).`);
  };
}

function deleteAccount({ options, operands: [address = ""] }: Given): Work {
  const when = options["now"] ? "now" : `in ${limits.deletionDays} days`;
  if (!options["yes"] && !process.stdin.isTTY) {
    throw wrongUsage("There's no terminal to ask in. Add --yes to delete without asking.");
  }
  return async ({ features, db }) => {
    const { administration, deletion } = features;
    const { id, username, posts } = await administration.find(address);
    const question = `Delete @${username} with ${posts} posts for good, ${when}? Type the username: `;
    if (!options["yes"] && (await ask(question)) !== username) {
      line("Nothing was deleted.");
      return 1;
    }
    const dueAt = await db.transaction(async () => {
      await administration.record(null, "delete", { accountId: id, detail: when });
      return deletion.requestFor(id, options["now"] ? 0 : limits.deletionDays);
    });
    if (!options["now"]) {
      line(`@${username} is hidden now and will be deleted on ${new Date(dueAt).toISOString()}.`);
      line(
        `Until then, "restore ${username}" brings it back, and so does its owner by signing in.`,
      );
      return;
    }
    line(`Deleting @${username}. If interrupted, it continues while Postcard runs.`);
    await deletion.deleteAccount(id);
    line(`@${username} and everything it had are deleted.`);
  };
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question)).trim().replace(/^@/, "").toLowerCase();
  } finally {
    terminal.close();
  }
}

function resetLink({ operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    const { username, url } = await features.desk.resetLink(null, address);
    line(
      `With this link @${username} can set a new password, once, within 30 minutes. It ends every session:`,
    );
    line(url);
  };
}

function secondStepOff({ operands: [address = ""] }: Given): Work {
  return async ({ features }) => {
    const { username } = await features.administration.turnSecondStepOff(address);
    line(`Two-step sign-in is off for @${username}.`);
  };
}

function role({ operands: [address = "", action = "", name = ""] }: Given): Work {
  if (name !== "moderator" && name !== "operator")
    throw wrongUsage(`"${name}" isn't a role. Roles: "moderator" and "operator".`);
  if (action !== "give" && action !== "take") {
    throw wrongUsage(`Use "give" or "take", not "${action}".`);
  }
  const wanted = action === "give" ? name : "member";
  return async ({ features }) => {
    const { administration, desk } = features;
    if (action === "take" && (await administration.find(address)).role !== name) {
      line(`Not ${name === "operator" ? "an operator" : "a moderator"}: nothing was changed.`);
      return 1;
    }
    const { username } = await desk.setRole(null, address, wanted);
    line(`@${username} is now ${wanted === "operator" ? "an operator" : `a ${wanted}`}.`);
  };
}
