/** What asking for a new password does, before one asks. */
export function forgotPassword(mailLeaves: boolean): { text: string; button: string } {
  return mailLeaves
    ? { text: "A letter with a link lets you choose a new one.", button: "Send the letter" }
    : {
        text: "This Postcard sends no mail itself: the letter with your link stays in its outbox. Ask whoever runs it to pass the link on to you.",
        button: "Ask for a link",
      };
}

/** What follows from asking for a mail, in words that hold for every address. */
export function onItsWay(mailLeaves: boolean): string {
  return mailLeaves
    ? "If an account here has this address, a letter with a link is on its way to it. It can take a few minutes; look among the junk, too."
    : "If an account here has this address, a link was made for it. This Postcard sends no mail itself: ask whoever runs it to pass the link on to you.";
}
