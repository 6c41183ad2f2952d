import { printLine } from "#server/platform/admin/print.ts";
import {
  flag,
  oneOperand,
  usageError,
  type ParsedArguments,
} from "#server/platform/admin/command-line.ts";
import type { Command, CommandWork } from "#server/commands/command.ts";
import { parseSize, formatUsage } from "#shared/sizes.ts";

/** Commands for the operator's settings. */
export const settingCommands: Record<string, Command> = {
  set: {
    uses: [
      ["", "lists every setting with its meaning and current value"],
      ["<name> <value>", "changes it for every running server right away"],
    ],
    operands: [0, 2],
    prepare: set,
  },
  quota: {
    uses: [["<address> <size>", "storage for one member's pictures: 20GB, unlimited or default"]],
    operands: [2, 2],
    prepare: quota,
  },
  "hide-from-explore": {
    uses: [
      [
        "<post> [--undo]",
        'takes a post ("ada/12" or its link) off the front page and out of',
        "Search's recent photos; it stays on its author's profile",
      ],
    ],
    options: { undo: flag },
    operands: oneOperand,
    prepare: hideFromExplore,
  },
};

function set({ operands: [name, value] }: ParsedArguments): CommandWork {
  if (name !== undefined && value === undefined) throw usageError(`What should ${name} be?`);
  return async ({ features: { administration, operatorSettings }, db }) => {
    if (name !== undefined && value !== undefined) {
      const now = await db.transaction(async () => {
        const shown = await operatorSettings.set(name, value);
        const detail = shown.includes("\n") ? name : `${name}: ${shown}`;
        await administration.record(null, "setting", { detail });
        return shown;
      });
      printLine(`${name} is now ${now}.`);
      return;
    }
    for (const setting of await operatorSettings.list()) {
      printLine(`${setting.name} is ${setting.value}`);
      printLine(`  ${setting.meaning}`);
    }
  };
}

function quota({ operands: [address = "", size = ""] }: ParsedArguments): CommandWork {
  if (parseSize(size) === null && !["unlimited", "default"].includes(size)) {
    throw usageError(`"${size}" isn't a size. Use one such as 20GB, or unlimited, or default.`);
  }
  return async ({ features: { dashboard } }) => {
    const { username, storage } = await dashboard.setQuota(null, address, size);
    printLine(`@${username} now uses ${formatUsage(storage)}.`);
  };
}

function hideFromExplore({ options, operands: [post = ""] }: ParsedArguments): CommandWork {
  const [, address = "", number = ""] = /(?:^|\/)@?([^/\s]+)\/([1-9]\d{0,9})\/?$/.exec(post) ?? [];
  if (!address) throw usageError(`"${post}" isn't a post. Use one such as ada/12, or its link.`);
  const hidden = options["undo"] !== true;
  return async ({ features: { administration, explore, posts }, db }) => {
    // As its author, for whom it always is.
    const author = await administration.find(address);
    const ref = await posts.refAt(author, author.username, Number(number));
    await db.transaction(async () => {
      await explore.setHidden(ref, hidden);
      const detail = hidden ? number : `${number}: shown again`;
      const about = { accountId: ref.authorId, detail };
      await administration.record(null, "hide-from-explore", about);
    });
    const where = "the front page and Search";
    printLine(`${address}/${number} is ${hidden ? "no longer on" : "allowed again on"} ${where}.`);
  };
}
