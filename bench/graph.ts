import { performance } from "node:perf_hooks";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { withoutIndexes } from "./graph/indexes.ts";
import { denseUpTo, graphDefaults, planGraph, type GraphOptions } from "./graph/plan.ts";
import { graphRows, type Row } from "./graph/rows.ts";

export type Graph = {
  /** the requested viewers, in their order */
  viewers: { id: string; username: string }[];
  accounts: number;
  posts: number;
  rows: number;
  /** the phases of making it, and how long each took */
  parts: { what: string; seconds: number }[];
};

/**
 * Fills a migrated, empty database with a large town by COPY: follows, posts, images, likes, comments and
 * bookmarks, with counters and mirror rows that agree. The same options give the same rows. Images have rows
 * but no files. All in one transaction, then VACUUM ANALYZE.
 */
export async function growGraph(
  connection: pg.ClientConfig,
  options: Partial<GraphOptions> = {},
  onPart: (part: Graph["parts"][number]) => void = () => {},
): Promise<Graph> {
  const parts: Graph["parts"] = [];
  async function timed<Result>(
    what: string,
    work: () => Result | Promise<Result>,
  ): Promise<Result> {
    const started = performance.now();
    const result = await work();
    const part = { what, seconds: (performance.now() - started) / 1000 };
    parts.push(part);
    onPart(part);
    return result;
  }

  const plan = await timed("planned", () => planGraph({ ...graphDefaults, ...options }));
  const client = new pg.Client(connection);
  await client.connect();
  let rows = 0;
  async function fill(): Promise<void> {
    for (const { table, rows: rowsOf } of graphRows(plan)) {
      await timed(nameOf({ table }), async () => {
        const copy = client.query(copyFrom(`copy ${table} from stdin`));
        await pipeline(Readable.from(toCopyText(rowsOf()), { objectMode: false }), copy);
        rows += copy.rowCount;
      });
    }
    await timed("account_storage", () =>
      client.query(
        `insert into account_storage (account_id, bytes)
        select account_id, sum(bytes) from images group by account_id`,
      ),
    );
  }
  try {
    await client.query("begin");
    await client.query("set local statement_timeout = 0");
    // The counts of triggers are written with the rows, and a test checks that rows fit each other: checking
    // each key here would take most of the time. No post waits for a home list either, as nobody reads home
    // yet.
    await client.query("set local session_replication_role = replica");
    if (plan.options.accounts > denseUpTo) {
      await withoutIndexes(client, [...new Set(graphRows(plan).map(nameOf))], fill, timed);
    } else {
      await fill();
    }
    await timed("committed", () => client.query("commit"));
    await client.query("set statement_timeout = 0");
    await timed("vacuumed and analyzed", () => client.query("vacuum (analyze)"));
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
    parts,
  };
}

const nameOf = ({ table }: { table: string }): string => table.split(" ", 1)[0] ?? "";

/** COPY's text format, in chunks of about 64 kB. */
function* toCopyText(rows: Iterable<Row>): Generator<string> {
  let piece = "";
  for (const row of rows) {
    for (let index = 0; index < row.length; index += 1) {
      piece += (index > 0 ? "\t" : "") + toField(row[index] ?? null);
    }
    piece += "\n";
    if (piece.length > 65_536) {
      yield piece;
      piece = "";
    }
  }
  if (piece) yield piece;
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function toField(value: Row[number]): string {
  if (value === null) return "\\N";
  if (typeof value === "number") return String(value);
  if (!special.test(value)) return value;
  return value.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? found);
}
