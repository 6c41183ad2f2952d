import { momentOf } from "#app/lib/text/times.ts";

/** The periods that a list of events is divided into, newest first. */
export const periods = ["today", "week", "earlier"] as const;

/** "week" is the six days before today. */
export function periodOf(at: number, now: number, timeZone: string): (typeof periods)[number] {
  const ago = momentOf(now, timeZone).dayNumber - momentOf(at, timeZone).dayNumber;
  if (ago <= 0) return "today";
  return ago < 7 ? "week" : "earlier";
}
