import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { addressOf, startProgram } from "#server/test/programs.ts";
import { newFolder } from "../place.ts";
import type { Fault } from "../result.ts";

const program = `
  import { migrate } from "#server/db/migrate.ts";
  console.log("began");
  await migrate({ connection: JSON.parse(process.argv[1]) });
`;

/**
 * A first start is killed somewhere in the middle of its migrations, again and again; the next one goes on to a
 * schema that differs in nothing from one that was made in one go. As a control a column is dropped.
 */
export const migrations: Fault = {
  name: "migrations",
  short: true,
  run: async ({ kills, short }) => {
    const postgres = startProgram([
      process.execPath,
      "server/test/postgres-holder.ts",
      newFolder(),
    ]);
    const at = {
      host: await addressOf(postgres),
      port: 5432,
      user: "postcard",
      database: "postcard",
    };
    const wrong: string[] = [];
    try {
      const { took, connection: whole } = await migrated(at, "whole", []);
      const expected = await schemaOf(whole);
      const databases = short ? 1 : Math.ceil(kills / 5);
      let halfway = 0;
      for (let index = 0; index < databases; index += 1) {
        const pauses = Array.from({ length: short ? 2 : 5 }, () => Math.random() * took);
        const { connection, seen } = await migrated(at, `killed_${index}`, pauses);
        halfway += seen;
        const difference = differenceOf(expected, await schemaOf(connection));
        if (difference) wrong.push(`after kills the schema is another one: ${difference}`);
      }
      await ask(whole, "alter table posts drop column comments_from");
      const named = differenceOf(expected, await schemaOf(whole));
      if (!named) wrong.push("a column that was dropped was not named");
      const count = databases * (short ? 2 : 5);
      return [
        {
          fault: "migration killed midway",
          injected: `${count} kills`,
          acknowledged: 0,
          lost: [],
          drift: [],
          wrong,
          back: [],
          controls: [`a column dropped: named (${named})`],
          told: [
            `${databases} databases; ${halfway} kills after the first and before the last migration`,
          ],
        },
      ];
    } finally {
      postgres.child.kill("SIGTERM");
      await postgres.ended;
    }
  },
};

/** A database that is migrated to the end, after a kill so many milliseconds into each of as many tries. */
async function migrated(at: pg.ClientConfig, name: string, pauses: readonly number[]) {
  await ask(at, `create database ${name} template template0 encoding 'UTF8'`);
  const connection = { ...at, database: name };
  const run = () => {
    const words = [process.execPath, "--input-type=module", "-e", program];
    return startProgram([...words, JSON.stringify(connection)]);
  };
  let seen = 0;
  for (const pause of pauses) {
    const killed = run();
    await killed.until(/began/);
    await sleep(pause);
    killed.child.kill("SIGKILL");
    await killed.ended;
    seen += (await isHalfway(connection)) ? 1 : 0;
  }
  const last = run();
  await last.until(/began/);
  const started = performance.now();
  const code = await last.ended;
  if (code !== 0) throw new Error(`A migration after kills ended with ${code}: ${last.said()}`);
  return { connection, seen, took: performance.now() - started };
}

async function isHalfway(connection: pg.ClientConfig): Promise<boolean> {
  const [has] = await ask(connection, "select to_regclass('accounts') is not null as first");
  const [last] = await ask(connection, "select to_regclass('reports') is not null as last");
  return has?.["first"] === true && last?.["last"] === false;
}

async function ask(connection: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Everything that stands in the schema, one line each. */
async function schemaOf(connection: pg.ClientConfig): Promise<string[]> {
  const rows = await ask(
    connection,
    `select line from (
       select concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable, column_default)
       from information_schema.columns where table_schema = 'public'
       union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
       union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
       from pg_constraint where connamespace = 'public'::regnamespace
       union all select pg_get_functiondef(p.oid) from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     ) lines (line) order by 1`,
  );
  return rows.map(({ line }) => String(line));
}

function differenceOf(expected: readonly string[], found: readonly string[]): string | null {
  const [here, there] = [new Set(expected), new Set(found)];
  const other = [
    ...expected.filter((line) => !there.has(line)),
    ...found.filter((line) => !here.has(line)),
  ];
  return other[0]?.slice(0, 100) ?? null;
}
