import { messagesOf, type Messages } from "../../messages/read.ts";
import { sourceLanguage } from "../../scripts/lib/languages.mjs";
import { fill, grouped, joinList, type Values } from "#shared/messages.ts";
import { sayingBy, type SaidSentences } from "#shared/said-sentences.ts";

/** The files of messages that the server itself speaks from; the screens have theirs in their builds. */
type Files = {
  "checks.json": SaidSentences;
  "language.json": typeof import("#messages/language.json");
  "letters.json": typeof import("#messages/letters.json");
  "plain.json": typeof import("#messages/plain.json");
  "pushes.json": typeof import("#messages/pushes.json");
  "refusals.json": SaidSentences;
  "shell.json": typeof import("#messages/shell.json");
  "text.json": typeof import("#messages/text.json");
};

const files = new Map<string, Messages>();

/** The messages of a file in a language, read once: what is not translated is English. */
export function messagesIn<Name extends keyof Files>(language: string, file: Name): Files[Name] {
  const key = `${language}/${file}`;
  let messages = files.get(key);
  if (!messages) files.set(key, (messages = messagesOf(language, file)));
  return messages as Files[Name];
}

/** Says a sentence of ours, which stands there by its English text, in a language. To be kept: it learns them all. */
export function sayingIn(language: string, file: "checks.json" | "refusals.json") {
  const { formOf, count, day } = speaking(language);
  const speech = { formOf, count, day: (at: number) => day(new Date(at)) };
  return sayingBy(messagesIn(language, file), speech);
}

/** The language of what is sent to somebody: their own if it is offered, else the first that is. */
export const readersLanguage = (own: string | null | undefined, offered: readonly string[]) =>
  offered.find((language) => language === own) ?? offered[0] ?? sourceLanguage;

const speeches = new Map<string, ReturnType<typeof learn>>();

/** How a language says numbers, lists and days. Made once: a push for each of a crowd speaks. */
export function speaking(language: string) {
  const known = speeches.get(language) ?? learn(language);
  speeches.set(language, known);
  return known;
}

function learn(language: string) {
  const { tag, thousands, direction } = messagesIn(language, "language.json");
  const { months, date, listComma, listLast } = messagesIn(language, "text.json");
  const rules = new Intl.PluralRules(tag);
  const formOf = (forms: Record<string, string>, count: number) =>
    forms[rules.select(count)] ?? forms["other"] ?? "";
  return {
    tag,
    direction,
    formOf,
    count: (count: number) => grouped(count, thousands),
    counted: (forms: Record<string, string>, count: number, values?: Values) =>
      fill(formOf(forms, count), { ...values, count: grouped(count, thousands) }),
    listed: (parts: readonly string[]) => joinList(parts, listComma, listLast),
    /** "12 March 2025" at Greenwich. */
    day: (at: Date) => {
      const month = months.split(" ")[at.getUTCMonth()] ?? "";
      return fill(date, { day: at.getUTCDate(), month, year: at.getUTCFullYear() });
    },
  };
}
