import type { Database } from "#server/platform/db/database.ts";
import { createFeed } from "#server/features/posts/feed/feed.ts";
import { costsOf } from "#server/test/explain.ts";
import type { Viewer } from "#shared/views.ts";
import { inFull, type Figure } from "../table.ts";

export type Reads = {
  /** rows that the scans of the plans read, including probes that found nothing */
  rows: number;
  /** pages of 8 kB read, in PostgreSQL's memory or not */
  buffers: number;
};

/** The most rows that a page of the home feed may read. */
const mostRows = (follows: number): number => 2 * follows + 520;

/**
 * What one page of the home feed reads, with the exact statements that the feature sends: planned for these
 * values and planned for any, as a connection does after the fifth time; the more expensive plan counts.
 */
export async function feedReads(
  db: Database,
  viewer: Viewer,
  cursor: string | null,
): Promise<Reads> {
  const plans: Reads[] = [];
  for (const plan of ["generic", "custom"] as const) {
    const home = (on: Database) => createFeed({ db: on }).home(viewer, cursor);
    const costs = await costsOf(db, home, plan);
    plans.push({
      rows: costs.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      buffers: costs.reduce((sum, { buffers }) => sum + buffers, 0),
    });
  }
  return {
    rows: Math.max(...plans.map(({ rows }) => rows)),
    buffers: Math.max(...plans.map(({ buffers }) => buffers)),
  };
}

/** The cursor of page `wanted`; null for the first. */
export async function cursorOfPage(
  db: Database,
  viewer: Viewer,
  wanted: number,
): Promise<string | null> {
  const { home } = createFeed({ db });
  let cursor: string | null = null;
  for (let page = 1; page < wanted; page += 1) {
    ({ nextCursor: cursor } = await home(viewer, cursor));
    if (cursor === null) throw new Error(`The feed ends at page ${page}.`);
  }
  return cursor;
}

export function feedReadsFigure(follows: number, whose: string, { rows, buffers }: Reads): Figure {
  const most = mostRows(follows);
  return {
    what: `Feed page, ${inFull(follows)} followed${whose}: rows read`,
    value: `${inFull(rows)} (and ${inFull(buffers)} buffers)`,
    goal: `≤ 2F + 520 = ${inFull(most)}`,
    met: rows <= most,
  };
}

export function deepPageFigure(first: Reads, deep: Reads): Figure {
  const ratio = deep.buffers / first.buffers;
  return {
    what: "Feed, page 50 against page 1: buffers",
    value: `${ratio.toFixed(2)} × (${deep.buffers} against ${first.buffers})`,
    goal: "≤ 1.1 ×",
    met: ratio <= 1.1,
  };
}
