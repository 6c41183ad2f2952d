import type { FastifyRequest } from "fastify";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { networkOf } from "#server/networks.ts";
import { refuse } from "#shared/errors.ts";

/** Making a document costs as much as another request for each so many bytes of it. */
const bytesARequest = 20_000;
const second = 1000;

type Asker = Pick<FastifyRequest, "ip" | "viewer">;

const askerOf = ({ ip, viewer }: Asker) => viewer?.id ?? networkOf(ip);

/**
 * Counts documents by their size: a whole account of a megabyte takes a tenth of a second to read and
 * write, which a count of requests does not see. `requests` of `bytesARequest` a minute, of one member
 * or of one visitor's network, in this process.
 */
export function createBudget({ requests, limited }: { requests: number; limited: boolean }) {
  const spent = new RateLimiterMemory({ points: requests, duration: 60 });

  /** Refuses with too-many-attempts whoever used it up. */
  async function check(asker: Asker): Promise<void> {
    if (!limited) return;
    const used = await spent.get(askerOf(asker));
    if (!used || used.remainingPoints > 0) return;
    const retryAfter = Math.max(1, Math.ceil(used.msBeforeNext / second));
    throw refuse("too-many-attempts", { retryAfter });
  }

  async function spend(asker: Asker, bytes: number): Promise<void> {
    if (limited) await spent.penalty(askerOf(asker), Math.ceil(bytes / bytesARequest));
  }

  return { check, spend };
}

export type Budget = ReturnType<typeof createBudget>;
