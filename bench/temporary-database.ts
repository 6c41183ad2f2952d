import pg from "pg";
import { patientBounds } from "#server/platform/db/time-limits.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { costsOf } from "#server/test/explain.ts";
import { cpuOfProcess } from "./database-cpu.ts";
import type { Installation } from "./installation.ts";
import { median } from "./table.ts";

const tries = 15;

/** A separate database on the installation's server, for as long as `work` takes. */
export async function withTemporaryDatabase<Result>(
  { connection }: Installation,
  name: string,
  work: (db: Database, connection: pg.ClientConfig) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const own = { ...connection, database: name };
  try {
    await migrate({ connection: own });
    const db = createDatabase({
      connection: own,
      log: { warn: () => {}, error: console.error },
      // a town is made by the thousand rows
      bounds: patientBounds,
    });
    try {
      return await work(db, own);
    } finally {
      await db.close();
    }
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

/**
 * What a read takes with the more expensive of both kinds of plan, all its statements together. The
 * milliseconds are CPU time of the database, which other work on the machine hardly affects; elapsed time
 * where there is no /proc.
 */
export type ReadCost = { rows: number; buffers: number; ms: number };

export async function readCost(
  db: Database,
  read: (on: Database) => Promise<unknown>,
): Promise<ReadCost> {
  let [rows, buffers] = [0, 0];
  for (const plan of ["generic", "custom"] as const) {
    const costs = await costsOf(db, read, plan);
    rows = Math.max(
      rows,
      costs.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    );
    buffers = Math.max(
      buffers,
      costs.reduce((sum, cost) => sum + cost.buffers, 0),
    );
  }
  // PostgreSQL plans the first five times anew before it may reuse a plan.
  for (let count = 0; count < 6; count += 1) await read(db);
  const { rows: backends } = await db.pool.query<{ pid: number }>({
    text: `select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'`,
  });
  const used = () => backends.map(({ pid }) => cpuOfProcess(pid) ?? 0);
  const counted = used().some((ms) => ms > 0);
  const now = () => (counted ? used().reduce((sum, ms) => sum + ms, 0) : performance.now());
  const times: number[] = [];
  for (let count = 0; count < tries; count += 1) {
    const started = now();
    await read(db);
    times.push(now() - started);
  }
  return { rows, buffers, ms: median(times) };
}
