import pg from "pg";
import { patientBounds } from "#server/db/bounds.ts";
import { createDatabase, type Database } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { costsOf } from "#server/test/explain.ts";
import type { Installation } from "./installation.ts";
import { median } from "./table.ts";

const tries = 15;

/** A database of its own for as long as `work` takes, of the installation's server. */
export async function inOwnDatabase<Result>(
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

/** What a read takes with the dearer of both kinds of plan, all its statements together. */
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
  const times: number[] = [];
  for (let count = 0; count < tries; count += 1) {
    const started = performance.now();
    await read(db);
    times.push(performance.now() - started);
  }
  return { rows, buffers, ms: median(times) };
}
