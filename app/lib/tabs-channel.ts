/**
 * A channel between the tabs of this browser. Null where there is none: each tab then stands for
 * itself, and hears from the server what it needs to know.
 */
export function openTabsChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
