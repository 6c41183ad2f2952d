import { randomBytes } from "node:crypto";
import type { PoolConfig } from "pg";
import { expect, inject } from "vitest";
import { requestBounds } from "#server/platform/db/time-limits.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { runAdminStatement } from "#server/test/admin-statement.ts";
import { afterFile } from "#server/test/after-file.ts";
import { mixedStatements } from "#server/test/owners-written.ts";
import { createSenders, unnamed } from "#server/test/several-owners.ts";

/** Test files share a machine that may be busy: no test may fail because of a short time limit. */
const slowMachine = {
  ...requestBounds,
  connect: 60_000,
  statement: 60_000,
  lock: 60_000,
  answer: 65_000,
  silence: 60_000,
};

/**
 * A migrated database for the test file that calls this at its top level or in beforeAll; it is closed and
 * dropped after the file's last test. `onQuery` gets every statement, for tests that count round trips.
 */
export async function freshDatabase(
  onQuery?: (text: string, values: readonly unknown[]) => void,
): Promise<{ db: Database; connection: PoolConfig }> {
  const { connection, drop } = await createTestDatabase(inject("template"));
  const log = { warn: () => {}, error: console.error };
  const senders = createSenders();
  const db = senders.heard(
    createDatabase({ connection, log, bounds: slowMachine, ...(onQuery && { onQuery }) }),
  );
  afterFile(async () => {
    await db.close();
    const mixed = await mixedStatements(connection);
    await drop();
    expect(unnamed(mixed, senders.of), "write rows of several owners: several-owners.ts").toEqual(
      [],
    );
  });
  return { db, connection };
}

/** The same without tables, for tests of the migrations. */
export async function emptyDatabase(): Promise<PoolConfig> {
  const { connection, drop } = await createTestDatabase("template0");
  afterFile(drop);
  return connection;
}

/** The same as a value for DATABASE_URL, for programs. */
export function urlOf({ host = "", port = 5432, user = "", password, database = "" }: PoolConfig) {
  const secret = typeof password === "string" && password !== "" ? `:${password}` : "";
  const query = new URLSearchParams({ host });
  return `postgres://${user}${secret}@localhost:${port}/${database}?${query}`;
}

async function createTestDatabase(template: string) {
  const postgres = inject("postgres");
  const name = `postcard_test_${randomBytes(6).toString("hex")}`;
  // Copying the files takes a third of the processor time of writing every page to the log.
  await runAdminStatement(
    postgres,
    `CREATE DATABASE ${name} TEMPLATE ${template} ENCODING 'UTF8' STRATEGY FILE_COPY`,
  );
  return {
    connection: { ...postgres, database: name },
    drop: () => runAdminStatement(postgres, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
