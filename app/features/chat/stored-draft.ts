import { useSyncExternalStore } from "react";
import { browserStorage } from "#app/lib/storage.ts";
import { createListeners } from "#app/lib/store.ts";
import { draftPrefix } from "#app/lib/browser-data.ts";

/** What somebody began to write, in the browser's storage: its other tabs see it too. */
const keyOf = (senderId: string, threadId: string) => `${draftPrefix}${senderId} ${threadId}`;

const drafts = createListeners();

export function storeDraft(senderId: string, threadId: string, text: string): void {
  browserStorage.write(keyOf(senderId, threadId), text);
  drafts.emit();
}

/** Hears of changes in this tab and in others. */
function subscribe(listener: () => void): () => void {
  const stop = drafts.on(listener);
  window.addEventListener("storage", listener);
  return () => {
    stop();
    window.removeEventListener("storage", listener);
  };
}

/** What was begun; "" on the server and while the browser takes the page over. */
export function useStoredDraft(senderId: string, threadId: string): string {
  return useSyncExternalStore(
    subscribe,
    () => browserStorage.read(keyOf(senderId, threadId)) ?? "",
    () => "",
  );
}
