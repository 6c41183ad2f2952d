import {
  highestId,
  lowestId,
  writeCursor,
  type IdRange,
  type RangePage,
} from "#server/platform/db/cursors.ts";
import {
  idsAround,
  readDecimal,
  readWholeDecimal,
  wholeDecimalOf,
} from "#server/platform/db/decimal-ids.ts";
import { linkPages } from "#server/mastodon/answers.ts";
import type { Call } from "#server/mastodon/router.ts";
import type { ListBounds } from "#server/features/posts/index.ts";
import type { Page } from "#shared/views.ts";

/** How many of our own pages are read at most for one page of the Mastodon API. */
const mostPages = 10;

/** The bounds that a call sets for a list of posts; an invalid id sets none. */
export function endsIn({ input }: Pick<Call, "input">): ListBounds {
  const id = (name: string) => readDecimal(input.text(name) ?? "");
  return { below: id("max_id"), above: id("since_id"), minimum: id("min_id") };
}

type Item = { id: string };

/** A part of one of our lists, which are read downward by cursors, between two ids. */
export async function pageAbove<T extends Item>(
  { below, above, limit }: IdRange,
  read: (cursor: string | null) => Promise<Page<T>>,
): Promise<{ items: T[]; more: boolean }> {
  const cursor = below === highestId ? null : writeCursor([below]);
  let page = await read(cursor);
  const items = [...page.items];
  for (let pages = 1; pages < mostPages && page.nextCursor && items.length < limit; pages += 1) {
    page = await read(page.nextCursor);
    items.push(...page.items);
  }
  const between = items.filter(({ id }) => id > above);
  const shown = between.slice(0, limit);
  return { items: shown, more: between.length > shown.length || page.nextCursor !== null };
}

/** The links of a list whose items are asked for by their own ids. */
export function linkItems(
  { deps: { publicUrl }, request, reply }: Pick<Call, "deps" | "request" | "reply">,
  items: readonly Item[],
  more: boolean,
): void {
  const [first, last] = [items[0], items.at(-1)];
  linkPages(request, reply, {
    publicUrl,
    next: last && more ? { max_id: last.id } : null,
    prev: first ? { min_id: first.id } : null,
  });
}

/**
 * The bounds of a list that has its own order: whole ids, as `itemsInRange` returns them. A shorter one is
 * the id of a status or an account: then its time counts.
 */
function rangeIn({ input }: Pick<Call, "input">, limit: number): IdRange {
  const at = (name: string, end: "lowest" | "highest") => {
    const text = input.text(name) ?? "";
    const short = readDecimal(text);
    return short === null ? readWholeDecimal(text) : idsAround(short)[end];
  };
  const minimum = at("min_id", "highest");
  return {
    below: at("max_id", "lowest") ?? highestId,
    above: minimum ?? at("since_id", "highest") ?? lowestId,
    upward: minimum !== null,
    limit,
  };
}

/** The items of such a list that a call asks for, with links to the others. */
export async function itemsInRange<Item>(
  call: Pick<Call, "deps" | "request" | "reply" | "input">,
  { usual, most }: { usual: number; most: number },
  read: (range: IdRange) => Promise<RangePage<Item>>,
): Promise<Item[]> {
  const { items, first, last, more } = await read(
    rangeIn(call, call.input.count("limit", usual, most)),
  );
  linkPages(call.request, call.reply, {
    publicUrl: call.deps.publicUrl,
    next: last !== null && more ? { max_id: wholeDecimalOf(last) } : null,
    prev: first === null ? null : { min_id: wholeDecimalOf(first) },
  });
  return items;
}

/** Page sizes of lists of accounts. */
export const accountPageSize = { usual: 40, most: 80 };
