/**
 * What the doctor says about one thing. A note is not urgent; a problem is, and says what to do. `fixed` was
 * a problem until --fix.
 */
export type Finding = { state: "ok" | "note" | "problem" | "fixed"; about: string; text: string };

const as =
  (state: Finding["state"]) =>
  (about: string, text: string): Finding => ({ state, about, text });

export const ok = as("ok");
export const note = as("note");
export const problem = as("problem");
export const fixed = as("fixed");

/** A larger difference between clocks is reported, milliseconds. */
const clockMs = 5000;

/** Null if a clock agrees with this machine's; `ahead` in milliseconds. */
export function clockFinding(whose: string, ahead: number): Finding | null {
  if (Math.abs(ahead) <= clockMs) return null;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  const where = ahead > 0 ? "ahead of" : "behind";
  return problem(
    "Clock",
    `The ${whose} clock is ${seconds} s ${where} this machine's. Let both follow a time server.`,
  );
}
