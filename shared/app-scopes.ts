import { namesOf } from "#shared/records.ts";

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

/** What somebody who is asked by an app understands: each with the scopes that allow it. */
const rights = {
  seeEverything: ["read"],
  seeProfiles: ["profile", "read:accounts"],
  seePosts: ["read:statuses", "read:lists"],
  seeNotifications: ["read:notifications"],
  seeSaved: ["read:bookmarks", "read:favourites"],
  seeFollows: ["read:follows", "read:blocks", "read:mutes"],
  searchAsYou: ["read:search", "read:filters"],
  actAsYou: ["write"],
  postAsYou: ["write:statuses"],
  uploadAsYou: ["write:media"],
  likeAsYou: ["write:favourites", "write:bookmarks"],
  followAsYou: ["follow", "write:follows", "write:blocks", "write:mutes"],
  changeProfile: ["write:accounts"],
  clearNotifications: ["write:notifications", "write:conversations"],
  reportAsYou: ["write:reports"],
  changeFilters: ["write:filters", "write:lists"],
  sendNotifications: ["push"],
} as const satisfies Record<string, readonly AppScope[]>;

/** Its words are with the screens (app/features/identity/security/right-labels.ts). */
export type AppRight = keyof typeof rights;

/** What scopes allow, each once, without what a wider one says already. */
export function rightsIn(granted: readonly string[]): AppRight[] {
  const widerThan = (scope: AppScope) => {
    const others = granted.filter((one) => one !== scope);
    // The older name for parts of both.
    if (scope === "follow" && others.includes("read") && others.includes("write")) return true;
    return covers(others, scope);
  };
  return namesOf(rights).filter((right) =>
    rights[right].some((scope) => granted.includes(scope) && !widerThan(scope)),
  );
}
