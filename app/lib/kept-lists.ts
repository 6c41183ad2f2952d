import { listsKey, scrollKey, type List } from "#app/lib/remembered-lists.ts";

/** UTF-16 units; browsers give a tab about five million. */
const mostLength = 2_000_000;

/**
 * Keeps lists for when one comes back from another site or loads the page again. The newest come
 * last in `lists` and are kept first.
 */
export function keepLists(lists: ReadonlyMap<string, List>): void {
  const kept: string[] = [];
  let length = 0;
  for (const entry of [...lists].reverse()) {
    const written = JSON.stringify(entry);
    length += written.length;
    if (length > mostLength) break;
    kept.push(written);
  }
  try {
    if (kept.length === 0) sessionStorage.removeItem(listsKey);
    else sessionStorage.setItem(listsKey, `[${kept.reverse().join()}]`);
  } catch {
    // Full or forbidden: one comes back to the beginning of the list.
  }
}

/** What `keepLists` kept in this tab. */
export function keptLists(): [string, List][] {
  try {
    const lists: unknown = JSON.parse(sessionStorage.getItem(listsKey) ?? "[]");
    return Array.isArray(lists) ? (lists as [string, List][]) : [];
  } catch {
    return [];
  }
}

/** How far down a history entry was when it was left, CSS pixels; null when it is not known. */
export function keptScroll(entry: string): number | null {
  try {
    const places = JSON.parse(sessionStorage.getItem(scrollKey) ?? "{}") as Record<string, unknown>;
    const place = places[entry];
    return typeof place === "number" ? place : null;
  } catch {
    return null;
  }
}
