import { shownParameter } from "#app/features/posts/veiled.tsx";

/**
 * Whether somebody pressed Show without scripts, on a page of ours: nobody who follows a link of somebody else's asked to
 * see what is behind a content warning.
 */
export const asksToSee = ({ url, headers }: Request): boolean =>
  new URL(url).searchParams.has(shownParameter) &&
  (headers.get("Sec-Fetch-Site") ?? "same-origin") === "same-origin";
