import { answer, dayOf, line, plain, tellMore } from "#server/admin/print.ts";
import {
  afterFrom,
  flag,
  one,
  value,
  wholeNumber,
  type Command,
  type Given,
  type Work,
} from "#server/admin/words.ts";
import { limits } from "#shared/limits.ts";

/** How an operator lets people in. */
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
    operands: one,
    prepare: withdraw,
  },
};

function invite({ options }: Given): Work {
  const { invitations: bounds } = limits;
  const days = wholeNumber("days", options["days"] ?? bounds.days, bounds.mostDays);
  const count = wholeNumber("count", options["count"] ?? 1, bounds.mostAtOnce);
  const note = String(options["note"] ?? "");
  return async ({ features: { desk, invitations }, publicUrl }) => {
    for (const { code, expiresAt } of await desk.invite(null, { days, count, note })) {
      line(`${publicUrl}/signUp?invitation=${code}  until ${dayOf(expiresAt)}`);
    }
    const mode = await invitations.mode();
    if (mode !== "invitation") {
      line(`Sign-up is ${mode}. Run "set sign-up invitation" to require invitations.`);
    }
  };
}

function list({ options }: Given): Work {
  return async ({ features: { desk } }) => {
    const { page } = await desk.invited(null, afterFrom(options));
    const { items, nextCursor } = page;
    answer(options, { invitations: items, after: nextCursor }, () => {
      for (const { id, note, used, endsAt } of items) {
        const state = used ? "used" : `until ${dayOf(endsAt)}`;
        line([id, state, plain(note)].filter(Boolean).join("  "));
      }
      if (items.length === 0) line("There are none.");
      tellMore(nextCursor);
    });
  };
}

function withdraw({ operands: [id = ""] }: Given): Work {
  return async ({ features: { desk } }) => {
    await desk.withdrawInvitation(null, id);
    line("Withdrawn: its link makes no account any more.");
  };
}
