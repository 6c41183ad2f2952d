import type { Server } from "node:net";
import type { Logger } from "pino";
import { onceAMinute } from "#server/platform/log.ts";

/** Reserved for what isn't a client's connection: the database, the log, libraries, PostgreSQL's start. */
const ownFiles = 100;
/** A request may open files of its own, an upload or an image: so many connections have room. */
const share = 0.6;
/** Where the system sets no limit. */
const unknown = 1024;

/** How many files this process may have open: the soft limit, which Node raises to the hard one. */
function openFiles(): number {
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  // The network part of the report would look up names.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const soft = userLimits?.open_files?.soft;
  if (soft === "unlimited") return 1_000_000;
  return typeof soft === "number" && soft > 0 ? soft : unknown;
}

/** How many clients may be connected at once with this limit of open files. */
export function connectionsFor(files: number): number {
  return Math.max(10, Math.floor((files - ownFiles) * share));
}

/**
 * Refuses connections beyond what the process has files for: connected clients are not disturbed, and the
 * server can still open its database and its images.
 */
export function boundConnections(
  server: Server,
  log: Pick<Logger, "warn">,
  most = connectionsFor(openFiles()),
): void {
  const isNews = onceAMinute();
  // A worker would otherwise hand the excess back, and the primary would give it to the next one, round and
  // round.
  Object.assign(server, { maxConnections: most, dropMaxConnection: true });
  server.on("drop", () => {
    if (isNews("drop")) log.warn({ most }, "refused connections: as many as fit are open");
  });
}
