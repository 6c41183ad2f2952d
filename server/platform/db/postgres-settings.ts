import { createHash } from "node:crypto";
import { totalmem } from "node:os";

export const usualConnections = 100;

/**
 * The embedded PostgreSQL's settings: full durability, memory for a small machine, no network.
 * `overrides` is for tests, whose data may be lost.
 */
export function postgresSettings(
  socketDir: string,
  overrides: Record<string, string> = {},
): Record<string, string> {
  const megabytes = totalmem() / 2 ** 20;
  return {
    listen_addresses: "",
    // Quoted, because a comma in the path would separate two folders.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: String(usualConnections),
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    shared_buffers: megabytes < 2048 ? "64MB" : "128MB",
    effective_cache_size: `${Math.max(256, Math.floor(megabytes / 2))}MB`,
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    // Our queries are short: workers and compilation cost more than they gain, and the shared memory of a
    // container is too small for them.
    max_parallel_workers_per_gather: "0",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    idle_in_transaction_session_timeout: "60s",
    // The details of an error and its statement can contain emails.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
    log_checkpoints: "off",
    ...overrides,
  };
}

/** A name that changes with the program and its settings; the location of the socket does not matter. */
export function clusterName(binaryId: string, settings: Record<string, string>): string {
  const { unix_socket_directories: _, ...rest } = settings;
  const hash = createHash("sha256")
    .update(JSON.stringify([binaryId, rest]))
    .digest("hex");
  return `postcard-${hash.slice(0, 12)}`;
}
