import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { graphDefaults, planGraph, type GraphOptions } from "./graph/plan.ts";
import { graphRows, type Row } from "./graph/rows.ts";

export type Graph = {
  /** the viewers asked for, in their order */
  viewers: { id: string; username: string }[];
  accounts: number;
  posts: number;
  rows: number;
};

/**
 * Fills a migrated, empty database with a large town by COPY: follows, posts, pictures, likes,
 * comments and saves, with counters and mirror rows that agree. The same options give the same
 * rows. Pictures have rows but no files. All in one transaction, then VACUUM ANALYZE.
 */
export async function growGraph(
  connection: pg.ClientConfig,
  options: Partial<GraphOptions> = {},
): Promise<Graph> {
  const plan = planGraph({ ...graphDefaults, ...options });
  const client = new pg.Client(connection);
  await client.connect();
  let rows = 0;
  try {
    await client.query("begin");
    for (const { table, rows: rowsOf } of graphRows(plan)) {
      const copy = client.query(copyFrom(`copy ${table} from stdin`));
      await pipeline(Readable.from(toCopyText(rowsOf()), { objectMode: false }), copy);
      rows += copy.rowCount;
    }
    // Nobody reads home yet: no list gets them.
    await client.query("delete from home_pending");
    await client.query("commit");
    await client.query("vacuum (analyze)");
  } finally {
    await client.end();
  }
  const { accounts, viewers } = plan.options;
  return {
    viewers: viewers.map((_, index) => ({
      id: plan.ids[accounts + index] ?? "",
      username: `member_${accounts + index}`,
    })),
    accounts: plan.total,
    posts: plan.posts.reduce((sum, count) => sum + count, 0),
    rows,
  };
}

/** COPY's text format, in pieces of about 64 kB. */
function* toCopyText(rows: Iterable<Row>): Generator<string> {
  let piece = "";
  for (const row of rows) {
    piece += `${row.map(toField).join("\t")}\n`;
    if (piece.length > 65_536) {
      yield piece;
      piece = "";
    }
  }
  if (piece) yield piece;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function toField(value: Row[number]): string {
  if (value === null) return "\\N";
  if (typeof value === "number") return String(value);
  return value.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? found);
}
