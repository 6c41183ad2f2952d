import { cardHeights, heightKey, wereMeasured } from "#app/lib/lists/card-heights.ts";
import { written } from "#app/lib/lists/folded.ts";
import { tabStorage } from "#app/lib/storage.ts";
import { listsKey, remembered, scrollKey, type List } from "#app/lib/lists/remembered-lists.ts";

/** UTF-16 units; browsers give a tab about five million. */
const mostLength = 2_000_000;

/** Milliseconds in which a few changes become one writing. */
const keepAfterMs = 200;

let keeping: ReturnType<typeof setTimeout> | undefined;
let scrolling: ReturnType<typeof setTimeout> | undefined;
let begun = false;

/** The list remembered under this key, in this document or in one that stood in its tab before. */
export function recall<Known>(key: string): Known | null {
  if (!begun) keepFromNowOn();
  return (remembered.get(key) as Known | undefined) ?? null;
}

/**
 * Writes the remembered lists down in a moment. Not only when the document is left: it may hear of
 * that after the next one is there or, on a phone, never.
 */
export function keepSoon(): void {
  // What was kept before is not taken over yet, and would be lost.
  if (!begun) return;
  keeping ??= setTimeout(() => {
    keeping = undefined;
    keepLists(remembered);
  }, keepAfterMs);
}

/** From now on lists outlive their document, for Back from another site. Browser only. */
function keepFromNowOn(): void {
  begun = true;
  for (const [key, list, heights = []] of keptLists()) {
    remembered.set(key, list);
    for (const [index, item] of list.items.entries()) {
      if (heights[index]) cardHeights.set(heightKey(item), heights[index]);
    }
  }
  window.addEventListener("pagehide", () => keepLists(remembered));
  window.addEventListener("scroll", noteScroll, { passive: true });
}

function noteScroll(): void {
  // As React Router calls the entry that a tab began with.
  const entry = (window.history.state as { key?: string } | null)?.key ?? "default";
  const { scrollY } = window;
  clearTimeout(scrolling);
  scrolling = setTimeout(() => {
    keepScroll(entry, scrollY);
    // A place is among the heights of what is above it.
    if (wereMeasured()) keepLists(remembered);
  }, keepAfterMs);
}

/** With the heights of its cards; 0 where one was never drawn. */
type Kept = [key: string, list: List, heights?: number[]];

/** The newest come last in `lists` and are kept first. */
function keepLists(lists: ReadonlyMap<string, List>): void {
  const kept: string[] = [];
  let length = 0;
  for (const [key, list] of [...lists].reverse()) {
    const heights = list.items.map((item) => cardHeights.get(heightKey(item)) ?? 0);
    // As `Kept`. What is folded is written already: a thousand posts cost a copy of their text.
    const items = list.items.map(written).join();
    const cursor = JSON.stringify(list.nextCursor);
    const entry = `[${JSON.stringify(key)},{"items":[${items}],"nextCursor":${cursor}},[${heights.join()}]]`;
    length += entry.length;
    if (length > mostLength) break;
    kept.push(entry);
  }
  // Where nothing can be kept, one comes back to the beginning of the list.
  tabStorage.write(listsKey, kept.length === 0 ? null : `[${kept.reverse().join()}]`);
}

function keptLists(): Kept[] {
  const lists = tabStorage.readJson(listsKey);
  return Array.isArray(lists) ? (lists as Kept[]) : [];
}

/** Where <ScrollRestoration> keeps it too, for the same reason. */
function keepScroll(entry: string, place: number): void {
  tabStorage.write(scrollKey, JSON.stringify({ ...keptPlaces(), [entry]: place }));
}

/** How far down a history entry was when it was left, CSS pixels; null when it is not known. */
export function keptScroll(entry: string): number | null {
  const place = keptPlaces()[entry];
  return typeof place === "number" ? place : null;
}

function keptPlaces(): Record<string, unknown> {
  return (tabStorage.readJson(scrollKey) ?? {}) as Record<string, unknown>;
}
