import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";

/** How often it is looked for what expired or was abandoned, in milliseconds. */
const everyMs = 15 * 60_000;
/** The first look waits until the start is over. */
const firstMs = 60_000;

type Deps = {
  /** what leaves something behind */
  swept: readonly { sweep: () => unknown }[];
  db: Pick<Database, "patiently">;
  log: Pick<Logger, "error">;
};

/** Removes from time to time what nobody needs any more, and writes the letters of the day; returns how to stop it. */
export function startSweeps({ db, swept, log }: Deps): () => void {
  const sweep = async () => {
    for (const { sweep: work } of swept) {
      await db
        .patiently(async () => work())
        .catch((error: unknown) => log.error({ err: error }, "a sweep failed"));
    }
  };
  const first = setTimeout(sweep, firstMs).unref();
  const later = setInterval(sweep, everyMs).unref();
  return () => {
    clearTimeout(first);
    clearInterval(later);
  };
}
