/** What follows from asking for a mail, in words that hold for every address. */
export function onItsWay(mailLeaves: boolean): string {
  return mailLeaves
    ? "If an account here has this address, a letter with a link is on its way to it. It can take a few minutes; look among the junk, too."
    : "If an account here has this address, a link was made for it. This Postcard sends no mail itself: ask whoever runs it to pass the link on to you.";
}
