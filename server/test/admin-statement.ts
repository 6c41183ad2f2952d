import pg from "pg";

/** Runs one statement that cannot run inside a transaction, on a connection of its own. */
export async function runAdminStatement(
  connection: pg.ClientConfig,
  statement: string,
): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
