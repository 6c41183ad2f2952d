import { copyFileSync, readFileSync, statSync, truncateSync } from "node:fs";

const logLimitBytes = 5_000_000;

export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Limits PostgreSQL's log and its one predecessor to twice the limit together. */
export function boundLog(file: string): void {
  if (logSize(file) < logLimitBytes) return;
  // PostgreSQL appends through its own handle, so the file is emptied, not replaced.
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

/** The last lines written after `from` bytes, joined into one line. */
export function logTail(file: string, from: number): string {
  const lines = readFileSync(file).subarray(from).toString("utf8").trim().split("\n");
  return lines.slice(-5).join(" | ");
}
