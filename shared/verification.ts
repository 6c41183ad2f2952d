/** Shown beside a field that takes an email, in the specification's words. */
export const invalidEmail = "Invalid email address";

/** The form that the server takes (zod's `email`), without loading zod. */
const emailForm =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** RFC 5321, section 4.5.3.1.3: a path has 256 octets, two of them its brackets. */
const emailLength = 254;

/** The error for a text that is no email, null for one that may be. */
export function emailProblem(text: string): string | null {
  const email = text.trim();
  return email.length <= emailLength && emailForm.test(email) ? null : invalidEmail;
}

/** How long mailed links are valid. */
export const linkLifetimes = {
  resetPassword: { seconds: 30 * 60 },
  signIn: { seconds: 15 * 60 },
  confirmEmail: { seconds: 24 * 60 * 60 },
  /** as the messages of letters say, in a word */
  keepEmail: { seconds: 7 * 24 * 60 * 60 },
} as const;
