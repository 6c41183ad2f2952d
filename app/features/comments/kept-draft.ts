import { useSyncExternalStore } from "react";

/**
 * A comment that waits in this tab while its writer signs in. Not in the address: a comment may be
 * longer than addresses can be.
 */
const keyOf = (postId: string) => `comment on ${postId}`;

export function keepDraft(postId: string, body: string): void {
  try {
    sessionStorage.setItem(keyOf(postId), body);
  } catch {
    // A browser that stores nothing keeps no drafts.
  }
}

export function dropDraft(postId: string): void {
  try {
    sessionStorage.removeItem(keyOf(postId));
  } catch {
    // There is none.
  }
}

function readDraft(postId: string): string {
  try {
    return sessionStorage.getItem(keyOf(postId)) ?? "";
  } catch {
    return "";
  }
}

const never = () => () => undefined;

/** What waits; "" on the server and while the browser takes the page over. */
export function useKeptDraft(postId: string): string {
  return useSyncExternalStore(
    never,
    () => readDraft(postId),
    () => "",
  );
}
