import { messagesOf, type Message } from "../../../messages/read.ts";
import type words from "../../../messages/en/archive.json";

type Words = typeof words;
type Named<Kind> = { [Name in keyof Words]: Words[Name] extends Kind ? Name : never }[keyof Words];
type Values = Record<string, string | number>;

/** What the pages of an archive say, in one language. Values are HTML. */
export type ArchiveWords = ReturnType<typeof archiveWords>;

export function archiveWords(language: string) {
  const messages = messagesOf(language, "archive.json");
  const rules = new Intl.PluralRules(language);
  const counts = new Intl.NumberFormat(language, { useGrouping: false, numberingSystem: "latn" });
  // "12 March 2026", as the screens have it
  const region = language === "en" ? "en-GB" : language;
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(region, { dateStyle: "long", numberingSystem: "latn", ...options });
  const moments = dates({ timeStyle: "short", timeZone: "UTC" });
  const say = (name: Named<string>, values: Values = {}): string =>
    filled(textOf(messages[name]), values);

  return {
    language,
    direction: textOf(messagesOf(language, "language.json")["direction"]),
    say,
    counted(name: Named<object>, count: number): string {
      const forms = messages[name] as Record<string, string>;
      const form = forms[rules.select(count)] ?? forms["other"] ?? "";
      return filled(form, { count: counts.format(count) });
    },
    /** "12 March 2026", in the author's time zone; in UTC where this machine does not know that. */
    day(time: number, timeZone: string): string {
      try {
        return dates({ timeZone }).format(time);
      } catch {
        return dates({ timeZone: "UTC" }).format(time);
      }
    },
    /** "12 March 2026 at 14:05 UTC": a message stores no time zone. */
    moment: (time: number): string => say("universalTime", { time: moments.format(time) }),
  };
}

const textOf = (message: Message | undefined) => (typeof message === "string" ? message : "");

const filled = (message: string, values: Values) =>
  message.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
