import { cardHeights, heightKey, takeMeasured } from "#app/lib/lists/card-heights.ts";
import { written } from "#app/lib/lists/folded-posts.ts";
import { tabStorage } from "#app/lib/storage.ts";
import { listsKey, remembered, scrollKey, type List } from "#app/lib/lists/remembered-lists.ts";

/** UTF-16 units; browsers give a tab about five million. */
const mostLength = 2_000_000;

/** Milliseconds in which several changes become one write. */
const storeAfterMs = 200;

let storing: ReturnType<typeof setTimeout> | undefined;
let scrolling: ReturnType<typeof setTimeout> | undefined;
let begun = false;

/** The list remembered under this key, in this document or in an earlier one of its tab. */
export function recall<Known>(key: string): Known | null {
  if (!begun) startStoring();
  return (remembered.get(key) as Known | undefined) ?? null;
}

/**
 * Writes the remembered lists to the storage in a moment. Not only when the document is left: that event
 * may come after the next one has loaded or, on a phone, never.
 */
export function storeSoon(): void {
  // The stored lists have not been read yet, and would be lost.
  if (!begun) return;
  storing ??= setTimeout(() => {
    storing = undefined;
    storeLists(remembered);
  }, storeAfterMs);
}

/** From now on lists outlive their document, for Back from another site. Browser only. */
function startStoring(): void {
  begun = true;
  for (const [key, list, heights = []] of storedLists()) {
    remembered.set(key, list);
    for (const [index, item] of list.items.entries()) {
      if (heights[index]) cardHeights.set(heightKey(item), heights[index]);
    }
  }
  window.addEventListener("pagehide", () => storeLists(remembered));
  window.addEventListener("scroll", noteScroll, { passive: true });
}

function noteScroll(): void {
  // React Router's name for the entry that a tab began with.
  const entry = (window.history.state as { key?: string } | null)?.key ?? "default";
  const { scrollY } = window;
  clearTimeout(scrolling);
  scrolling = setTimeout(() => {
    storeScroll(entry, scrollY);
    // A scroll position depends on the heights of everything above it.
    if (takeMeasured()) storeLists(remembered);
  }, storeAfterMs);
}

/** With the heights of its cards; 0 where one was never rendered. */
type StoredList = [key: string, list: List, heights?: number[]];

/** The newest are last in `lists` and are stored first. */
function storeLists(lists: ReadonlyMap<string, List>): void {
  const stored: string[] = [];
  let length = 0;
  for (const [key, list] of [...lists].reverse()) {
    const heights = list.items.map((item) => cardHeights.get(heightKey(item)) ?? 0);
    // As `StoredList`. Folded posts are serialized already: a thousand posts cost a copy of their text.
    const items = list.items.map(written).join();
    const cursor = JSON.stringify(list.nextCursor);
    const entry = `[${JSON.stringify(key)},{"items":[${items}],"nextCursor":${cursor}},[${heights.join()}]]`;
    length += entry.length;
    if (length > mostLength) break;
    stored.push(entry);
  }
  // If nothing can be stored, going back shows the beginning of the list.
  tabStorage.write(listsKey, stored.length === 0 ? null : `[${stored.reverse().join()}]`);
}

function storedLists(): StoredList[] {
  const lists = tabStorage.readJson(listsKey);
  return Array.isArray(lists) ? (lists as StoredList[]) : [];
}

/** In the same item as <ScrollRestoration>, for the same reason. */
function storeScroll(entry: string, position: number): void {
  tabStorage.write(scrollKey, JSON.stringify({ ...storedPositions(), [entry]: position }));
}

/** The scroll position of a history entry when it was left, CSS pixels; null when it is not known. */
export function storedScroll(entry: string): number | null {
  const position = storedPositions()[entry];
  return typeof position === "number" ? position : null;
}

function storedPositions(): Record<string, unknown> {
  return (tabStorage.readJson(scrollKey) ?? {}) as Record<string, unknown>;
}
