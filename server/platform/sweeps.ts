import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import { regularly } from "#server/platform/regularly.ts";

/** How often expired and abandoned data is looked for, in milliseconds. */
const everyMs = 15 * 60_000;
/** The first run waits until the start is over. */
const firstMs = 60_000;

type Deps = {
  /** parts that leave something to clean up */
  swept: readonly { sweep: () => unknown }[];
  db: Pick<Database, "patiently">;
  log: Pick<Logger, "error">;
};

/** Regularly removes what is no longer needed, and sends the daily mail; returns a function that stops it. */
export function startSweeps({ db, swept, log }: Deps): () => void {
  const sweep = async () => {
    for (const { sweep: work } of swept) {
      await db
        .patiently(async () => work())
        .catch((error: unknown) => log.error({ err: error }, "a sweep failed"));
    }
  };
  return regularly({ firstMs, everyMs }, sweep);
}
