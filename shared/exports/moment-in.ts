/** The moment at which clocks in a time zone showed what `clock` shows in UTC, epoch ms; NaN stays. */
export function momentIn(zone: string, clock: number): number {
  if (Number.isNaN(clock)) return clock;
  // Where clocks changed within a few hours, the offset at the first guess may be the other one.
  const guess = clock - offsetAt(zone, clock);
  return clock - offsetAt(zone, guess);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Of a time zone's clocks from UTC, milliseconds. */
function offsetAt(timeZone: string, at: number): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    formats.set(timeZone, format);
  }
  const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return parseOffset(name.slice("GMT".length));
}

/** "+02:00"; nothing for UTC. */
export function parseOffset(text: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === "-" ? -ms : ms;
}
