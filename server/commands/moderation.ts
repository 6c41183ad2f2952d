import { printResult, dayOf, printLine, printable } from "#server/platform/admin/print.ts";
import {
  daysFrom,
  flag,
  value,
  usageError,
  type ParsedArguments,
} from "#server/platform/admin/command-line.ts";
import type { Command, CommandWork } from "#server/commands/command.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { answerActs, verdictActs } from "#shared/report-kinds.ts";
import { reasonLabels, type CaseRow, type CaseView } from "#shared/reports.ts";

/** What moderators do in the browser, as commands; the decisions carry no name. */
export const moderationCommands: Record<string, Command> = {
  reports: {
    uses: [["[case] [--json]", "what waits for moderators, or everything about one case"]],
    options: { json: flag },
    operands: [0, 1],
    prepare: reports,
  },
  verdict: {
    uses: [
      [
        "<case> <act> <reason> [--days n] [--take-down]",
        "decides it: dismiss, warn, clear-words, take-down, suspend (without --days it has",
        "no end); keep or lift where somebody answered",
      ],
    ],
    options: { days: value, "take-down": flag },
    operands: [3, 3],
    prepare: verdict,
  },
};

const indented = (text: string) => printable(text.replaceAll("\n", " ")).trim();

function reports({ options, operands: [id] }: ParsedArguments): CommandWork {
  return async ({ features: { moderation } }) => {
    if (id !== undefined) return printResult(options, await moderation.find(null, id), printWhole);
    const { items, nextCursor } = await moderation.queue(null, null);
    printResult(options, items, () => {
      items.forEach(printCase);
      if (items.length === 0) printLine("All clear.");
      if (nextCursor) printLine("There are more: these wait longest.");
    });
  };
}

function printCase({ id, subject, account, said, pictures, reports, since, state }: CaseRow): void {
  const photos = pictures > 0 ? ` (${pictures} pictures)` : "";
  const what = state === "answered" ? "answer of" : `${subject} of`;
  printLine(`${id}  ${dayOf(since)}  ${what} @${account.username}, ${reports} reports`);
  printLine(`  ${indented(said)}${photos}`);
}

function printWhole(found: CaseView): void {
  printCase(found);
  for (const { account, reason, words } of found.reportedBy) {
    printLine(`  @${account.username}: ${reasonLabels[reason]}. ${indented(words)}`);
  }
  for (const { reason, words } of found.reportedByGuests) {
    printLine(`  a guest: ${reasonLabels[reason]}. ${indented(words)}`);
  }
  if (!found.verdict) return;
  printLine(`  decided: ${found.verdict.act}. ${indented(found.verdict.reason)}`);
  if (found.verdict.answer) printLine(`  answered: ${indented(found.verdict.answer)}`);
}

function verdict({
  options,
  operands: [id = "", given = "", reason = ""],
}: ParsedArguments): CommandWork {
  const acts = [...verdictActs, ...answerActs];
  const act = acts.find((each) => each === given);
  if (!act) throw usageError(`"${given}" is no verdict. Use ${acts.join(", ")}.`);
  const days = daysFrom(options, reportLimits.mostSuspendedDays);
  return async ({ features: { moderation } }) => {
    const takeDown = options["take-down"] === true;
    await moderation.decide(null, id, { act, reason, days, takeDown });
    printLine("Decided. The people concerned can read the reason.");
  };
}
