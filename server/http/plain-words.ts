import { messagesIn, sayingIn } from "#server/platform/messages.ts";

/** What answers need of a language that no screens make. */
type PlainWords = {
  direction: string;
  goHome: string;
  /** a sentence of ours in this language */
  say: (sentence: string) => string;
};

/** Made once: a crowd is refused with them. */
const known = new Map<string, PlainWords>();

export function plainWordsOf(language: string): PlainWords {
  const words = known.get(language) ?? make(language);
  known.set(language, words);
  return words;
}

function make(language: string): PlainWords {
  return {
    direction: messagesIn(language, "language.json").direction,
    goHome: messagesIn(language, "shell.json").goHome,
    say: sayingIn(language, "refusals.json"),
  };
}
