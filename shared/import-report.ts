import type { ImportView } from "#shared/archive.ts";

type Counts = { total: number; taken: number; known: number };

/** How many were left out. */
export const leftOf = ({ total, taken, known }: Counts) => total - taken - known;

/** "2 of 3 posts imported. 1 was left out." */
export function sentenceOn(counts: Counts, unit: string): string {
  const { total, taken, known } = counts;
  const left = leftOf(counts);
  const parts = [`${taken} of ${total} ${unit} imported.`];
  if (known > 0) parts.push(`${were(known)} here already.`);
  if (left > 0) parts.push(`${were(left)} left out.`);
  return parts.join(" ");
}

const were = (count: number) => `${count} ${count === 1 ? "was" : "were"}`;

const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/** What an import brought and what it left out, as a text file. */
export function importReport(view: ImportView): string {
  const { state, messages, problem, undone, skipped, leftOut, createdAt } = view;
  const over = state === "done" || state === "failed";
  const more = leftOf(view) + leftOf(messages) - skipped.length;
  return [
    `Import of ${day.format(createdAt)}`,
    "",
    over ? null : `It isn't finished: ${view.done} of ${view.total} posts so far.`,
    over ? sentenceOn(view, "posts") : null,
    over && messages.total > 0 ? sentenceOn(messages, "messages") : null,
    problem,
    undone === null ? null : `It was undone: ${undone} of its posts were removed.`,
    ...listOf("What does not come over:", leftOut),
    ...listOf("What was left out:", skipped),
    over && skipped.length > 0 && more > 0 ? `- and ${more} more` : null,
  ]
    .filter((line) => line !== null)
    .map((line) => `${line.replaceAll(/\s+/g, " ")}\n`)
    .join("");
}

const listOf = (title: string, sentences: readonly string[]) =>
  sentences.length === 0 ? [] : ["", title, ...sentences.map((sentence) => `- ${sentence}`)];
