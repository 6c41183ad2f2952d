import {
  earlyRefusals,
  makeRefusal,
  type EarlyRefusalCode,
  type RefusalOf,
} from "#shared/early-refusals.ts";
import { pictureRequired, pictureTooHeavy } from "#messages/identity.json";
import { archiveRequired, archiveTooHeavy, postEmpty } from "#messages/ui.json";

/** The same sentences as the server's, in the language of these screens. */
const sentences: Record<EarlyRefusalCode, string> = {
  "picture-too-heavy": pictureTooHeavy,
  "picture-required": pictureRequired,
  "post-empty": postEmpty,
  "archive-required": archiveRequired,
  "archive-too-heavy": archiveTooHeavy,
};

/** A refusal that a page decides itself before anything is sent. */
export function refuseEarly(code: EarlyRefusalCode): RefusalOf<EarlyRefusalCode> {
  const [status] = earlyRefusals[code];
  return makeRefusal(code, [status, sentences[code]]);
}
