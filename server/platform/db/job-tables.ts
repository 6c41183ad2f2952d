import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { PgBoss } from "pg-boss";
import type { Database } from "#server/platform/db/database.ts";
import { overOne } from "#server/platform/db/transactions.ts";

/** How pg-boss runs statements. */
export type JobTables = {
  executeSql: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;
};

/** The two ways pg-boss uses the database: in the caller's transaction, or in none. */
export function jobConnections(db: Database): { joined: JobTables; alone: JobTables } {
  const outsideTransactions = AsyncLocalStorage.snapshot();
  return {
    joined: {
      executeSql: async (text, values) => {
        const { rows } = await db.pool.query({ text, values: values ?? [] });
        return { rows };
      },
    },
    alone: {
      // some of its statements begin a transaction of their own
      executeSql: (text, values) =>
        outsideTransactions(() =>
          db.patiently(() => overOne(db.pool.connect, (client) => client.query(text, values))),
        ),
    },
  };
}

/** Creates pg-boss's own tables (schema `pgboss`), or updates them to its version. */
export async function prepareJobTables(client: pg.Client): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    supervise: false,
    schedule: false,
  });
  boss.on("error", () => {});
  await boss.start();
  await boss.stop({ graceful: false });
}
