import { useSyncExternalStore } from "react";
import { createStore } from "#app/lib/store.ts";

const none: ReadonlySet<string> = new Set();
/** Whose posts and comments are left out here while a block or a mute is on its way to the server. */
const hidden = createStore(none);

/** Leaves somebody out of what is shown, or puts them back. */
export function hideAccount(id: string, hide: boolean): void {
  const next = new Set(hidden.now());
  if (hide) next.add(id);
  else next.delete(id);
  hidden.set(next);
}

export function useHiddenAccounts(): ReadonlySet<string> {
  return useSyncExternalStore(hidden.subscribe, hidden.now, () => none);
}
