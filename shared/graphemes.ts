let segmenter: Intl.Segmenter | undefined;

/**
 * The characters of a text as people count them: a family emoji is one. The segmenter is built by the first
 * call, never by loading this file: reading its tables keeps a phone busy for 50 ms.
 */
export function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/**
 * Characters as people count them: a family emoji is one.
 * Stops counting at `stopAfter` + 1, so that a hostile text costs no more than a long one.
 */
export function countGraphemes(text: string, stopAfter = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (const _ of graphemes(text)) {
    count += 1;
    if (count > stopAfter) break;
  }
  return count;
}
