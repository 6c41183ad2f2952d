import { useSyncExternalStore } from "react";

/** Whose posts and comments are left out here while a block or a mute is on its way to the server. */
let hidden: ReadonlySet<string> = new Set();
const none: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** Leaves somebody out of what is shown, or puts them back. */
export function hideAccount(id: string, hide: boolean): void {
  const next = new Set(hidden);
  if (hide) next.add(id);
  else next.delete(id);
  hidden = next;
  for (const listener of listeners) listener();
}

export function useHiddenAccounts(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hidden,
    () => none,
  );
}
