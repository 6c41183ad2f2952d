import { clockTime } from "#app/lib/times.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/** "Saturday 21 November 2026, 3:05:32 pm (Europe/Berlin)". `at` in epoch milliseconds. */
export function exactTime(at: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      weekday: "long",
      day: "numeric",
      month: "long",
      year: "numeric",
      timeZone,
    });
    if (formats.size > 500) formats.clear();
    formats.set(timeZone, format);
  }
  // By parts: the punctuation between them differs from one runtime to the next.
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const date = `${part.weekday} ${part.day} ${part.month} ${part.year}`;
  const seconds = String(new Date(at).getUTCSeconds()).padStart(2, "0");
  return `${date}, ${clockTime(at, timeZone).replace(" ", `:${seconds} `)} (${timeZone})`;
}
