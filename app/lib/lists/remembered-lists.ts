import type { Page } from "#shared/views.ts";
import { tabStorage } from "#app/lib/storage.ts";

/** A list of whatever has an id, as far as it was loaded. */
export type List = Page<{ id: string }>;

/** Where the browser's tab keeps loaded lists while another document stands in it. */
export const listsKey = "postcard-lists";
/** Where <ScrollRestoration> keeps how far each history entry was scrolled (app/root.tsx). */
export const scrollKey = "postcard-scroll";

/** Lists already loaded, by reader, history entry and path: going back finds them as they were. */
export const remembered = new Map<string, List>();

/** After a follow or a delete the loaded lists are not true any more; after a sign-out not ours. */
export function forgetLists(): void {
  remembered.clear();
  tabStorage.write(listsKey, null);
}
