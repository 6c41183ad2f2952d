import sentences from "#messages/refusals.json";
import { sayingBy } from "#shared/said-sentences.ts";
import { wholeCount } from "#app/lib/text/counts.ts";
import { formOf } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";

/**
 * A sentence of a refusal, of one of its fields or of a provider's, in the language of this build. Calls always answer
 * in English, with a code; the translations are found by the declared sentence, so that one that was changed is English
 * until its translations are, too. For the server: browsers load it by `said`, in other languages than English.
 */
export const inLanguage = sayingBy(sentences, {
  formOf,
  count: wholeCount,
  day: (at) => formatDate(at, "UTC"),
});
