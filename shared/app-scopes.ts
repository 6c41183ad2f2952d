/** Rights of apps, as the Mastodon client API names them (docs.joinmastodon.org/api/oauth-scopes). */
const readable = [
  "accounts",
  "blocks",
  "bookmarks",
  "favourites",
  "filters",
  "follows",
  "lists",
  "mutes",
  "notifications",
  "search",
  "statuses",
] as const;
const writable = [
  "accounts",
  "blocks",
  "bookmarks",
  "conversations",
  "favourites",
  "filters",
  "follows",
  "lists",
  "media",
  "mutes",
  "notifications",
  "reports",
  "statuses",
] as const;

export type AppScope =
  | "profile"
  | "read"
  | "write"
  | "follow"
  | "push"
  | `read:${(typeof readable)[number]}`
  | `write:${(typeof writable)[number]}`;

export const appScopes: readonly AppScope[] = [
  "profile",
  "read",
  ...readable.map((name) => `read:${name}` as const),
  "write",
  ...writable.map((name) => `write:${name}` as const),
  "follow",
  "push",
];

const following = new Set(["blocks", "follows", "mutes"]);

/** Whether somebody who was given `granted` may do what needs `wanted`. */
export function covers(granted: readonly string[], wanted: AppScope): boolean {
  if (granted.includes(wanted)) return true;
  const [whole = "", part = ""] = wanted.split(":");
  if (wanted === "profile") return granted.includes("read") || granted.includes("read:accounts");
  if (part !== "" && granted.includes(whole)) return true;
  return following.has(part) && granted.includes("follow");
}

/** Words separated by spaces or plus signs as scopes, each once; null where one of them is none. */
export function parseScopes(text: string): AppScope[] | null {
  const words = [...new Set(text.split(/[\s+]+/).filter((word) => word !== ""))];
  const known = words.flatMap((word) => appScopes.filter((scope) => scope === word));
  return known.length === words.length ? known : null;
}

const sentences: readonly [sentence: string, scopes: readonly AppScope[]][] = [
  [
    "See everything you can see: your home feed, your notifications, what you saved, whom you blocked and muted",
    ["read"],
  ],
  ["See your name, your profile and the people you see here", ["profile", "read:accounts"]],
  ["See posts and comments that you can see", ["read:statuses", "read:lists"]],
  ["See your notifications", ["read:notifications"]],
  ["See what you saved and liked", ["read:bookmarks", "read:favourites"]],
  ["See whom you follow, blocked and muted", ["read:follows", "read:blocks", "read:mutes"]],
  ["Search as you", ["read:search", "read:filters"]],
  [
    "Act as you: post, comment, like, save, follow, block, report, change your profile, and delete what you posted",
    ["write"],
  ],
  ["Post and comment as you, change and delete what you posted", ["write:statuses"]],
  ["Upload photos as you", ["write:media"]],
  ["Like and save posts as you", ["write:favourites", "write:bookmarks"]],
  [
    "Follow, block and mute people as you",
    ["follow", "write:follows", "write:blocks", "write:mutes"],
  ],
  ["Change your profile", ["write:accounts"]],
  ["Clear your notifications", ["write:notifications", "write:conversations"]],
  ["Report posts and people as you", ["write:reports"]],
  ["Change your filters and lists", ["write:filters", "write:lists"]],
  ["Send you notifications", ["push"]],
];

/** What scopes allow, one sentence each, without what a wider one says already. */
export function describeScopes(granted: readonly string[]): string[] {
  const widerThan = (scope: AppScope) =>
    covers(
      granted.filter((one) => one !== scope),
      scope,
    );
  return sentences.flatMap(([sentence, scopes]) =>
    scopes.some((scope) => granted.includes(scope) && !widerThan(scope)) ? [sentence] : [],
  );
}
