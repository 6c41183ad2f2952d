/**
 * A channel between the tabs of this browser. Null where there is none: each tab is then on its own, and
 * gets what it needs from the server.
 */
export function openTabsChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
