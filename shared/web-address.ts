/** One scheme, two slashes, and a host behind them. */
const written = /^https?:\/\/(?![/?#])[^\s\p{Cc}\\]+$/iu;
const named = /^https?:\/\/[^/?#]*@/i;

/**
 * A web address that somebody gave, as it is meant to be read. Null for texts that only a parser takes for
 * one, with another target than it seems: `https:evil.example`, three slashes, backslashes, white space and
 * control characters, and a name before the host, which makes a foreign one look familiar.
 */
export function parseWebAddress(text: string): URL | null {
  if (!written.test(text) || named.test(text) || !URL.canParse(text)) return null;
  return new URL(text);
}
