import { messagesIn, speaking } from "#server/platform/messages.ts";
import { fill } from "#shared/messages.ts";

/** What the pages of an archive say, in the language of its owner. */
export function pageWords(language: string) {
  const words = messagesIn(language, "plain.json");
  const speech = speaking(language);
  return {
    ...speech,
    words,
    /** "12 March 2026", in the author's time zone. */
    dayIn: (time: number, timeZone: string) => speech.day(inZone(time, timeZone)),
    /** "12 March 2026 at 14:05 UTC". */
    moment: (time: number) => {
      const at = new Date(time);
      return fill(words.moment, { date: speech.day(at), clock: at.toISOString().slice(11, 16) });
    },
  };
}

export type PageWords = ReturnType<typeof pageWords>;

/** A moment at Greenwich with the date that this one has in a time zone. */
function inZone(time: number, timeZone: string): Date {
  const numeric = { year: "numeric", month: "numeric", day: "numeric" } as const;
  try {
    const parts = new Intl.DateTimeFormat("en", { ...numeric, timeZone }).formatToParts(time);
    const valueOf = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value);
    return new Date(Date.UTC(valueOf("year"), valueOf("month") - 1, valueOf("day")));
  } catch {
    // a time zone that this machine does not know
    return new Date(time);
  }
}
