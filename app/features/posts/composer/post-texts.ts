import { limits } from "#shared/limits.ts";
import { altTextLimit, captionLimit } from "#shared/posts.ts";
import * as words from "#messages/composer.json";
import { lengthText } from "#app/lib/text/length-text.ts";

/*
 * The errors for texts of a post that are too long, in the language of these screens; null when they fit. They take the
 * cleaned text.
 */

export const captionText = (caption: string): string | null =>
  lengthText(
    { tooLong: words.captionTooLong, tooCombined: words.captionTooCombined },
    caption,
    captionLimit,
  );

export const warningText = (warning: string): string | null =>
  lengthText(
    { tooLong: words.warningTooLong, tooCombined: words.warningTooCombined },
    warning,
    limits.warning,
  );

export const altText = (alt: string): string | null =>
  lengthText({ tooLong: words.altTooLong, tooCombined: words.altTooCombined }, alt, altTextLimit);
