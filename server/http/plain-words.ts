import { messagesOf } from "../../messages/read.ts";
import { sayingBy } from "#shared/said-sentences.ts";

/** What answers need of a language that no screens make. */
type PlainWords = {
  direction: string;
  goHome: string;
  /** a sentence of ours in this language */
  say: (sentence: string) => string;
};

/** Read once: a crowd is refused with them. */
const known = new Map<string, PlainWords>();

export function plainWordsOf(language: string): PlainWords {
  const words = known.get(language) ?? read(language);
  known.set(language, words);
  return words;
}

function read(language: string): PlainWords {
  const rules = new Intl.PluralRules(language);
  const counts = new Intl.NumberFormat(language, { numberingSystem: "latn" });
  const days = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeZone: "UTC",
    numberingSystem: "latn",
  });
  return {
    direction: String(messagesOf(language, "language.json")["direction"]),
    goHome: String(messagesOf(language, "shell.json")["goHome"]),
    say: sayingBy(messagesOf(language, "refusals.json"), {
      form: (count) => rules.select(count),
      count: (count) => counts.format(count),
      day: (at) => days.format(at),
    }),
  };
}
