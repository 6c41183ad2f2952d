import { useSyncExternalStore } from "react";
import { draftPrefix } from "#app/lib/forms/kept-messages.ts";

/** What somebody began to write, in the browser's storage: its other tabs see it too. */
const keyOf = (senderId: string, threadId: string) => `${draftPrefix}${senderId} ${threadId}`;

const listeners = new Set<() => void>();

export function keepDraft(senderId: string, threadId: string, text: string): void {
  try {
    const key = keyOf(senderId, threadId);
    if (text === "") localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Full or forbidden: it is kept as long as the page.
  }
  for (const listener of listeners) listener();
}

function readDraft(senderId: string, threadId: string): string {
  try {
    return localStorage.getItem(keyOf(senderId, threadId)) ?? "";
  } catch {
    return "";
  }
}

/** Hears of changes in this tab and in others. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** What was begun; "" on the server and while the browser takes the page over. */
export function useKeptDraft(senderId: string, threadId: string): string {
  return useSyncExternalStore(
    subscribe,
    () => readDraft(senderId, threadId),
    () => "",
  );
}
