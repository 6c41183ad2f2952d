/** What requesting a new password does, shown beforehand. */
export function forgotPasswordText(mailLeaves: boolean): { text: string; button: string } {
  return mailLeaves
    ? { text: "We'll email you a link to choose a new one.", button: "Send email" }
    : {
        text: "This Postcard doesn't send email. Ask the person who runs it for your link.",
        button: "Ask for a link",
      };
}

/** Shown after a mail was requested, in words that hold for every address. */
export function mailSentText(mailLeaves: boolean): string {
  return mailLeaves
    ? "If there's an account with this address, we've emailed it a link. It can take a few minutes; check your spam folder, too."
    : "If there's an account with this address, we've made a link for it. This Postcard doesn't send email: ask the person who runs it for the link.";
}
