import { createHash } from "node:crypto";
import { highestId, lowestId } from "#server/platform/db/cursors.ts";
import { isId } from "#server/platform/db/ids.ts";

/*
 * Ids as apps of the Mastodon client API know them: decimal 64-bit numbers as text, in order of time. They
 * hold 42 bits of a UUIDv7's millisecond and its last 21 bits, so nothing has to be stored; SQL's
 * decimal_id(uuid) of migration 0095 computes the same.
 */

const tailBits = 21n;
const momentMask = (1n << 42n) - 1n;
const tailMask = (1n << tailBits) - 1n;
const largest = (1n << 63n) - 1n;

/** The decimal id of a row, from its UUIDv7. */
export function decimalOf(id: string): string {
  const hex = id.replaceAll("-", "");
  const moment = BigInt(`0x${hex.slice(0, 12)}`) & momentMask;
  return ((moment << tailBits) | (BigInt(`0x${hex.slice(-6)}`) & tailMask)).toString();
}

/** A text that may be such an id, unchanged; null for any other. */
export function readDecimal(text: string): string | null {
  return /^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) <= largest ? text : null;
}

/** The ids between which every row with this decimal id lies. */
export function idsAround(decimal: string): { lowest: string; highest: string } {
  const moment = (BigInt(decimal) >> tailBits).toString(16).padStart(12, "0");
  const from = (end: string) => `${moment.slice(0, 8)}-${moment.slice(8)}${end.slice(13)}`;
  return { lowest: from(lowestId), highest: from(highestId) };
}

/**
 * The id in a list of ids that a decimal one means; null if none of them matches. An app in JavaScript that read
 * it as a number has rounded it: it means the one that is rounded to the same number.
 */
export function idAmong(ids: readonly string[], decimal: string): string | null {
  const decimals = ids.filter(isId).map((id) => [id, decimalOf(id)] as const);
  const [id = null] =
    decimals.find(([, one]) => one === decimal) ??
    decimals.find(([, one]) => Number(one) === Number(decimal)) ??
    [];
  return id;
}

/** The ids of which `idAmong` may mean one. */
export function idsRoundedTo(decimal: string): { lowest: string; highest: string } {
  // Numbers of 64 bits are rounded to multiples of 1,024 at most.
  const [id, off] = [BigInt(decimal), 1024n];
  const { lowest } = idsAround(String(id > off ? id - off : 0n));
  return { lowest, highest: idsAround(String(id + off)).highest };
}

/** A whole UUIDv7 as a decimal number: for the ends of lists, which apps send back as they received them. */
export const wholeDecimalOf = (id: string): string =>
  BigInt(`0x${id.replaceAll("-", "")}`).toString();

/** The id that such a number means; null if it is not one. */
export function readWholeDecimal(text: string): string | null {
  if (!/^[1-9]\d{19,38}$/.test(text)) return null;
  const hex = BigInt(text).toString(16).padStart(32, "0");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return isId(id) ? id : null;
}

/** The same kind of number for what has no row, made of the words that it is. */
export const decimalOfWords = (words: string): string =>
  BigInt(`0x${createHash("sha256").update(words).digest("hex").slice(0, 15)}`).toString();
