/** `@ada@our.host` and `ada@our.host` are ada; accounts of other hosts don't exist here. */
export function localName(acct: string, publicUrl: string): string {
  const plain = acct.trim().replace(/^@/, "");
  const { host } = new URL(publicUrl);
  const [name = "", domain] = plain.split("@");
  return domain?.toLowerCase() === host ? name : plain;
}

/** Apps write mentions with the full address: `@ada@our.host` in a text is @ada here. */
export function withLocalNames(text: string, publicUrl: string): string {
  const { host } = new URL(publicUrl);
  return text.replace(hostOfMention, (whole, domain: string) =>
    domain.toLowerCase() === host ? "" : whole,
  );
}

/** The second half of such an address, after what may precede a name (shared/mentions.ts). */
const hostOfMention =
  /(?<=(?<![\p{L}\p{N}_@./-])@[a-z0-9_]{3,30})@([\p{L}\p{N}.:-]*[\p{L}\p{N}])(?![\p{L}\p{N}_@-])/giu;
