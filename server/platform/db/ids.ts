import { randomUUIDv7 } from "node:crypto";

let last = "";

/**
 * A new UUIDv7. Within this process each one is greater than the one before, also inside one millisecond
 * and when the clock steps back: lists ordered by id are in the order things happened (RFC 9562, section
 * 6.2, method 2).
 */
export function newId(): string {
  const fresh = randomUUIDv7();
  last = fresh > last ? fresh : successor(last);
  return last;
}

/** The last 48 random bits plus one. In one of 2⁴⁸ ids they are all ones: then the order is lost. */
function successor(id: string): string {
  const tail = (Number.parseInt(id.slice(24), 16) + 1) % 2 ** 48;
  return id.slice(0, 24) + tail.toString(16).padStart(12, "0");
}

export type NewId = () => string;

/** A UUIDv7 for another time than now, epoch milliseconds: for rows dated in the past. */
export function idAt(time: number): string {
  const moment = Math.floor(time).toString(16).padStart(12, "0");
  return `${moment.slice(0, 8)}-${moment.slice(8)}${randomUUIDv7().slice(13)}`;
}

/** The time an id was made for, epoch milliseconds. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Whether a text can be compared with an id: a text that cannot must never reach the database. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
