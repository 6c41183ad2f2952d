/**
 * The addresses that the other member of a conversation may have, read out of a chatId. It is our
 * own form (two usernames with a dot between them), or two addresses joined in either order: then
 * what is left when one of the caller's own is taken from an end. `own` is in lower case.
 */
export function otherAddresses(chatId: string, own: readonly string[]): string[] {
  const wanted = chatId.toLowerCase();
  const parts = /^([a-z0-9_]{3,30})\.([a-z0-9_]{3,30})$/.exec(wanted)?.slice(1);
  const fits = new Set<string>();
  for (const address of own) {
    if (parts) {
      const [first = "", second = ""] = parts;
      if (first === address) fits.add(second);
      if (second === address) fits.add(first);
    }
    if (wanted.startsWith(address)) fits.add(wanted.slice(address.length));
    if (wanted.endsWith(address)) fits.add(wanted.slice(0, -address.length));
  }
  fits.delete("");
  return [...fits];
}

/**
 * The addresses that a chatId in lower case may look up, for counting them: the other party's, or
 * all of it where none of the caller's current ones is at an end.
 */
export function addressesInChatId(
  chatId: string,
  viewer: { email: string; username: string } | null,
): string[] {
  if (!viewer) return [chatId];
  const others = otherAddresses(chatId, [viewer.email.toLowerCase(), viewer.username]);
  return others.length > 0 ? others : [chatId];
}
