import { line, plain } from "#server/admin/print.ts";
import { wrongUsage, type Options } from "#server/admin/words.ts";
import type { Installation } from "#server/installation.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { answerActs, verdictActs } from "#shared/report-kinds.ts";
import { reasonLabels, type CaseRow } from "#shared/reports.ts";

type Given = { options: Options; operands: string[] };
type Work = (installation: Installation) => Promise<number>;

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const indented = (text: string) => plain(text.replaceAll("\n", " ")).trim();

/** reports: what waits for a decision, or one case with everything about it. */
export function prepareReports({ options, operands: [id] }: Given): Work {
  return async ({ features: { moderation } }) => {
    if (id !== undefined) {
      const found = await moderation.find(null, id);
      if (options["json"]) line(JSON.stringify(found, null, 2));
      else {
        printCase(found);
        for (const { account, reason, words } of found.reportedBy) {
          line(`  @${account.username}: ${reasonLabels[reason]}. ${indented(words)}`);
        }
        if (found.verdict) {
          line(`  decided: ${found.verdict.act}. ${indented(found.verdict.reason)}`);
          if (found.verdict.answer) line(`  answered: ${indented(found.verdict.answer)}`);
        }
      }
      return 0;
    }
    const { items, nextCursor } = await moderation.queue(null, null);
    if (options["json"]) line(JSON.stringify(items, null, 2));
    else {
      items.forEach(printCase);
      if (items.length === 0) line("Nothing waits.");
      if (nextCursor) line("There are more: these wait longest.");
    }
    return 0;
  };
}

function printCase({ id, subject, account, said, pictures, reports, since, state }: CaseRow): void {
  const photos = pictures > 0 ? ` (${pictures} pictures)` : "";
  const what = state === "answered" ? "answer of" : `${subject} of`;
  line(`${id}  ${day(since)}  ${what} @${account.username}, ${reports} reports`);
  line(`  ${indented(said)}${photos}`);
}

/** verdict: decides a case, without a name. */
export function prepareVerdict({
  options,
  operands: [id = "", given = "", reason = ""],
}: Given): Work {
  const acts = [...verdictActs, ...answerActs];
  const act = acts.find((each) => each === given);
  if (!act) throw wrongUsage(`"${given}" is no verdict. Use ${acts.join(", ")}.`);
  const days = options["days"] === undefined ? null : Number(options["days"]);
  const most = reportLimits.mostSuspendedDays;
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= most)) {
    throw wrongUsage(
      `--days is ${String(options["days"])}, but must be a number from 1 to ${most}.`,
    );
  }
  return async ({ features: { moderation } }) => {
    const takeDown = options["take-down"] === true;
    await moderation.decide(null, id, { act, reason, days, takeDown });
    line("Decided. Whoever is concerned reads the reason.");
    return 0;
  };
}
