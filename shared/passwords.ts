import { limits } from "#shared/limits.ts";

export const passwordProblems = {
  short: `Use at least ${limits.password.min} characters.`,
  long: `Use at most ${limits.password.max} characters.`,
  common: "This password is too common. Choose one that is harder to guess.",
  repeated: "This password repeats itself. Choose one that is harder to guess.",
  personal: "Your name and email are the first things others would try. Choose another password.",
} as const;

/**
 * A password as it is compared and stored: composed (NFC, as RFC 8265, section 4.2 asks), because one
 * keyboard sends é as one character and another as two.
 */
export function composePassword(typed: string): string {
  return fits(typed) ? typed.normalize("NFC") : typed;
}

/**
 * A code point takes two units at most. A longer text is nobody's password, and normalizing it may take
 * minutes.
 */
const fits = (typed: string) => typed.length <= limits.password.max * 4;

/** The error for a password's length, or null. A character is a code point (NIST SP 800-63B). */
export function passwordLengthProblem(typed: string): string | null {
  const { min, max } = limits.password;
  if (!fits(typed)) return passwordProblems.long;
  const length = [...composePassword(typed)].length;
  if (length < min) return passwordProblems.short;
  return length > max ? passwordProblems.long : null;
}
