import { clock as clockOfLanguage } from "#messages/language.json";
import * as words from "#messages/text.json";
import { fill } from "#app/lib/text/messages.tsx";

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

const months = words.months.split(" ");
const shortMonths = words.shortMonths.split(" ");
const weekdays = words.weekdays.split(" ");

/** What calendar and clock show in a zone. */
type Moment = {
  year: number;
  /** "March" */
  month: string;
  /** "Mar" */
  shortMonth: string;
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
 * `at` in epoch milliseconds. Names and order are those of our messages, not of the runtime: server and browser show the same. A page
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
    shortMonth: shortMonths[month - 1] ?? "",
    day,
    weekday: weekdays[new Date(midnight).getUTCDay()] ?? "",
    dayNumber: midnight / 86_400_000,
    hours: hour,
    minutes: minute,
  };
}

const date = ({ day, month, year }: Moment): string => fill(words.date, { day, month, year });

function clock({ hours, minutes }: Moment, seconds = ""): string {
  const rest = String(minutes).padStart(2, "0") + seconds;
  if (clockOfLanguage === "24") return `${String(hours).padStart(2, "0")}:${rest}`;
  return `${hours % 12 || 12}:${rest} ${hours < 12 ? words.am : words.pm}`;
}

function daysAgo(then: Moment, now: Moment): string {
  const ago = now.dayNumber - then.dayNumber;
  if (ago === 0) return words.today;
  if (ago === 1) return words.yesterday;
  if (then.year !== now.year) return date(then);
  return fill(words.dayAndMonth, { day: then.day, month: then.month });
}

/** "12 Mar" */
export const shortDay = ({ day, shortMonth }: Moment): string =>
  fill(words.dayAndMonth, { day, month: shortMonth });

/** "3:05 pm"; 12:05 am just after midnight. `at` in epoch milliseconds. */
export function clockTime(at: number, timeZone: string): string {
  return clock(momentOf(at, timeZone));
}

/** "Today", "Yesterday", "12 March", "12 March 2025". */
export function formatDay(at: number, now: number, timeZone: string): string {
  return daysAgo(momentOf(at, timeZone), momentOf(now, timeZone));
}

/** When a post was made: "Today, 3:05 pm". */
export function postTime(at: number, now: number, timeZone: string): string {
  const then = momentOf(at, timeZone);
  return fill(words.dayAndTime, { day: daysAgo(then, momentOf(now, timeZone)), time: clock(then) });
}

/** "12 March 2025". */
export function formatDate(at: number, timeZone: string): string {
  return date(momentOf(at, timeZone));
}

/** "Saturday 21 November 2026, 3:05:32 pm (Europe/Berlin)". */
export function exactTime(at: number, timeZone: string): string {
  const then = momentOf(at, timeZone);
  const seconds = `:${String(new Date(at).getUTCSeconds()).padStart(2, "0")}`;
  const { weekday } = then;
  return fill(words.exactTime, {
    weekday,
    date: date(then),
    time: clock(then, seconds),
    zone: timeZone,
  });
}
