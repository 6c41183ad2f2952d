import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Config } from "#server/config.ts";
import { createDatabase, replicaOf, type Database } from "#server/platform/db/database.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { examineAddresses } from "#server/platform/db/pooler.ts";
import { waitAtMost, type Service } from "#server/platform/lifecycle.ts";
import type { DatabaseAccess } from "#server/platform/processes/database-for.ts";

/** A process that is starting. */
export type Begun = { config: Config; log: Logger; service: Service };

/** Every step from a database to a process that answers requests, assembled by the product. */
export type Serve = (
  begun: Begun & {
    openDatabase: () => Promise<DatabaseAccess>;
    /** the only process, or the first of several */
    isFirst?: boolean;
  },
) => Promise<{
  /** finishes the work in progress; resolves when no client is connected any more */
  retire: () => Promise<void>;
}>;

export type Start = Begun & { serve: Serve };

const unpreparedSentence =
  "the pooler at DATABASE_URL keeps no prepared statements, so PostgreSQL plans each anew";

/** Returns the database, brought up to date. */
export async function readyDatabase(
  config: Config,
  log: Logger,
  { stopping, onStop }: Service,
  { connection, onFull }: DatabaseAccess,
): Promise<Database> {
  const addresses = await examineAddresses(connection, config.databaseDirectUrl);
  if (addresses.pooler && !addresses.pooler.prepares) log.warn(unpreparedSentence);
  const migrations = await migrate({ connection: addresses.direct });
  if (migrations.length > 0) log.info({ migrations }, "the database was brought up to date");
  const readConnection = replicaOf(config);
  const db = createDatabase({ ...addresses, readConnection, log, processes: config.processes });
  onFull?.(db.setFull);
  // Whatever stops us may stop PostgreSQL at the same moment, as systemd does.
  stopping.addEventListener("abort", db.expectEnd);
  onStop("database", () => waitAtMost(1000, db.close()));
  return db;
}

/** Starts answering requests. Throws one sentence. */
export async function listen(
  app: FastifyInstance,
  { port, host }: Pick<Config, "port" | "host">,
): Promise<void> {
  await app.listen({ port, host }).catch((cause: Error) => {
    throw new Error(listenSentence(cause, { port, host }), { cause });
  });
}

function listenSentence(
  error: NodeJS.ErrnoException,
  { port, host }: Pick<Config, "port" | "host">,
): string {
  if (error.code === "EADDRINUSE") return `PORT is ${port}, but something else uses it already.`;
  if (error.code === "EACCES") return `PORT is ${port}, but this user may not open that port.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return `HOST is "${host}", but this machine has no such address.`;
  }
  return `PORT is ${port} and HOST is "${host}", but listening there fails (${error.code}).`;
}
