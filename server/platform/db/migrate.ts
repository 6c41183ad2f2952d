import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { migrationConnection, shortConnection } from "#server/platform/db/time-limits.ts";
import { withClient } from "#server/platform/db/clients.ts";
import { reason } from "#server/platform/db/database-faults.ts";
import { prepareJobTables } from "#server/platform/db/job-tables.ts";
import { sql } from "#server/platform/db/sql.ts";
import { hasTable, on } from "#server/platform/db/statements.ts";

type Migration = { name: string; sha256: string; text: string };
export type Applied = { name: string; sha256: string };

const ourDirectory = fileURLToPath(new URL("../../migrations", import.meta.url));

/** An arbitrary number, the same for every process of every version: only one migrates at a time. */
const lockKey = 7_071_305_201;
/** Held by a backup: tables are not changed while it runs, and a migration does not queue behind it. */
export const backupLock = 7_071_305_202;
/** Held by the process that ships PostgreSQL's log. */
export const shippingLock = 7_071_305_203;

const oldestVersion = 15;

/**
 * Brings the database up to date with this code: applies every file of `directory`, in order, each in a
 * transaction of its own together with its row in schema_migrations. Several processes may do so at once,
 * and one that is killed leaves nothing half done. Returns the names it applied. Throws an Error with one
 * sentence.
 */
export async function migrate(options: {
  connection: pg.ClientConfig;
  directory?: string;
}): Promise<string[]> {
  const migrations = readMigrations(options.directory ?? ourDirectory);
  let isReached = false;
  const work = async (client: pg.Client) => {
    isReached = true;
    await refuseUnfitServer(client);
    const done: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations);
      if (name === null) break;
      done.push(name);
    }
    if (!options.directory) await prepareJobs(client);
    return done;
  };
  return withClient(migrationConnection(options.connection), work).catch((error: unknown) => {
    if (isReached) throw error;
    throw new Error(`PostgreSQL cannot be reached: ${reason(error)}.`, { cause: error });
  });
}

/** The names of migrations that a database does not have yet; changes nothing. Throws as `migrate` does. */
export async function missingMigrations(
  connection: pg.ClientConfig,
  directory = ourDirectory,
): Promise<string[]> {
  const applied = await withClient(shortConnection(connection), async (client) => {
    return (await hasTable(client, "schema_migrations")) ? appliedIn(client) : [];
  });
  const migrations = readMigrations(directory);
  nextOf(migrations, applied);
  return migrations
    .filter(({ name }) => !applied.some((row) => row.name === name))
    .map(({ name }) => name);
}

/** Applies the first missing migration; null when none is missing. */
async function applyNext(client: pg.Client, migrations: Migration[]): Promise<string | null> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [lockKey]);
    await client.query(makeMigrationsTable);
    const next = nextOf(migrations, await appliedIn(client));
    if (next) {
      await client.query("SELECT pg_advisory_xact_lock($1)", [backupLock]);
      await apply(client, next);
    }
    await client.query("COMMIT");
    return next?.name ?? null;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

const appliedIn = (client: pg.Client) =>
  on(client).query<Applied>(sql`select name, sha256 from schema_migrations order by name`);

const makeMigrationsTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
  name text PRIMARY KEY,
  sha256 text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;

/** Throws one sentence unless these migrations of a database are the beginning of those this code knows. */
export function refuseUnknownMigrations(applied: readonly Applied[]): void {
  nextOf(readMigrations(ourDirectory), applied);
}

/**
 * Creates the tables as they were when exactly these migrations had been applied, in an empty database and
 * in the transaction that the caller began.
 */
export async function applyMigrations(
  client: pg.Client,
  wanted: readonly Applied[],
): Promise<void> {
  await refuseUnfitServer(client);
  await client.query(makeMigrationsTable);
  const known = readMigrations(ourDirectory);
  for (const migration of known.filter(({ name }) => wanted.some((one) => one.name === name))) {
    await apply(client, migration);
  }
}

/** The tables of background jobs belong to their library, which records their version itself. */
export async function prepareJobs(client: pg.Client): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [lockKey]);
  try {
    await prepareJobTables(client);
  } catch (error) {
    throw new Error(`The tables of background jobs cannot be made: ${reason(error)}.`, {
      cause: error,
    });
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [lockKey]);
  }
}

async function apply(client: pg.Client, { name, sha256, text }: Migration): Promise<void> {
  try {
    await client.query(text);
    await client.query("INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)", [
      name,
      sha256,
    ]);
  } catch (error) {
    throw new Error(`The migration ${name} failed and changed nothing: ${reason(error)}.`, {
      cause: error,
    });
  }
}

/** The first migration that the database lacks, if those it has match what this code knows. */
function nextOf(migrations: Migration[], applied: readonly Applied[]): Migration | null {
  for (const { name, sha256 } of applied) {
    const known = migrations.find((migration) => migration.name === name);
    if (!known) {
      throw new Error(
        `The database is newer than this Postcard, which does not know its migration ${name}: ` +
          "start the newer version again, or restore the backup made before the upgrade.",
      );
    }
    if (known.sha256 !== sha256) {
      throw new Error(
        `The migration ${name} is not the text that the database was made with: ` +
          "put the file back as it was and add a new migration instead.",
      );
    }
  }
  const last = applied.at(-1)?.name ?? "";
  const missing = migrations.filter(({ name }) => !applied.some((row) => row.name === name));
  const early = missing.find(({ name }) => name < last);
  if (early) {
    throw new Error(
      `The migration ${early.name} would come before ${last}, which the database has already: ` +
        "give it a later number.",
    );
  }
  return missing[0] ?? null;
}

function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(".sql"));
  return names.sort().map((file) => {
    // A checkout may change line endings; that changes no statement.
    const text = readFileSync(join(directory, file), "utf8").replaceAll("\r\n", "\n");
    const sha256 = createHash("sha256").update(text).digest("hex");
    return { name: file.replace(/\.sql$/, ""), sha256, text };
  });
}

async function refuseUnfitServer(client: pg.Client): Promise<void> {
  type Server = { version: string; number: number; encoding: string };
  const { version, number, encoding } = await on(client).one<Server>(sql`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as number,
      current_setting('server_encoding') as encoding
  `);
  if (number < oldestVersion * 10_000) {
    throw new Error(
      `This PostgreSQL is version ${version}, but Postcard needs ${oldestVersion} or newer.`,
    );
  }
  if (encoding !== "UTF8") {
    throw new Error(`This PostgreSQL database is encoded as ${encoding}, but must be UTF8.`);
  }
}
