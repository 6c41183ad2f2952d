import type { Page } from "#shared/views.ts";

/**
 * The already loaded items of a list and its newly read first page, as one list.
 *
 * The loaded items continue after the last item of the first page. If they do not contain it (too much has
 * changed), only the first page is left.
 */
export function joinPages<Item extends { id: string }>(
  first: Page<Item>,
  loaded: Page<Item> | null,
): Page<Item> {
  const last = first.items.at(-1);
  if (!loaded || !last || first.nextCursor === null) return first;
  const at = loaded.items.findIndex((item) => item.id === last.id);
  if (at === -1) return first;
  return appendPage(first, { items: loaded.items.slice(at + 1), nextCursor: loaded.nextCursor });
}

/** `page` after `list`; an item in both is listed once, at its first position. */
export function appendPage<Item extends { id: string }>(
  list: Page<Item>,
  page: Page<Item>,
): Page<Item> {
  const known = new Set(list.items.map((item) => item.id));
  return {
    items: [...list.items, ...page.items.filter((item) => !known.has(item.id))],
    nextCursor: page.nextCursor,
  };
}
