import {
  printResult,
  dayOf,
  printLine,
  printable,
  printMore,
} from "#server/platform/admin/print.ts";
import {
  cursorFrom,
  flag,
  oneOperand,
  value,
  wholeNumber,
  type ParsedArguments,
} from "#server/platform/admin/command-line.ts";
import type { Command, CommandWork } from "#server/commands/command.ts";
import { limits } from "#shared/limits.ts";

/** Commands for invitations. */
export const invitationCommands: Record<string, Command> = {
  invite: {
    uses: [
      [
        `[--days ${limits.invitations.days}] [--count 1] [--note words]`,
        "prints links that make one account each",
      ],
    ],
    options: { days: value, count: value, note: value },
    prepare: invite,
  },
  invitations: {
    uses: [
      [
        "[--after cursor] [--json]",
        "those that have not expired, with the note and what became of them",
      ],
    ],
    options: { after: value, json: flag },
    prepare: list,
  },
  withdraw: {
    uses: [["<id>", "its link makes no account any more"]],
    operands: oneOperand,
    prepare: withdraw,
  },
};

function invite({ options }: ParsedArguments): CommandWork {
  const { invitations: bounds } = limits;
  const days = wholeNumber("days", options["days"] ?? bounds.days, bounds.mostDays);
  const count = wholeNumber("count", options["count"] ?? 1, bounds.mostAtOnce);
  const note = String(options["note"] ?? "");
  return async ({ features: { dashboard, invitations }, publicUrl }) => {
    for (const { code, expiresAt } of await dashboard.invite(null, { days, count, note })) {
      printLine(`${publicUrl}/signUp?invitation=${code}  until ${dayOf(expiresAt)}`);
    }
    const mode = await invitations.mode();
    if (mode !== "invitation") {
      printLine(`Sign-up is ${mode}. Run "set sign-up invitation" to require invitations.`);
    }
  };
}

function list({ options }: ParsedArguments): CommandWork {
  return async ({ features: { dashboard } }) => {
    const { page } = await dashboard.invited(null, cursorFrom(options));
    const { items, nextCursor } = page;
    printResult(options, { invitations: items, after: nextCursor }, () => {
      for (const { id, note, used, endsAt } of items) {
        const state = used ? "used" : `until ${dayOf(endsAt)}`;
        printLine([id, state, printable(note)].filter(Boolean).join("  "));
      }
      if (items.length === 0) printLine("There are none.");
      printMore(nextCursor);
    });
  };
}

function withdraw({ operands: [id = ""] }: ParsedArguments): CommandWork {
  return async ({ features: { dashboard } }) => {
    await dashboard.withdrawInvitation(null, id);
    printLine("Withdrawn: its link makes no account any more.");
  };
}
