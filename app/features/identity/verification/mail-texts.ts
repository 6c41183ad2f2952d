import { emailProblem } from "#shared/verification.ts";
import * as words from "#messages/identity.json";

/** What requesting a new password does, shown beforehand. */
export function forgotPasswordText(mailLeaves: boolean): { text: string; button: string } {
  return mailLeaves
    ? { text: words.forgotText, button: words.sendEmail }
    : { text: words.forgotTextNoMail, button: words.askForLink };
}

/** Shown after a mail was requested, in words that hold for every address. */
export function mailSentText(mailLeaves: boolean): string {
  return mailLeaves ? words.mailSent : words.linkMade;
}

/** The error for a text that is no email in the language of these screens, null for one that may be. */
export const emailText = (typed: string) => (emailProblem(typed) ? words.emailInvalid : null);
