import type { Logger } from "pino";
import { recordOutage } from "#server/platform/outages.ts";
import { refuse, type Refusal } from "#shared/errors.ts";

/**
 * What a host or a bucket fails to do is temporary and not the caller's fault. The refusal to throw, with
 * `message` as its words if given.
 */
export function hostAway(log: Pick<Logger, "error">, cause: unknown, message?: string): Refusal {
  const details = { cause, retryAfter: 60, ...(message && { message }) };
  const refusal = refuse("picture-host-away", details);
  const { code, status } = refusal;
  recordOutage({ log, code, status, error: cause, isRequest: false });
  return refusal;
}

/** Waits for work at a bucket, and refuses like this if it fails. */
export const orAwayWith =
  (log: Pick<Logger, "error">, message?: string) =>
  <Answer>(work: Promise<Answer>): Promise<Answer> =>
    work.catch((cause: unknown) => {
      throw hostAway(log, cause, message);
    });
