import { z } from "zod";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { sql, type Sql } from "#server/platform/db/sql.ts";
import { refuse } from "#shared/errors.ts";
import type { Page } from "#shared/views.ts";

/** The values a list is ordered by, in the order of its row comparison. */
export type CursorKey = (string | number)[];

/** A row of a list as its query returns it: the item the view shows, and its position. */
export type KeyedRow<Item> = { key: CursorKey; item: Item };

/** Ids lower and higher than any real one: the ends of a list. */
export const lowestId = "00000000-0000-0000-0000-000000000000";
export const highestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const maxLength = 1000;
const idKey = z.tuple([z.string().refine(isId)]);

/** A list ordered newest first continues below this id: `where id < …`. */
export function idBelow(cursor: string | null): string {
  return readCursor(cursor, idKey)?.[0] ?? highestId;
}

/** A list ordered oldest first continues above this id: `where id > …`. */
export function idAbove(cursor: string | null): string {
  return readCursor(cursor, idKey)?.[0] ?? lowestId;
}

/** Opaque text for the position after a row. */
export function writeCursor(key: CursorKey): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** The key in a cursor, null at the start. Refuses a text that we did not write. */
export function readCursor<Key extends CursorKey>(
  cursor: string | null,
  shape: z.ZodType<Key>,
): Key | null {
  if (cursor === null) return null;
  const parsed = cursor.length <= maxLength ? shape.safeParse(parseJson(cursor)) : null;
  if (!parsed?.success) {
    throw refuse("input-invalid", {
      message: "We can't load more of this list. Please reload the page.",
    });
  }
  return parsed.data;
}

/** A page of `size` items from `size` + 1 rows: the extra one shows that there are more. */
export function toPage<Item>(rows: readonly KeyedRow<Item>[], size: number): Page<Item> {
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    items: rows.slice(0, size).map(({ item }) => item),
    nextCursor: last ? writeCursor(last.key) : null,
  };
}

/** A page lies strictly between these ids: its newest rows, or with `upward` the oldest. */
export type IdRange = { below: string; above: string; upward: boolean; limit: number };

/** A page between two ids, newest first, with the ids of its ends; `more` says that there are older items. */
export type RangePage<Item> = {
  items: Item[];
  first: string | null;
  last: string | null;
  more: boolean;
};

/** `limit` rows, newest first, starting at a cursor. */
export function rangeBelow(cursor: string | null, limit: number): IdRange {
  return { below: idBelow(cursor), above: lowestId, upward: false, limit };
}

/** A page between ids, from `limit` + 1 rows with an id as key, in the order they were read. */
export function toRangePage<Item>(
  rows: readonly KeyedRow<Item>[],
  { upward, limit }: Pick<IdRange, "upward" | "limit">,
): RangePage<Item> {
  const shown = rows.slice(0, limit);
  if (upward) shown.reverse();
  const idAt = (place: number) => shown.at(place)?.key.map(String)[0] ?? null;
  return {
    items: shown.map(({ item }) => item),
    first: idAt(0),
    last: idAt(-1),
    // When reading upward, the row at the cursor itself is an older one.
    more: shown.length > 0 && (upward || rows.length > limit),
  };
}

/** How its query orders the ids of such a range. */
export const orderOf = (upward: boolean): Sql => sql.raw(upward ? "asc" : "desc");

/** Reads one row more than `limit` says; newest first, or with `upward` oldest first. */
type ReadRange<Item> = (range: IdRange) => Promise<readonly KeyedRow<Item>[]>;

/** A list in the order of its ids, as screens read it, page by page, and as apps do, between two ids. */
export function listOfIds<Item>(size: number, read: ReadRange<Item>) {
  const oneMore = (range: IdRange) => read({ ...range, limit: range.limit + 1 });
  return {
    page: async (cursor: string | null): Promise<Page<Item>> =>
      toPage(await oneMore(rangeBelow(cursor, size)), size),
    between: async (range: IdRange): Promise<RangePage<Item>> =>
      toRangePage(await oneMore(range), range),
  };
}

/**
 * A list whose owner may not be in sight, by its ids. `from` left-joins the list, `listed` with an id and an
 * item, to the owner: null without a row, and an empty list from one without an id.
 */
export async function listOfOwner<Item>(
  db: Database,
  name: string,
  from: Sql,
  upward: boolean,
): Promise<KeyedRow<Item>[] | null> {
  const rows = await db.query<KeyedRow<Item> | { key: null }>(sql.named(name)`
    select
      case when listed.id is not null then json_build_array(listed.id) end as key,
      listed.item
    from ${from}
    order by listed.id ${orderOf(upward)}
  `);
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.key === null ? [] : [row]));
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}
