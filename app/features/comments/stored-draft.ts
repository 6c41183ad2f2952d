import { useSyncExternalStore } from "react";
import { tabStorage } from "#app/lib/storage.ts";

/**
 * A comment stored in this tab while its writer signs in: a member whose session ended, or "" for a
 * visitor, who may be anybody then. Not in the address: a comment may be longer than addresses can be.
 */
export const draftKey = (postId: string, writerId: string) =>
  `comment on ${postId}${writerId && ` by ${writerId}`}`;

/** Where this tab stores comments of an account that were sent and not answered yet (unsent.ts). */
export const unsentKey = (viewerId: string, postId: string) => `unsent of ${viewerId} on ${postId}`;

export function dropDraft(postId: string, writerId: string): void {
  for (const writer of ["", writerId]) tabStorage.write(draftKey(postId, writer), null);
}

const never = () => () => undefined;

/** The stored text; "" on the server and during hydration. */
export function useStoredDraft(postId: string, writerId: string): string {
  return useSyncExternalStore(
    never,
    () =>
      tabStorage.read(draftKey(postId, writerId)) || (tabStorage.read(draftKey(postId, "")) ?? ""),
    () => "",
  );
}
