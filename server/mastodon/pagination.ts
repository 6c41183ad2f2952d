import {
  highestId,
  lowestId,
  writeCursor,
  type IdRange,
  type RangePage,
} from "#server/db/cursors.ts";
import {
  idsAround,
  readDecimal,
  readWholeDecimal,
  wholeDecimalOf,
} from "#server/db/decimal-ids.ts";
import { linkPages } from "#server/mastodon/answers.ts";
import type { Call, MastodonDeps } from "#server/mastodon/router.ts";
import type { ListBounds } from "#server/features/posts/index.ts";
import type { Page } from "#shared/views.ts";

/** Pages of ours that are read at most for one of this face. */
const mostPages = 10;

/** Where a list of posts begins and ends, as it is asked for; what is no id asks for nothing. */
export function endsIn({ input }: Pick<Call, "input">): ListBounds {
  const id = (name: string) => readDecimal(input.text(name) ?? "");
  return { below: id("max_id"), above: id("since_id"), minimum: id("min_id") };
}

type Item = { id: string };

/** A page of a list of ours, which goes down by cursors, between two of its ids. */
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
  { request, reply }: Pick<Call, "request" | "reply">,
  publicUrl: string,
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
 * The ends of a list that stands in an order of its own: whole ids, as `itemsInRange` tells them. A shorter one
 * is of a status or an account: then its moment counts.
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

/** The items of such a list that a call asks for, with the links to the others. */
export async function itemsInRange<Item>(
  call: Pick<Call, "request" | "reply" | "input">,
  { publicUrl }: Pick<MastodonDeps, "publicUrl">,
  { usual, most }: { usual: number; most: number },
  read: (range: IdRange) => Promise<RangePage<Item>>,
): Promise<Item[]> {
  const { items, first, last, more } = await read(
    rangeIn(call, call.input.count("limit", usual, most)),
  );
  linkPages(call.request, call.reply, {
    publicUrl,
    next: last !== null && more ? { max_id: wholeDecimalOf(last) } : null,
    prev: first === null ? null : { min_id: wholeDecimalOf(first) },
  });
  return items;
}

/** How many accounts a list of them has. */
export const accountPageSize = { usual: 40, most: 80 };
