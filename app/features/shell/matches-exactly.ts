/**
 * Whether a navigation item is marked on its own address only, and not on those below it: home always,
 * one's profile where somebody else's lists of accounts are shown.
 */
export function matchesExactly(to: string, pathname: string, viewerId: string | null): boolean {
  if (to !== "/profile") return to === "/";
  const [, whose] = /^\/profile\/(?:followers|following)\/([^/]+)/i.exec(pathname) ?? [];
  return whose !== undefined && whose.toLowerCase() !== viewerId;
}
