const clocks = new Map<string, Intl.DateTimeFormat>();

/** Building a formatter costs a phone 20 ms, far more than using one: one per zone serves all times. */
function clockFormat(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat("en-GB", {
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone,
    });
    if (clocks.size > 500) clocks.clear();
    clocks.set(timeZone, clock);
  }
  return clock;
}

const months =
  "January February March April May June July August September October November December".split(
    " ",
  );

const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** What calendar and clock show in a zone. */
type Moment = {
  year: number;
  /** "March" */
  month: string;
  day: number;
  /** "Thursday" */
  weekday: string;
  /** a number that grows by one a day */
  dayNumber: number;
  hours: number;
  minutes: number;
};

const moments = new Map<string, Moment>();

/**
 * `at` in epoch milliseconds. Names and order are ours, not the runtime's: all show the same words. A page
 * formats the current time with each of its times, and the server the same posts again and again: a minute
 * is computed once.
 */
export function momentOf(at: number, timeZone: string): Moment {
  const key = Math.floor(at / 60_000) + timeZone;
  let moment = moments.get(key);
  if (!moment) {
    if (moments.size > 2000) moments.clear();
    moments.set(key, (moment = lookUp(at, timeZone)));
  }
  return moment;
}

function lookUp(at: number, timeZone: string): Moment {
  const found: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clockFormat(timeZone).formatToParts(at))
    found[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = found;
  const midnight = Date.UTC(year, month - 1, day);
  return {
    year,
    month: months[month - 1] ?? "",
    day,
    weekday: weekdays[new Date(midnight).getUTCDay()] ?? "",
    dayNumber: midnight / 86_400_000,
    hours: hour,
    minutes: minute,
  };
}

const date = ({ day, month, year }: Moment): string => `${day} ${month} ${year}`;

function clock({ hours, minutes }: Moment): string {
  const twoDigits = String(minutes).padStart(2, "0");
  return `${hours % 12 || 12}:${twoDigits} ${hours < 12 ? "am" : "pm"}`;
}

function daysAgo(then: Moment, now: Moment): string {
  const ago = now.dayNumber - then.dayNumber;
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  return then.year === now.year ? `${then.day} ${then.month}` : date(then);
}

/** "3:05 pm"; 12:05 am just after midnight. `at` in epoch milliseconds. */
export function clockTime(at: number, timeZone: string): string {
  return clock(momentOf(at, timeZone));
}

/** "Today", "Yesterday", "12 March", "12 March 2025". */
export function formatDay(at: number, now: number, timeZone: string): string {
  return daysAgo(momentOf(at, timeZone), momentOf(now, timeZone));
}

/** The periods that a list of events is divided into, newest first. */
export const periods = ["Today", "This week", "Earlier"] as const;

/** "This week" is the six days before today. */
export function periodOf(at: number, now: number, timeZone: string): (typeof periods)[number] {
  const ago = momentOf(now, timeZone).dayNumber - momentOf(at, timeZone).dayNumber;
  if (ago <= 0) return "Today";
  return ago < 7 ? "This week" : "Earlier";
}

/** When a post was made: "Today, 3:05 pm". */
export function postTime(at: number, now: number, timeZone: string): string {
  const then = momentOf(at, timeZone);
  return `${daysAgo(then, momentOf(now, timeZone))}, ${clock(then)}`;
}

/** "12 March 2025". */
export function formatDate(at: number, timeZone: string): string {
  return date(momentOf(at, timeZone));
}

/** "Saturday 21 November 2026, 3:05:32 pm (Europe/Berlin)". */
export function exactTime(at: number, timeZone: string): string {
  const then = momentOf(at, timeZone);
  const seconds = String(new Date(at).getUTCSeconds()).padStart(2, "0");
  return `${then.weekday} ${date(then)}, ${clock(then).replace(" ", `:${seconds} `)} (${timeZone})`;
}
