import type { Page } from "#shared/views.ts";
import { tabStorage } from "#app/lib/storage.ts";

/** A list of anything with an id, as far as it was loaded. */
export type List = Page<{ id: string }>;

/** Storage key of loaded lists, in the browser's tab, while another document is open in it. */
export const listsKey = "postcard-lists";
/** Storage key of <ScrollRestoration>: the scroll position of each history entry (app/root.tsx). */
export const scrollKey = "postcard-scroll";

/** Loaded lists, by reader, history entry and path: going back shows them as they were. */
export const remembered = new Map<string, List>();

/** After a follow or a delete the loaded lists are outdated; after a sign-out not ours. */
export function forgetLists(): void {
  remembered.clear();
  tabStorage.write(listsKey, null);
}
