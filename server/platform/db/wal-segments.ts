/*
 * Positions in PostgreSQL's log, in bytes from its begin, and the names of its segments: the timeline, and the
 * number of the segment in two parts (XLogFileName in PostgreSQL's access/xlog_internal.h).
 */

/** A position as PostgreSQL writes it: `0/16B3748`. */
export function parsePosition(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

const hex = (part: number | bigint): string => part.toString(16).toUpperCase().padStart(8, "0");

/** The name of the segment that has a position. */
export function segmentAt(
  position: bigint,
  { timeline, segmentBytes }: { timeline: number; segmentBytes: number },
): string {
  const number = position / BigInt(segmentBytes);
  const perLog = 2n ** 32n / BigInt(segmentBytes);
  return hex(timeline) + hex(number / perLog) + hex(number % perLog);
}

/** The position at which a segment begins. */
export const startOfSegment = (name: string, segmentBytes: number): bigint =>
  (BigInt(`0x${name.slice(8, 16)}`) << 32n) + BigInt(`0x${name.slice(16)}`) * BigInt(segmentBytes);

/** The name of the segment after this one, on its timeline. */
export function segmentAfter(name: string, segmentBytes: number): string {
  const timeline = Number.parseInt(name.slice(0, 8), 16);
  const next = startOfSegment(name, segmentBytes) + BigInt(segmentBytes);
  return segmentAt(next, { timeline, segmentBytes });
}
