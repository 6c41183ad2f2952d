import pg from "pg";
import { isUnreached } from "#server/platform/db/database-faults.ts";

/** A connection of one's own for some work, closed when that is over. Throws what pg throws. */
export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  // A connection that breaks fails the query under way; that is where it is reported.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether anybody answers who would make one more connection, and be it that there is no place for it. */
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

/** Cuts a connection off; its queries fail, and a pool takes it out when it is released. */
export function destroy(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } };
  connection.stream.destroy();
}
