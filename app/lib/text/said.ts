import { tag } from "#messages/language.json";
import { createStore } from "#app/lib/store.ts";

type Say = (sentence: string) => string;

/** Undefined until they are loaded. */
export const sentences = createStore<Say | undefined>(undefined);

/** Loads the translations of the sentences that calls answer with, in a build of another language than English. */
export async function loadSentences(): Promise<void> {
  if (tag === "en" || sentences.now()) return;
  // Without a connection they stay English.
  const loaded = await import("#app/lib/text/refusal-sentences.ts").catch(() => null);
  sentences.set(loaded?.inLanguage);
}

/** They are here before a call is refused: nobody can be refused who did nothing. */
export function loadSentencesSoon(): void {
  if (tag === "en") return;
  for (const act of ["pointerdown", "focusin", "change", "drop"]) {
    addEventListener(act, () => void loadSentences(), { once: true });
  }
}

/**
 * A sentence that a call answered with, or a check of shared/, in the language of these screens; one that is already,
 * or that is none of ours, stays as it is.
 */
export function said(sentence: string): string {
  return sentences.now()?.(sentence) ?? sentence;
}
