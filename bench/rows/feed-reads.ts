import pg from "pg";
import type { Viewer } from "#shared/views.ts";
import type { Product } from "../product.ts";
import { workOf, workOfAll, type Work } from "../statements.ts";
import type { Figure } from "../table.ts";

export type FeedReads = {
  follows: number;
  /** the posts that were found */
  posts: number;
  /** what it takes to know which posts the page shows: the pull */
  pull: Work;
  /** the whole page, everything that the cards show included */
  page: Work;
};

/** The most rows a feed page may read to find its posts: two an account followed, and 520. */
export const mostRows = (follows: number): number => 2 * follows + 520;

/** What one page of the home feed reads, of the very statements that the feature sends for it. */
export async function feedReads(
  { features, recording }: Product,
  connection: pg.ClientConfig,
  { viewer, cursor }: { viewer: Viewer; cursor: string | null },
): Promise<Omit<FeedReads, "follows">> {
  const { result, statements } = await recording(() => features.feed.home(viewer, cursor));
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const [first] = statements;
    if (!first) throw new Error("The feed sent no statement.");
    return {
      posts: result.items.length,
      pull: await workOf(client, first),
      page: await workOfAll(client, statements),
    };
  } finally {
    await client.end();
  }
}

/** The cursor of page `wanted`; null for the first. */
export async function cursorOfPage(
  { features }: Product,
  viewer: Viewer,
  wanted: number,
): Promise<string | null> {
  let cursor: string | null = null;
  for (let page = 1; page < wanted; page += 1) {
    ({ nextCursor: cursor } = await features.feed.home(viewer, cursor));
    if (cursor === null) throw new Error(`The feed ends at page ${page}.`);
  }
  return cursor;
}

export function feedReadsFigure(whose: string, { follows, pull, page }: FeedReads): Figure {
  const most = mostRows(follows);
  return {
    what: `Feed page, ${follows.toLocaleString("en")} followed${whose}: rows read`,
    value: `${page.rows} (${page.buffers} buffers); to find the posts ${pull.rows} (${pull.buffers})`,
    goal: `≤ 2F + 520 = ${most}`,
    met: page.rows <= most,
  };
}

export function deepPageFigure(first: Work, deep: Work): Figure {
  const ratio = deep.buffers / first.buffers;
  return {
    what: "Feed, page 50 against page 1: buffers",
    value: `${deep.buffers} against ${first.buffers}: ${ratio.toFixed(2)} ×`,
    goal: "≤ 1.1 ×",
    met: ratio <= 1.1,
  };
}
