import { limits } from "#shared/limits.ts";
import { passwordLengthProblem, passwordProblems } from "#shared/passwords.ts";
import * as words from "#messages/identity.json";
import { counted } from "#app/lib/text/messages.tsx";

const { min, max } = limits.password;

/** Shown beside the field before anything is sent. */
export const passwordRuleText = () => counted(words.passwordRule, min);

/** The error for a password's length in the language of these screens, or null. */
export function passwordLengthText(typed: string): string | null {
  const problem = passwordLengthProblem(typed);
  if (problem === null) return null;
  return problem === passwordProblems.short
    ? counted(words.passwordShort, min)
    : counted(words.passwordLong, max);
}
