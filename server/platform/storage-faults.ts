import type { Logger } from "pino";
import { recordOutage } from "#server/platform/outages.ts";
import { isRefusal, refuse, type Refusal, type RefusalCode } from "#shared/errors.ts";

/** What a file system reports when it stores nothing more: the sender has nothing to do with it. */
const faults: Record<string, RefusalCode> = {
  ENOSPC: "disk-full",
  EDQUOT: "disk-full",
  EROFS: "disk-read-only",
};

/** What the system ran out of while it did something for us (man page errno(3)). */
const shortages = new Set(["EMFILE", "ENFILE"]);
const shortOfFiles =
  "The server has too many files open right now, so nothing was saved. Please try again in a moment.";

/** The refusal if the system had no file handle left; null for every other error. */
export function shortageRefusal(error: unknown): Refusal | null {
  const { code = "", message = "" } = (error ?? {}) as NodeJS.ErrnoException;
  // libvips and other libraries report it only in the system's words.
  if (!shortages.has(code) && !/too many open files/i.test(message)) return null;
  return refuse("busy", { cause: error, retryAfter: 5, message: shortOfFiles });
}

/** Seconds until trying again makes sense: somebody has to make room first. */
export const storageRetryAfter = 300;

/** The refusal for an error of a file system that stores nothing more; null for every other error. */
export function storageRefusal(error: unknown): Refusal | null {
  if (isRefusal(error)) return isStorageFault(error) ? error : null;
  const code = faults[(error as NodeJS.ErrnoException | null)?.code ?? ""];
  return code ? refuse(code, { cause: error, retryAfter: storageRetryAfter }) : null;
}

export function isStorageFault({ code }: Refusal): boolean {
  return code === "disk-full" || code === "disk-read-only";
}

/** Logs it for the operator when it begins: every upload meets a full disk. No request is counted here. */
export function logStorageFault(log: Pick<Logger, "error">, refusal: Refusal): void {
  const { code, status, cause } = refusal;
  recordOutage({ log, code, status, error: cause ?? refusal, isRequest: false });
}
