import type { Page } from "#shared/views.ts";

/**
 * Pages read for one, at most: where nearly everything is hidden, the list continues from there.
 */
const mostReads = 5;

/**
 * A page of a list without what somebody muted. Missing items are read from behind it, so that the
 * page is as full as any other; after `mostReads` it stays short, and its cursor continues. Where
 * nothing is muted (`hides` is null) it reads once.
 */
export async function filteredPage<Item>(
  hides: ((item: Item) => boolean) | null,
  { cursor, size }: { cursor: string | null; size: number },
  read: (cursor: string | null, size: number) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const page = await read(cursor, size);
  if (!hides) return page;
  const items = page.items.filter((item) => !hides(item));
  let { nextCursor } = page;
  for (let reads = 1; reads < mostReads && items.length < size && nextCursor !== null; reads += 1) {
    const more = await read(nextCursor, size - items.length);
    items.push(...more.items.filter((item) => !hides(item)));
    nextCursor = more.nextCursor;
  }
  return { items, nextCursor };
}
