import { highestId, lowestId } from "#server/platform/db/cursors.ts";
import { isId } from "#server/platform/db/ids.ts";

/*
 * Ids as apps of the Mastodon client API know them: decimal 64-bit numbers in text, in the order of time. Of
 * a UUIDv7 they keep 42 bits of its millisecond and its last 21 bits, so that nothing is stored; SQL's
 * decimal_id(uuid) of migration 0095 says the same.
 */

const tailBits = 21n;
const momentMask = (1n << 42n) - 1n;
const tailMask = (1n << tailBits) - 1n;
const largest = (1n << 63n) - 1n;

/** The decimal id of a row, by its UUIDv7. */
export function decimalOf(id: string): string {
  const hex = id.replaceAll("-", "");
  const moment = BigInt(`0x${hex.slice(0, 12)}`) & momentMask;
  return ((moment << tailBits) | (BigInt(`0x${hex.slice(-6)}`) & tailMask)).toString();
}

/** A text that may be such an id, as it is written; null for any other. */
export function readDecimal(text: string): string | null {
  return /^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) <= largest ? text : null;
}

/** The ids between which every row with this decimal id lies. */
export function idsAround(decimal: string): { lowest: string; highest: string } {
  const moment = (BigInt(decimal) >> tailBits).toString(16).padStart(12, "0");
  const from = (end: string) => `${moment.slice(0, 8)}-${moment.slice(8)}${end.slice(13)}`;
  return { lowest: from(lowestId), highest: from(highestId) };
}

/** The id that a decimal one stands for in a list of ids; null where none of them does. */
export const idAmong = (ids: readonly string[], decimal: string): string | null =>
  ids.find((id) => isId(id) && decimalOf(id) === decimal) ?? null;

/** A whole UUIDv7 as a decimal number: for ends of lists that apps hand back as they were told them. */
export const wholeDecimalOf = (id: string): string =>
  BigInt(`0x${id.replaceAll("-", "")}`).toString();

/** The id that such a number stands for; null where it is none. */
export function readWholeDecimal(text: string): string | null {
  if (!/^[1-9]\d{19,38}$/.test(text)) return null;
  const hex = BigInt(text).toString(16).padStart(32, "0");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return isId(id) ? id : null;
}
