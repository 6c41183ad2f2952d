import pg from "pg";
import { isUnreached } from "#server/platform/db/database-faults.ts";

/** Opens a connection of its own for some work and closes it afterwards. Throws what pg throws. */
export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  // A connection that breaks fails the query in progress; the error is reported there.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Whether the server answers an attempt to connect, even if only to say that it has no room for one more
 * connection.
 */
export async function isReached(connection: pg.PoolConfig): Promise<boolean> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    return !isUnreached(error);
  } finally {
    destroy(client);
  }
}

/** Cuts a connection off: its queries fail, and a pool removes it when it is released. */
export function destroy(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } };
  connection.stream.destroy();
}
