import { refuse } from "#shared/errors.ts";

/**
 * The number of bytes that a header announces; null if it was not sent. Refuses with input-invalid anything
 * that is not a whole number, and numbers beyond 2^53, which JavaScript would round.
 */
export function byteCount(name: string, sent: string | string[] | null | undefined): number | null {
  if (sent === undefined || sent === null || sent === "") return null;
  const bytes = /^\d{1,16}$/.test(String(sent)) ? Number(sent) : Number.NaN;
  if (Number.isSafeInteger(bytes)) return bytes;
  throw refuse("input-invalid", { message: `${name} must say how many bytes there are.` });
}
