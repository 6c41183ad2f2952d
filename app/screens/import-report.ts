import { importInLanguage } from "#app/features/archive/import-in-language.server.ts";
import { memberPage, orNotFound } from "#app/lib/refusals.server.ts";
import type { Route } from "./+types/import-report";
import { tag } from "#messages/language.json";
import * as words from "#messages/data.json";
import type { ImportView } from "#shared/archive.ts";
import { leftOf, sentenceOn } from "#app/features/archive/import-counts.ts";
import { wholeCount } from "#app/lib/text/counts.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";

/** What the member's newest import brought and left out, as a text file. */
export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const latest = orNotFound(importInLanguage(await features.imports.latest(member)));
  return new Response(importReport(latest), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="import-report.txt"',
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

const day = new Intl.DateTimeFormat(tag, {
  dateStyle: "long",
  timeZone: "UTC",
  numberingSystem: "latn",
});

/** What an import brought and what it left out, as a text file. */
function importReport(view: ImportView): string {
  const { state, messages, problem, undone, skipped, leftOut, createdAt } = view;
  const over = state === "done" || state === "failed";
  const more = leftOf(view) + leftOf(messages) - skipped.length;
  return [
    fill(words.reportTitle, { date: day.format(createdAt) }),
    "",
    over ? null : counted(words.notFinished, view.total, { done: wholeCount(view.done) }),
    over ? sentenceOn(view, words.postsImported) : null,
    over && messages.total > 0 ? sentenceOn(messages, words.messagesImported) : null,
    problem,
    undone === null ? null : counted(words.wasUndone, undone),
    ...listOf(words.notComing, leftOut),
    ...listOf(words.reportLeftOut, skipped),
    over && skipped.length > 0 && more > 0
      ? `- ${fill(words.reportMore, { count: wholeCount(more) })}`
      : null,
  ]
    .filter((line) => line !== null)
    .map((line) => `${line.replaceAll(/\s+/g, " ")}\n`)
    .join("");
}

const listOf = (title: string, sentences: readonly string[]) =>
  sentences.length === 0 ? [] : ["", title, ...sentences.map((sentence) => `- ${sentence}`)];
