/**
 * Why the database could not do what it was asked, where that is the state of the database and not
 * of our statement: nothing is wrong with the request, and it may be sent again.
 */
export type DatabaseFault =
  /** not reached, or lost on the way */
  | "away"
  /** too slow: a statement, a lock or the wait for a connection took longer than its bound */
  | "slow"
  /** no room left for what would be written */
  | "full"
  /** takes no writes at present: a standby, or set so by its operator */
  | "read-only";

/** PostgreSQL's SQLSTATEs (documentation of PostgreSQL, appendix A), most particular first. */
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

/** Said by our own system, where nobody answered it. */
const unreached = new Set(["EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

/** What pg and pg-pool say without a code; a server that accepts and closes is the first. */
const withoutCode: [RegExp, DatabaseFault][] = [
  [/^Connection terminated/, "away"],
  [/^Client (was closed|has encountered a connection error)/, "away"],
  [/^timeout expired/, "away"],
  [/^timeout exceeded when/, "slow"],
  [/^Query read timeout/, "away"],
];

/** Null for everything that is not the database's own state. */
export function databaseFaultOf(error: unknown): DatabaseFault | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (typeof code === "string" && code !== "") {
    const known = byCode.find(([pattern]) => pattern.test(code));
    if (known) return diskFull(error) ? "full" : known[1];
    if (!socketAway.has(code)) return null;
    // A file that is not there is none of the database's; a socket is connected, read or written.
    return code === "ENOENT" && syscall !== "connect" ? null : "away";
  }
  return withoutCode.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}

/** A server that could not write its log ends its connections with another code, but says why. */
function diskFull({ message }: Error): boolean {
  return /No space left on device|disk quota exceeded/i.test(message);
}

/**
 * For what reading writes down by the way, such as that something was seen: while the database takes
 * no writes, or has no room for them, whoever reads gets `instead`.
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

/** Nobody answered for as long as we wait. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** Nobody answered who tried to connect, not even that he may not. */
export function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    unreached.has(code ?? "") || /^timeout expired|^Connection terminated due to/.test(message)
  );
}

/** What went wrong, without the full stop; connection failures may hold several errors in one. */
export function reason(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
  return (message || errors?.[0]?.message || code || "no reason given").replace(/\.$/, "");
}

/** Whether a row like it is there already: 23505 unique_violation (PostgreSQL, Appendix A). */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "23505";
}
