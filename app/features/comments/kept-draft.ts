import { useSyncExternalStore } from "react";

/**
 * A comment that waits in this tab while its writer signs in. Not in the address: a comment may be
 * longer than addresses can be.
 */
export const draftKey = (postId: string) => `comment on ${postId}`;

/** Where this tab keeps comments of an account that were sent and not answered yet (unsent.ts). */
export const unsentKey = (viewerId: string, postId: string) => `unsent of ${viewerId} on ${postId}`;

export function dropDraft(postId: string): void {
  try {
    sessionStorage.removeItem(draftKey(postId));
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
export function useKeptDraft(postId: string): string {
  return useSyncExternalStore(
    never,
    () => readKept(draftKey(postId)),
    () => "",
  );
}
