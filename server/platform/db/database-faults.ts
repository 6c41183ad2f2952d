/**
 * Why the database could not do what it was asked, when the reason is the state of the database and not our
 * statement: nothing is wrong with the request, and it may be sent again.
 */
export type DatabaseFault =
  /** not reachable, or the connection was lost */
  | "away"
  /** a statement, a lock or the wait for a connection took longer than its limit */
  | "slow"
  /** no room left for writes */
  | "full"
  /** takes no writes at the moment: a standby, or set so by its operator */
  | "read-only";

/** PostgreSQL's SQLSTATEs (PostgreSQL documentation, appendix A), the most specific first. */
const byCode: [RegExp, DatabaseFault][] = [
  // disk_full
  [/^53100$/, "full"],
  // read_only_sql_transaction
  [/^25006$/, "read-only"],
  // query_canceled (statement_timeout), lock_not_available, idle_in_transaction_session_timeout
  [/^(57014|55P03|25P03)$/, "slow"],
  [/^(08|53|57P)/, "away"],
];

const socketAway = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Error codes of the operating system when the server did not answer. */
const unreached = new Set(["EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

/** Messages of pg and pg-pool that have no code; the first is a server that accepts and then closes. */
const withoutCode: [RegExp, DatabaseFault][] = [
  [/^Connection terminated/, "away"],
  [/^Client (was closed|has encountered a connection error)/, "away"],
  [/^timeout expired/, "away"],
  [/^timeout exceeded when/, "slow"],
  [/^Query read timeout/, "away"],
];

/** Null for every error that is not the database's own state. */
export function databaseFaultOf(error: unknown): DatabaseFault | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (typeof code === "string" && code !== "") {
    const known = byCode.find(([pattern]) => pattern.test(code));
    if (known) return diskFull(error) ? "full" : known[1];
    if (!socketAway.has(code)) return null;
    // A missing file has nothing to do with the database; a socket is connected to, read or written.
    return code === "ENOENT" && syscall !== "connect" ? null : "away";
  }
  return withoutCode.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}

/** A server that could not write its log ends its connections with another code, but the message says why. */
function diskFull({ message }: Error): boolean {
  return /No space left on device|disk quota exceeded/i.test(message);
}

/**
 * For writes that are a side effect of reading, such as noting that something was seen: while the database
 * takes no writes, or has no room for them, the reader gets `instead`.
 */
export async function unlessReadOnly<T>(write: Promise<T>, instead: T): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const fault = databaseFaultOf(error);
    if (fault === "read-only" || fault === "full") return instead;
    throw error;
  }
}

/** No answer came within our limit. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** No answer to an attempt to connect, not even a refusal. */
export function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    unreached.has(code ?? "") || /^timeout expired|^Connection terminated due to/.test(message)
  );
}

/** What went wrong, without the full stop; a failed connection may hold several errors in one. */
export function reason(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
  return (message || errors?.[0]?.message || code || "no reason given").replace(/\.$/, "");
}

/** Whether a row like it already exists: 23505 unique_violation (PostgreSQL, Appendix A). */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "23505";
}
