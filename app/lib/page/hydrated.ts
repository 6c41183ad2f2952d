import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** false on the server and while the browser takes the page over, true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
