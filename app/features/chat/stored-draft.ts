import { useSyncExternalStore } from "react";
import { browserStorage } from "#app/lib/storage.ts";
import { createListeners } from "#app/lib/store.ts";
import { draftPrefix } from "#app/lib/browser-data.ts";

/** The draft of a message, in the browser's storage, which its other tabs read too. */
const keyOf = (senderId: string, threadId: string) => `${draftPrefix}${senderId} ${threadId}`;

const drafts = createListeners();

export function storeDraft(senderId: string, threadId: string, text: string): void {
  browserStorage.write(keyOf(senderId, threadId), text);
  drafts.emit();
}

/** Subscribes to changes in this tab and in others. */
function subscribe(listener: () => void): () => void {
  const stop = drafts.on(listener);
  window.addEventListener("storage", listener);
  return () => {
    stop();
    window.removeEventListener("storage", listener);
  };
}

/** The stored draft; "" on the server and during hydration. */
export function useStoredDraft(senderId: string, threadId: string): string {
  return useSyncExternalStore(
    subscribe,
    () => browserStorage.read(keyOf(senderId, threadId)) ?? "",
    () => "",
  );
}
