import type { Logger } from "pino";
import { meetOutage } from "#server/outages.ts";
import { refuse } from "#shared/errors.ts";

/**
 * What a bucket does not do is for a while: who asked has nothing to do with it. Waits for work there,
 * and refuses with picture-host-away, in words of its own where `message` has them.
 */
export function orAwayWith(log: Pick<Logger, "error">, message?: string) {
  return async function orAway<Answer>(work: Promise<Answer>): Promise<Answer> {
    try {
      return await work;
    } catch (cause) {
      const away = refuse("picture-host-away", {
        cause,
        retryAfter: 60,
        ...(message && { message }),
      });
      const { code, status } = away;
      meetOutage({ log, code, status, error: cause, isRequest: false });
      throw away;
    }
  };
}
