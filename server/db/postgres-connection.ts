import pg from "pg";

/** One question on a connection of its own: the answer, or the code of the refusal. */
export async function ask(host: string, query: string): Promise<{ value?: string; code?: string }> {
  const client = new pg.Client({ ...connectionTo(host), connectionTimeoutMillis: 2000 });
  // A connection may break after it answered.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<string[]>({ text: query, rowMode: "array" });
    return { value: String(rows[0]?.[0]) };
  } catch (error) {
    return { code: String((error as { code?: string }).code) };
  } finally {
    await client.end().catch(() => {});
  }
}

/** The database of the product, made at the first start. */
export async function ensureDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'postcard'");
    if (rowCount === 0) await client.query("CREATE DATABASE postcard");
  } finally {
    await client.end();
  }
}

/** For pg: a folder as host means a Unix socket in it. */
export function connectionTo(host: string, database = "postgres") {
  return { host, port: 5432, user: "postcard", password: "", database };
}
