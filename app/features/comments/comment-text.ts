import { commentLimit } from "#shared/comments.ts";
import { isBlank } from "#shared/text.ts";
import { tooCombined, tooLong } from "#messages/comments.json";
import { required } from "#messages/identity.json";
import { lengthText } from "#app/lib/text/length-text.ts";

/** The error for a comment that cannot be sent, in the language of these screens; null when it can. Takes the cleaned text. */
export function commentText(body: string): string | null {
  return isBlank(body) ? required : lengthText({ tooLong, tooCombined }, body, commentLimit);
}
