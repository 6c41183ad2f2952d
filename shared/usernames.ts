import { limits } from "#shared/limits.ts";

/**
 * Words that a route or a call uses where an address may be, and words that would mislead: none of them can
 * be a username.
 */
const reserved = new Set(
  (
    "about account accounts address admin administrator api app assets bookmark bookmarks build " +
    "chat chats comment comments delete edit email explore export favicon feed followers " +
    "following health help home id identity image images import index likes live login logout " +
    "manifest me messages moderator new notifications null official operator password photos " +
    "post postcard posts privacy profile projects register reset robots root save saved search " +
    "security server session sessions settings signin signout signup sitemap static support " +
    "system terms texts token undefined update upload user users username v1 verify www"
  ).split(" "),
);

export function isUsername(text: string): boolean {
  return /^[a-z0-9_]{3,30}$/.test(text) && !reserved.has(text);
}

/** The typed text of a username field: with or without its @, in any letter case. */
export function usernameOf(typed: string): string {
  return typed.trim().replace(/^@/, "").toLowerCase();
}

/** The error for a username that nobody could have, null for an acceptable one. */
export function usernameProblem(username: string): string | null {
  const { min, max } = limits.username;
  if (username === "") return "required*";
  if (!/^[a-z0-9_]*$/.test(username)) return "Use only the letters a to z, digits and _.";
  if (username.length < min) return `Use at least ${min} characters.`;
  if (username.length > max) return `Use at most ${max} characters.`;
  return isUsername(username) ? null : "This word is reserved. Please choose another.";
}

/** What is known of a username before it is taken; without one, there is nothing to suggest. */
export type UsernameCheck = {
  username: string | null;
  state: "free" | "taken" | "not allowed";
  /** a sentence, unless it is free */
  problem: string | null;
};
