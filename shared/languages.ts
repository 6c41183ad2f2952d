/** A language of the screens. `name`: as its speakers call it. `draft`: no native speaker signed it off. */
export type OfferedLanguage = { tag: string; name: string; draft: boolean };

/** The cookie of the language that somebody chose for the screens. */
export const languageCookie = "language";

/** Letters of the longest tag that is taken: RFC 5646, section 4.4.1. As in the columns' checks. */
const longestLanguage = 35;

/** A tag of BCP 47 in its usual letters (`pt-BR`); null where it is none. */
export function languageTag(typed: string): string | null {
  if (typed.length > longestLanguage) return null;
  try {
    const [tag = ""] = Intl.getCanonicalLocales(typed);
    return tag !== "" && tag.length <= longestLanguage ? tag : null;
  } catch {
    return null;
  }
}

/** What a member chose: null where the one is their browser's, and the other that of their screens. */
export type ChosenLanguages = { language: string | null; postingLanguage: string | null };

/** What new posts and comments of a member are written in; null where nobody says. */
export const writtenIn = ({ language, postingLanguage }: Partial<ChosenLanguages>): string | null =>
  postingLanguage ?? language ?? null;
