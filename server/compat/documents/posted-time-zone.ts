import type { SentPost } from "#shared/documents.inputs.ts";

const quarter = 15 * 60_000;
/** The zones furthest from UTC are 14 hours ahead and 12 behind. */
const furthest = 14 * 60 * 60_000;

/**
 * The time zone that a client was in when it made a post: its texts give the local time, `time` the
 * moment. As an offset ("+02:00"); null where the texts make no sense.
 */
export function postedTimeZone(post: SentPost): string | null {
  const { currentDate, currentMonth, currentYear, currentHours, time } = post;
  const [, hour, minute, half] = /^(\d{1,2}):(\d{2}) ?([ap])m$/i.exec(currentHours ?? "") ?? [];
  if (!hour || !minute || !half || !currentDate || !currentMonth || !currentYear) return null;
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const wall = Date.UTC(currentYear, currentMonth - 1, currentDate, hours, Number(minute));
  // The texts have no seconds.
  const offset = Math.round((wall - Math.floor(time / 60_000) * 60_000) / quarter) * quarter;
  if (!Number.isFinite(offset) || Math.abs(offset) > furthest) return null;
  const minutes = Math.abs(offset) / 60_000;
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
