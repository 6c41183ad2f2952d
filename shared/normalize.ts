/** A heap of marks on one letter, higher than any script builds: UAX #15, section 13 (stream-safe text). */
const heap = /(?:[^\P{M}\u034f]|[\uff9e\uff9f]){30}(?=[^\P{M}\u034f]|[\uff9e\uff9f])/gu;

/**
 * `String.normalize`, in time that grows with the text alone. Putting the marks of one letter in order takes
 * the square of their number, a minute for a megabyte of them: a character that shows nothing (U+034F)
 * parts what is no writing, as stream-safe text has it.
 */
export function normalizeText(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return text.replace(heap, "$&\u034f").normalize(form);
}
