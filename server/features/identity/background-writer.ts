import type { Logger } from "pino";
import { databaseFaultOf } from "#server/db/database-faults.ts";

/**
 * Writes in the background what may be lost: nobody waits for it, and at worst the next request tries
 * again. One at a time of the same `id`: a page and what it loads write it once.
 */
export function backgroundWriter(log: Pick<Logger, "error">, failure: string) {
  const beingWritten = new Set<string>();

  return (id: string, write: () => Promise<void>): void => {
    if (beingWritten.has(id)) return;
    beingWritten.add(id);
    write()
      .catch((error: unknown) => {
        // A database that takes no writes, or is away, is told where people meet it.
        if (databaseFaultOf(error) === null) log.error({ err: error }, failure);
      })
      .finally(() => beingWritten.delete(id));
  };
}
