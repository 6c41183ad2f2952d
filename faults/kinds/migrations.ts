import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { addressOf, projectRoot, startProgram, type Running } from "#server/test/programs.ts";
import { lostComment } from "../controls.ts";
import {
  examine,
  killPostgres,
  launch,
  waitForWrites,
  newFolder,
  newTarget,
  withOpenInstallation,
  remove,
  populate,
  whileTheyWrite,
} from "../target.ts";
import { begin, type Fault, type Result, type Size } from "../result.ts";

const program = `
  import { migrate } from "#server/platform/db/migrate.ts";
  const [connection, directory] = process.argv.slice(1);
  await migrate({ connection: JSON.parse(connection), directory });
`;
const ours = join(projectRoot, "server/migrations");
const files = readdirSync(ours)
  .filter((name) => name.endsWith(".sql"))
  .toSorted();
/** The version of the installation in server/test/before ended before this migration. */
const firstOfThis = "0074";
/** Tables of the job library, and details of a migration that nobody sees. */
const schemas = "('public', 'pgboss')";

/**
 * A first start, and an upgrade of an installation with accounts, killed in the middle of the migrations
 * again and again; the next start ends with the same schema and rows as a single run. Then whole servers with
 * their own PostgreSQL, killed during their first start, every second one with its PostgreSQL. As controls a
 * column is dropped and a row is deleted.
 */
export const migrations: Fault = {
  name: "migrations",
  short: true,
  run: async (size) => {
    const postgres = startProgram([
      process.execPath,
      "server/test/postgres-holder.ts",
      newFolder(),
    ]);
    try {
      const host = await addressOf(postgres);
      const at = { host, port: 5432, user: "postcard", database: "postcard" };
      const { result, schema } = await killedMigrations(at, size);
      return size.short ? [result] : [result, await killedFirstStarts(schema)];
    } finally {
      postgres.child.kill("SIGTERM");
      await postgres.ended;
    }
  },
};

async function killedMigrations(at: pg.ClientConfig, { short }: Size) {
  const wrong: string[] = [];
  const controls: string[] = [];
  let kills = 0;
  let between = 0;
  let schema: string[] = [];
  const ways = { first: 0, upgrade: files.filter((name) => name >= firstOfThis).length };
  const each = { first: short ? 2 : 12, upgrade: short ? 0 : 8 };
  for (const way of ["first", "upgrade"] as const) {
    if (each[way] === 0) continue;
    const whole = await prepared(at, `whole_${way}`, way);
    await killedAt(whole, []);
    const expected = await contentsOf(whole);
    schema = await schemaOf(whole);
    const killed = await prepared(at, `killed_${way}`, way);
    // spread over the migrations that this one runs
    const made = way === "first" ? files.length : ways.upgrade;
    const targets = Array.from({ length: each[way] }, (_, index) =>
      Math.floor(files.length - made + (index * made) / each[way]),
    );
    const seen = await killedAt(killed, targets);
    kills += targets.length;
    between += seen.filter((count) => count > files.length - made && count < files.length).length;
    const difference = differenceOf(expected, await contentsOf(killed));
    if (difference) wrong.push(`after kills the ${way} differs: ${difference}`);

    await ask(killed, "alter table posts drop column comments_from");
    const named = differenceOf(expected, await contentsOf(killed));
    if (named) controls.push(`a column dropped: named (${named})`);
    else wrong.push("a column that was dropped was not named");
    if (way === "upgrade") {
      await ask(whole, "delete from push_subscriptions; delete from credentials");
      const row = differenceOf(expected, await contentsOf(whole));
      if (row) controls.push(`rows deleted: named (${row})`);
      else wrong.push("rows that were deleted were not named");
    }
  }
  if (between === 0) wrong.push("no kill fell between the first and the last migration");
  const result: Result = {
    fault: "migration killed midway",
    injected: `${kills} kills`,
    acknowledged: 0,
    lost: [],
    drift: [],
    wrong,
    back: [],
    controls,
    notes: [
      short ? "of a first start" : "12 of a first start, 8 of an upgrade with people in it",
      `${between} between its first and its last migration`,
    ],
  };
  return { result, schema };
}

/** A separate database; that of an upgrade holds an installation of the version before. */
async function prepared(
  at: pg.ClientConfig,
  name: string,
  way: "first" | "upgrade",
): Promise<pg.ClientConfig> {
  await ask(at, `create database ${name} template template0 encoding 'UTF8'`);
  const connection = { ...at, database: name };
  if (way === "first") return connection;
  const older = newFolder();
  for (const file of files.filter((one) => one < firstOfThis)) {
    cpSync(join(ours, file), join(older, file));
  }
  const migrating = run(connection, older);
  const code = await migrating.ended;
  if (code !== 0) throw new Error(`The version before ended with ${code}: ${migrating.said()}`);
  const rows = readFileSync(join(projectRoot, "server/test/before/installation.sql"), "utf8");
  await ask(connection, `begin; ${rows}; commit`);
  return connection;
}

