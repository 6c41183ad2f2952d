import { limits } from "#shared/limits.ts";

/**
 * An @ and a username, not in the middle of a word, of an email, an address or another name: it ends where
 * no letter of a username follows, and no letter, digit or @ of anything else.
 */
const mention = /(?<![\p{L}\p{N}_@./-])@([a-z0-9_]{3,30})(?![\p{L}\p{N}_@])/giu;

/** Every mention in a text: its position and the username, in lower case. */
export function findMentions(text: string): { index: number; end: number; username: string }[] {
  return [...text.matchAll(mention)].map(({ index, 0: written, 1: name = "" }) => {
    return { index, end: index + written.length, username: name.toLowerCase() };
  });
}

/** The usernames in a text, each once, in lower case: as many as are notified. */
export function mentionedIn(text: string): string[] {
  const names = new Set(findMentions(text).map(({ username }) => username));
  return [...names].slice(0, limits.notifications.mentions);
}
