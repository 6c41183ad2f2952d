import { pino, type Logger } from "pino";

/** Somebody reads along; loaded only then. */
const pretty = process.stdout.isTTY ? (await import("pino-pretty")).default : null;

/** The log on stdout: JSON lines, or on a terminal lines for people. */
export function createLog(level: string): Logger {
  const options = { level, serializers: { err: describeError } };
  if (!pretty) return pino(options);
  const ignore = "pid,hostname,req,reqId";
  const messageFormat = "{msg}{if req} {req.method} {req.path}{end}";
  const shown = {
    ignore,
    messageFormat,
    translateTime: "SYS:HH:MM:ss",
    singleLine: true,
    sync: true,
  };
  return pino(options, pretty(shown));
}

/** Tells whether something is worth a line now: each name once a minute, in this process. */
export function onceAMinute(now = Date.now): (name: string) => boolean {
  const logged = new Map<string, number>();
  return (name) => {
    const last = logged.get(name);
    if (last !== undefined && now() - last < 60_000) return false;
    logged.set(name, now());
    return true;
  };
}

/**
 * What an error says about the fault and nothing about people: a database error also carries the
 * values it met, and the connection with everything it knows.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  const known = { code, constraint, table, ...(cause ? { cause: describeError(cause) } : {}) };
  const present = Object.entries(known).filter(([, value]) => value !== undefined);
  return { name, message, stack, ...Object.fromEntries(present) };
}