function run(connection: pg.ClientConfig, ...directory: string[]): Running {
  const words = [process.execPath, "--input-type=module", "-e", program];
  return startProgram([...words, JSON.stringify(connection), ...directory]);
}

/**
 * Migrates to the end, after one kill for each number: as soon as so many migrations are done, or a moment
 * later. Returns how many were done after each kill.
 */
async function killedAt(
  connection: pg.ClientConfig,
  targets: readonly number[],
): Promise<number[]> {
  const seen: number[] = [];
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const wantedCount of targets) {
      const killed = run(connection);
      const over = { yet: false };
      void killed.ended.then(() => (over.yet = true));
      while (!over.yet && (await countOf(client)) < wantedCount) await sleep(1);
      await sleep(Math.random() * 30);
      killed.child.kill("SIGKILL");
      await killed.ended;
      seen.push(await countOf(client));
    }
  } finally {
    await client.end();
  }
  const last = run(connection);
  const code = await last.ended;
  if (code !== 0) throw new Error(`A migration after kills ended with ${code}: ${last.said()}`);
  return seen;
}

/** How many migrations are done; also if the table, which the first one makes, doesn't exist yet. */
async function countOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query("select to_regclass('schema_migrations') is not null as is");
  if (!rows[0]?.is) return 0;
  const counted = await client.query<{ n: number }>(
    "select count(*)::int as n from schema_migrations",
  );
  return counted.rows[0]?.n ?? 0;
}

/** Whole servers, in empty folders. Everything must be there once a start was not killed. */
async function killedFirstStarts(schema: readonly string[]): Promise<Result> {
  const [folders, each] = [3, 5];
  const results: Result[] = [];
  for (let index = 0; index < folders; index += 1) {
    results.push(await killedFirstStart(schema, each));
  }
  return {
    fault: "first start killed",
    injected: `${folders * each} kills`,
    acknowledged: results.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    lost: results.flatMap(({ lost }) => lost),
    drift: results.flatMap(({ drift }) => drift),
    wrong: results.flatMap(({ wrong }) => wrong),
    back: [],
    controls: results.flatMap(({ controls }) => controls),
    notes: [`${folders} folders, every second kill with its PostgreSQL`],
  };
}

async function killedFirstStart(schema: readonly string[], kills: number): Promise<Result> {
  const target = newTarget({});
  try {
    for (let start = 1; start <= kills; start += 1) {
      const server = launch(target);
      // Without a kill the slowest of these machines needs seconds, the fastest about one.
      await sleep(Math.random() * 600 * start);
      server.child.kill("SIGKILL");
      await server.ended;
      if (start % 2 === 0) await killPostgres(target, { waits: false });
    }
    await populate(target);
    const result = begin(target);
    await whileTheyWrite(target, async () => void (await waitForWrites(target, 10)));
    const verdict = await examine(target, [lostComment]);
    const found = await withOpenInstallation(target, ({ db }) =>
      schemaOf({ query: (text) => db.pool.query({ text }) }),
    );
    const difference = differenceOf(schema, found);
    if (difference)
      verdict.drift.push(`the schema differs from one of a single start: ${difference}`);
    return result("", "", verdict);
  } finally {
    await remove(target);
  }
}

type Asked = pg.ClientConfig | { query: (text: string) => Promise<pg.QueryResult> };

async function ask(at: Asked, text: string): Promise<Record<string, unknown>[]> {
  if ("query" in at) return (await at.query(text)).rows as Record<string, unknown>[];
  const client = new pg.Client(at);
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Everything in the schema, one line each. */
async function schemaOf(at: Asked): Promise<string[]> {
  const rows = await ask(
    at,
    `select line from (
       select concat_ws(' ', 'column', table_schema, table_name, column_name, data_type, is_nullable, column_default)
       from information_schema.columns where table_schema in ${schemas}
       union all select 'index ' || indexdef from pg_indexes where schemaname in ${schemas}
       union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
       from pg_constraint where connamespace::regnamespace::text in ${schemas}
       union all select pg_get_functiondef(p.oid) from pg_proc p
       where p.pronamespace::regnamespace::text in ${schemas} and p.prokind = 'f'
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
       union all select 'not used: ' || indexrelid::regclass from pg_index where not indisvalid
     ) lines (line) order by 1`,
  );
  return rows.map(({ line }) => String(line));
}

/** The schema, and how many rows each table has. */
async function contentsOf(at: pg.ClientConfig): Promise<string[]> {
  const tables = await ask(
    at,
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname in ${schemas} order by 1`,
  );
  const counts = tables.map(({ name }) => `select '${name}: ' || count(*) as line from ${name}`);
  const rows = await ask(at, counts.join(" union all "));
  return [...(await schemaOf(at)), ...rows.map(({ line }) => String(line))];
}

function differenceOf(expected: readonly string[], found: readonly string[]): string | null {
  const [here, there] = [new Set(expected), new Set(found)];
  const other = [
    ...expected.filter((line) => !there.has(line)),
    ...found.filter((line) => !here.has(line)),
  ];
  return other[0]?.slice(0, 100) ?? null;
}
