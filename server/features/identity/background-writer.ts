import type { Logger } from "pino";
import { databaseFaultOf } from "#server/platform/db/database-faults.ts";

/**
 * Writes in the background what may be lost: nothing waits for it, and at worst the next request
 * tries again. One at a time of the same `id`: a page and its resources write it once.
 */
export function backgroundWriter(log: Pick<Logger, "error">, failure: string) {
  const beingWritten = new Set<string>();

  return (id: string, write: () => Promise<void>): void => {
    if (beingWritten.has(id)) return;
    beingWritten.add(id);
    write()
      .catch((error: unknown) => {
        // A database that is read-only or unreachable is reported where requests fail on it.
        if (databaseFaultOf(error) === null) log.error({ err: error }, failure);
      })
      .finally(() => beingWritten.delete(id));
  };
}
