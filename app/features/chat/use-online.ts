import { useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  const over = new AbortController();
  window.addEventListener("online", listener, { signal: over.signal });
  window.addEventListener("offline", listener, { signal: over.signal });
  return () => over.abort();
}

/** Whether the browser believes it is online. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}
