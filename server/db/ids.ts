import { randomUUIDv7 } from "node:crypto";

let last = "";

/**
 * A new UUIDv7. Within this process each one is greater than the one before, also inside one
 * millisecond and when the clock steps back: lists ordered by id are in the order things happened
 * (RFC 9562, section 6.2, "Monotonic Random").
 */
export function newId(): string {
  const fresh = randomUUIDv7();
  last = fresh > last ? fresh : successor(last);
  return last;
}

/** The next UUIDv7 in sort order: the random part plus one, version and variant kept. */
function successor(id: string): string {
  const digits = id.replaceAll("-", "");
  // 48 bits of time, then 12 and 62 random bits around the version and the variant
  const time = digits.slice(0, 12);
  const high = BigInt(`0x${digits.slice(13, 16)}`);
  const low = BigInt(`0x${digits.slice(16)}`) & (2n ** 62n - 1n);
  const next = ((BigInt(`0x${time}`) << 74n) | (high << 62n) | low) + 1n;
  const hex = (value: bigint, length: number) => value.toString(16).padStart(length, "0");
  const tail = hex((2n << 62n) | (next & (2n ** 62n - 1n)), 16);
  const head = hex(next >> 74n, 12);
  return [
    head.slice(0, 8),
    head.slice(8),
    `7${hex((next >> 62n) & 0xfffn, 3)}`,
    tail.slice(0, 4),
    tail.slice(4),
  ].join("-");
}

/** Whether a text can be compared with an id: what is not must never reach the database. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
