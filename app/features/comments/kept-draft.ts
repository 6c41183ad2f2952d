import { useSyncExternalStore } from "react";
import { keptCommentsPrefixes } from "#app/lib/forms/kept-messages.ts";

/**
 * A comment that waits in this tab while its writer signs in: a member whose session ended, or "" for a
 * visitor, who may be anybody then. Not in the address: a comment may be longer than addresses can be.
 */
export const draftKey = (postId: string, writerId: string) =>
  `${keptCommentsPrefixes.draft}${postId}${writerId && ` by ${writerId}`}`;

/** Where this tab keeps comments of an account that were sent and not answered yet (unsent.ts). */
export const unsentKey = (viewerId: string, postId: string) =>
  `${keptCommentsPrefixes.unsent}${viewerId} on ${postId}`;

export function dropDraft(postId: string, writerId: string): void {
  try {
    for (const writer of ["", writerId]) sessionStorage.removeItem(draftKey(postId, writer));
  } catch {
    // There is none.
  }
}

/** "" where nothing is kept, or a browser stores nothing. */
export function readKept(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

const never = () => () => undefined;

/** What waits; "" on the server and while the browser takes the page over. */
export function useKeptDraft(postId: string, writerId: string): string {
  return useSyncExternalStore(
    never,
    () => readKept(draftKey(postId, writerId)) || readKept(draftKey(postId, "")),
    () => "",
  );
}
