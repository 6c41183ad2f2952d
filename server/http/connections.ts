import type { Server } from "node:net";
import type { Logger } from "pino";
import { onceAMinute } from "#server/log.ts";

/** For what is not a client's connection: the database, the log, libraries, PostgreSQL's start. */
const ownFiles = 100;
/** A request may open files of its own, an upload or a picture: so many connections have room. */
const share = 0.6;
/** Where the system names no limit. */
const unknown = 1024;

/** How many files this process may have open: the soft limit, which Node raises to the hard one. */
function openFiles(): number {
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  // It would look up names.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const soft = userLimits?.open_files?.soft;
  if (soft === "unlimited") return 1_000_000;
  return typeof soft === "number" && soft > 0 ? soft : unknown;
}

/** How many clients may be connected at once where so many files may be open. */
export function connectionsFor(files: number): number {
  return Math.max(10, Math.floor((files - ownFiles) * share));
}

/**
 * Refuses connections beyond what the process has files for: whoever is connected goes on, and the
 * server can still open its database and its pictures.
 */
export function boundConnections(
  server: Server,
  log: Pick<Logger, "warn">,
  most = connectionsFor(openFiles()),
): void {
  const isNews = onceAMinute();
  // A worker would otherwise hand back what is too much, and the primary give it to the next, round and round.
  Object.assign(server, { maxConnections: most, dropMaxConnection: true });
  server.on("drop", () => {
    if (isNews("drop")) log.warn({ most }, "refused connections: as many as fit are open");
  });
}
