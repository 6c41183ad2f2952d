import sentences from "#messages/refusals.json";

/**
 * A sentence of a refusal, of one of its fields or of a provider's, in the language of this build. Calls always answer
 * in English, with a code; the translations are found by the declared sentence, so that one that was changed is English
 * until its translations are, too. For the server: browsers load it only in other languages than English.
 */
export function inLanguage(sentence: string): string {
  return (sentences as Record<string, string>)[sentence] ?? sentence;
}
