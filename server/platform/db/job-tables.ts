import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { PgBoss } from "pg-boss";
import type { Database } from "#server/platform/db/database.ts";

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
      executeSql: (text, values) =>
        outsideTransactions(() =>
          db.patiently(async () => {
            const client = await db.pool.connect();
            let broken: Error | undefined;
            try {
              return await client.query(text, values);
            } catch (error) {
              // some of its statements begin a transaction of their own: none may be left open
              await client.query("rollback").catch((rollbackError: Error) => {
                broken = rollbackError;
              });
              throw error;
            } finally {
              client.release(broken);
            }
          }),
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
