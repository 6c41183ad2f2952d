/** `@ada@this.place` and `ada@this.place` are ada; whoever is elsewhere is not here. */
export function localName(acct: string, publicUrl: string): string {
  const plain = acct.trim().replace(/^@/, "");
  const { host } = new URL(publicUrl);
  const [name = "", domain] = plain.split("@");
  return domain?.toLowerCase() === host ? name : plain;
}

/** `@ada@this.place` in a text, as apps write it of people they know by their whole address, is @ada here. */
export function withLocalNames(text: string, publicUrl: string): string {
  const { host } = new URL(publicUrl);
  return text.replace(placeOfNamed, (whole, domain: string) =>
    domain.toLowerCase() === host ? "" : whole,
  );
}

/** The second half of such an address, behind what may stand before a name (shared/mentions.ts). */
const placeOfNamed =
  /(?<=(?<![\p{L}\p{N}_@./-])@[a-z0-9_]{3,30})@([\p{L}\p{N}.:-]*[\p{L}\p{N}])(?![\p{L}\p{N}_@-])/giu;
