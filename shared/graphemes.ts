let segmenter: Intl.Segmenter | undefined;

/**
 * The characters of a text as people count them: a family emoji is one. The segmenter is built by
 * the first call, never by loading this file: reading its tables keeps a phone busy for 50 ms.
 */
export function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}
