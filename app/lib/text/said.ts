import { tag } from "#messages/language.json";

let inLanguage: ((sentence: string) => string) | undefined;

/** Loads the translations of the sentences that calls answer with, in a build of another language than English. */
export async function loadSentences(): Promise<void> {
  if (tag === "en" || inLanguage) return;
  // Without a connection they stay English.
  const loaded = await import("#app/lib/text/refusal-sentences.ts").catch(() => null);
  inLanguage = loaded?.inLanguage;
}

/** They are here before a refusal is: nobody can be refused who did nothing. */
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
  return inLanguage?.(sentence) ?? sentence;
}
