const formats = new Map<string, Intl.DateTimeFormat>();

/** Building a formatter costs far more than using one. */
function format(timeZone: string, name: string, options: Intl.DateTimeFormatOptions) {
  const key = `${name} ${timeZone}`;
  let made = formats.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat("en-GB", { ...options, timeZone });
    if (formats.size > 500) formats.clear();
    formats.set(key, made);
  }
  return made;
}

/** "3:05 pm"; 12:05 am just after midnight. `at` in epoch milliseconds. */
export function clockTime(at: number, timeZone: string): string {
  const parts = format(timeZone, "clock", {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const hours = Number(parts.find(({ type }) => type === "hour")?.value);
  const minutes = parts.find(({ type }) => type === "minute")?.value;
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? "am" : "pm"}`;
}

/** A calendar day as a number that grows by one a day, in that zone. */
function dayNumber(at: number, timeZone: string): number {
  const parts = format(timeZone, "day", {
    year: "numeric",
    month: "numeric",
    day: "numeric",
  }).formatToParts(at);
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(value("year"), value("month") - 1, value("day")) / 86_400_000;
}

/** "Today", "Yesterday", "12 March", "12 March 2025". */
export function dayInWords(at: number, now: number, timeZone: string): string {
  const ago = dayNumber(now, timeZone) - dayNumber(at, timeZone);
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  const sameYear =
    new Date(dayNumber(now, timeZone) * 86_400_000).getUTCFullYear() ===
    new Date(dayNumber(at, timeZone) * 86_400_000).getUTCFullYear();
  return format(timeZone, sameYear ? "date" : "date and year", {
    day: "numeric",
    month: "long",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(at);
}

/** When a post was made: "Today, 3:05 pm". */
export function postTime(at: number, now: number, timeZone: string): string {
  return `${dayInWords(at, now, timeZone)}, ${clockTime(at, timeZone)}`;
}

/** "12 March 2025". */
export function dateInWords(at: number, timeZone: string): string {
  return format(timeZone, "date and year", {
    day: "numeric",
    month: "long",
    year: "numeric",
  }).format(at);
}
