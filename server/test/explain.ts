import type { Database } from "#server/platform/db/database.ts";
import { statementsOver } from "#server/platform/db/statements.ts";
import type { Statement } from "#server/platform/db/sql.ts";

/** The cost of one statement, counted by PostgreSQL: never time, so that a busy machine changes nothing. */
export type Cost = {
  name: string;
  /** Rows that its scans read from tables and indexes; a probe that finds nothing counts as one. */
  rowsRead: number;
  /** Rows that indexes collected before the first was read: all matches, whatever the limit. */
  collected: number;
  /** 8 kB pages read, from memory or disk. */
  buffers: number;
  /** Kinds of scan by table: "posts: Index Only Scan posts_pkey". */
  scans: string[];
  /** Every index it used, including those of bitmap scans. */
  indexes: string[];
};

type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Plan[];
};

/**
 * Runs a read and explains each prepared statement in it, with PostgreSQL's plan for any values ("generic",
 * which a prepared statement ends up with) or for these ones ("custom").
 */
export async function costsOf(
  db: Database,
  read: (db: Database) => Promise<unknown>,
  plan: "generic" | "custom" = "generic",
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const statement of await sentBy(db, read)) {
    if (statement.name) costs.push(await costOf(db, statement.name, statement, plan));
  }
  return costs;
}

/** The statements that a read sends, in their order. */
export async function sentBy(
  db: Database,
  read: (db: Database) => Promise<unknown>,
): Promise<(Statement & { name?: string | undefined })[]> {
  const sent: (Statement & { name?: string | undefined })[] = [];
  const noting = statementsOver((config) => {
    sent.push({ name: config.name, text: config.text, values: config.values ?? [] });
    return db.pool.query(config);
  });
  await read({ ...db, ...noting });
  return sent;
}

/** The cost of one statement. */
export async function costOf(
  db: Database,
  name: string,
  { text, values }: Statement,
  mode: "generic" | "custom",
): Promise<Cost> {
  const given = values.map(literal).join(", ");
  const client = await db.pool.connect();
  try {
    await client.query(`set plan_cache_mode = force_${mode}_plan`);
    await client.query(`prepare explained as ${text}`);
    const execute = `execute explained${given ? `(${given})` : ""}`;
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      `explain (analyze, buffers, timing off, format json) ${execute}`,
    );
    const root = rows[0]?.["QUERY PLAN"][0].Plan;
    if (!root) throw new Error("PostgreSQL explained nothing");
    const run = flatten(root).filter((node) => node["Actual Loops"] > 0);
    const nodes = run.filter((node) => node["Relation Name"]);
    return {
      name,
      rowsRead: nodes.reduce((sum, node) => sum + rowsOf(node), 0),
      collected: run
        .filter((node) => node["Node Type"] === "Bitmap Index Scan")
        .reduce((sum, node) => sum + Math.ceil(node["Actual Rows"] * node["Actual Loops"]), 0),
      buffers: root["Shared Hit Blocks"] + root["Shared Read Blocks"],
      scans: [
        ...new Set(
          nodes.map((node) =>
            `${node["Relation Name"]}: ${node["Node Type"]} ${node["Index Name"] ?? ""}`.trim(),
          ),
        ),
      ].sort(),
      indexes: [...new Set(run.flatMap((node) => node["Index Name"] ?? []))].sort(),
    };
  } finally {
    await client.query("deallocate explained").catch(() => {});
    await client.query("reset plan_cache_mode");
    client.release();
  }
}

function rowsOf(node: Plan): number {
  const perLoop =
    node["Actual Rows"] +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  return Math.ceil(Math.max(perLoop, 1) * node["Actual Loops"]);
}

function flatten(node: Plan): Plan[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

function literal(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return literal(`{${value.map((item) => JSON.stringify(item)).join()}}`);
  if (value instanceof Uint8Array) return literal(`\\x${Buffer.from(value).toString("hex")}`);
  if (value instanceof Date) return literal(value.toISOString());
  return `'${String(value).replaceAll("'", "''")}'`;
}
