import type pg from "pg";
import { withClient } from "#server/platform/db/clients.ts";

/** Runs one query on a connection of its own: returns the answer, or the code of the refusal. */
export async function ask(host: string, query: string): Promise<{ value?: string; code?: string }> {
  const config = { ...connectionTo(host), connectionTimeoutMillis: 2000 };
  return withClient(config, async (client) => {
    const { rows } = await client.query<string[]>({ text: query, rowMode: "array" });
    return { value: String(rows[0]?.[0]) };
  }).catch((error: { code?: string }) => ({ code: String(error.code) }));
}

/** Creates the product's database at the first start. */
export async function ensureDatabase(connection: pg.ClientConfig): Promise<void> {
  await withClient(connection, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'postcard'");
    if (rowCount === 0) await client.query("CREATE DATABASE postcard");
  });
}

/** For pg: a folder as host means a Unix socket in it. */
export function connectionTo(host: string, database = "postgres") {
  return { host, port: 5432, user: "postcard", password: "", database };
}
