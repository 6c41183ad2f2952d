import { graphemes } from "#shared/graphemes.ts";

const beginsAsEmoji =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\u{fe0f}?\u{20e3})/u;
const drawnAsEmoji = /\p{Emoji_Presentation}/u;

/** Three emoji at most and nothing else: these are drawn large. */
export function isOnlyEmoji(text: string): boolean {
  // The longest single ones have a dozen code units.
  if (text.length === 0 || text.length > 60) return false;
  const pieces = [...graphemes(text)].map(({ segment }) => segment);
  return pieces.length <= 3 && pieces.every(isEmoji);
}

/** Alone, © and similar characters are text; a variation selector after them makes them emoji. */
function isEmoji(piece: string): boolean {
  return beginsAsEmoji.test(piece) && ([...piece].length > 1 || drawnAsEmoji.test(piece));
}
