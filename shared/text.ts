const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Characters as people count them: a family emoji is one.
 * Stops counting at `stopAfter` + 1, so that a hostile text costs no more than a long one.
 */
export function countGraphemes(text: string, stopAfter = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) {
    count += 1;
    if (count > stopAfter) break;
  }
  return count;
}

// NUL cannot be stored in PostgreSQL text; other control characters but tab and newline show nothing.
// eslint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** What a person typed, as it is stored: NFC, line ends as \n, no control characters, trimmed. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(controlCharacters, "")
    .trim();
}

/** A name is one line: cleanText with every run of white space as one space. */
export function cleanName(text: string): string {
  return cleanText(text).replace(/\s+/gu, " ");
}

/** First and second name joined by a space; empty when both are. */
export function joinNames(firstName: string, secondName: string): string {
  return `${firstName} ${secondName}`.trim();
}

/**
 * What search compares: without case, white space and Latin accents, so that "jose" finds "José".
 * Only the combining marks of U+0300–U+036F go: in other scripts marks are vowels.
 */
export function toSearchText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s+/gu, "");
}
