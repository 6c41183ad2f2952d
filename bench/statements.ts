import type pg from "pg";

/** A statement as it was sent, parameters included. */
export type Statement = { text: string; values: readonly unknown[] };

export type Work = {
  /** rows that the scans of the plan read, those they threw away included */
  rows: number;
  /** pages of 8 kB touched, in PostgreSQL's memory or not */
  buffers: number;
};

type PlanNode = {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
};

/**
 * What PostgreSQL reads for a statement, by EXPLAIN (ANALYZE, BUFFERS). Planned for these very
 * values and once more as the generic plan that a connection may switch to after five uses of a
 * prepared statement; the dearer of the two counts.
 */
export async function workOf(client: pg.Client, statement: Statement): Promise<Work> {
  const plans: Work[] = [];
  for (const mode of ["force_custom_plan", "force_generic_plan"]) {
    await client.query(`set plan_cache_mode = ${mode}`);
    plans.push(await explain(client, statement));
  }
  await client.query("reset plan_cache_mode");
  return {
    rows: Math.max(...plans.map(({ rows }) => rows)),
    buffers: Math.max(...plans.map(({ buffers }) => buffers)),
  };
}

/** Several statements together, as one page sends them. */
export async function workOfAll(
  client: pg.Client,
  statements: readonly Statement[],
): Promise<Work> {
  const total = { rows: 0, buffers: 0 };
  for (const statement of statements) {
    const { rows, buffers } = await workOf(client, statement);
    total.rows += rows;
    total.buffers += buffers;
  }
  return total;
}

async function explain(client: pg.Client, { text, values }: Statement): Promise<Work> {
  const { escapeLiteral } = client;
  const given = values.map((value) => {
    if (value === null || value === undefined) return "null";
    return escapeLiteral.call(client, Array.isArray(value) ? toArrayText(value) : String(value));
  });
  await client.query(`prepare measured as ${text}`);
  try {
    const call = given.length > 0 ? `measured(${given.join(", ")})` : "measured";
    const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
      `explain (analyze, buffers, timing off, format json) execute ${call}`,
    );
    const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
    if (!plan) throw new Error("EXPLAIN gave no plan.");
    return {
      rows: Math.round(scannedRows(plan)),
      buffers: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
    };
  } finally {
    await client.query("deallocate measured");
  }
}

/** Rows are counted where they come out of a table or an index, not where they pass through. */
function scannedRows(node: PlanNode): number {
  const children = (node.Plans ?? []).reduce((sum, child) => sum + scannedRows(child), 0);
  // The rows of a bitmap are counted by the heap scan over it.
  const reads = /^(Seq|Index|Index Only|Bitmap Heap|Tid|Tid Range|Sample) Scan$/;
  if (!reads.test(node["Node Type"])) return children;
  const removed =
    (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return children + (node["Actual Rows"] + removed) * node["Actual Loops"];
}

function toArrayText(values: readonly unknown[]): string {
  const items = values.map((value) =>
    value === null ? "NULL" : `"${String(value).replace(/["\\]/g, "\\$&")}"`,
  );
  return `{${items.join(",")}}`;
}
