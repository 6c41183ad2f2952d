import { pino, type LogFn, type Logger } from "pino";

/** Loaded only when the log is read on a terminal. */
const pretty = process.stdout.isTTY ? (await import("pino-pretty")).default : null;

/** An error as operators read it in the browser, without personal data or secrets. */
export type ErrorNote = { at: number; message: string; detail: string };

/** pino's level for errors; fatal is higher. */
const errorSeverity = 50;
const listeners = new Set<(note: ErrorNote) => void>();

/**
 * Calls the listener for every error that this process logs; returns a function that stops it. A listener
 * must not throw, nor log.
 */
export function onLoggedError(listener: (note: ErrorNote) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function noteError(given: readonly unknown[]): void {
  if (listeners.size === 0) return;
  const [first, second] = given as [unknown, unknown];
  const isText = typeof first === "string";
  const message = isText ? first : typeof second === "string" ? second : "";
  const cause = isText ? undefined : (first as { err?: unknown } | null)?.err;
  const note = { at: Date.now(), ...withoutPersonalData(message, cause) };
  for (const listener of listeners) listener(note);
}

/**
 * The text of our code about an error, and of the error its kind, code and first line, without quoted
 * values, addresses, paths and words longer than people write: those may be personal data, or keys.
 */
export function withoutPersonalData(
  said: string,
  error: unknown,
): { message: string; detail: string } {
  const message = said.slice(0, 300);
  if (!(error instanceof Error)) return { message, detail: "" };
  const { name, code } = error as Error & { code?: unknown };
  const [line = ""] = error.message.split("\n", 1);
  const plain = line
    .slice(0, 2000)
    .replace(/["'`«“][^"'`»”]*["'`»”]?/gu, "…")
    .replace(/\S+/g, (word) => (/[@/]/.test(word) ? "…" : word))
    .replace(/[\w+=-]{25,}/g, "…");
  const kind = [name, typeof code === "string" ? code : ""].filter(Boolean).join(" ");
  return { message, detail: `${kind}: ${plain}`.slice(0, 400) };
}

/** The log on stdout: JSON lines, or readable lines on a terminal. */
export function createLog(level: string): Logger {
  const options = {
    level,
    serializers: { err: describeError },
    hooks: {
      logMethod(this: Logger, given: Parameters<LogFn>, write: LogFn, severity: number) {
        write.apply(this, given);
        if (severity >= errorSeverity) noteError(given);
      },
    },
  };
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

/** Whether something should be logged now: each name once a minute, in this process. */
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
 * What an error says about the fault, without personal data: a database error also carries the values
 * involved, and the connection with all its details.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  const known = { code, constraint, table, ...(cause ? { cause: describeError(cause) } : {}) };
  const present = Object.entries(known).filter(([, value]) => value !== undefined);
  return { name, message, stack, ...Object.fromEntries(present) };
}
