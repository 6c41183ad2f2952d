/** A long run of marks on one letter, longer than in any script: UAX #15, section 13 (stream-safe text). */
const heap = /(?:[^\P{M}\u034f]|[\uff9e\uff9f]){30}(?=[^\P{M}\u034f]|[\uff9e\uff9f])/gu;

/**
 * `String.normalize`, in time linear in the text. Sorting the marks of one letter takes the square of their
 * number, a minute for a megabyte of them: an invisible character (U+034F) splits runs that are no real
 * text, as stream-safe text does.
 */
export function normalizeText(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return text.replace(heap, "$&\u034f").normalize(form);
}
