import type { FastifyRequest } from "fastify";
import type { RateLimitCounts } from "#server/http/rate-limit-counts.ts";
import { networkOf } from "#server/platform/networks.ts";
import { refuse } from "#shared/errors.ts";

/** A document counts as one more request for each so many bytes. */
const bytesARequest = 20_000;
const second = 1000;

type Asker = Pick<FastifyRequest, "ip" | "viewer">;

const askerOf = ({ ip, viewer }: Asker) => viewer?.id ?? networkOf(ip);

type Deps = {
  /** documents, counted as requests, of one member or of one visitor's network within a minute */
  most: number;
  /** null: nothing is limited */
  spent: Pick<RateLimitCounts, "add" | "get"> | null;
};

/**
 * Counts documents by their size: a whole account of a megabyte takes a tenth of a second to read
 * and write, which a count of requests does not show.
 */
export function createBudget({ most, spent }: Deps) {
  /** Refuses with too-many-attempts once it is used up. */
  async function check(asker: Asker): Promise<void> {
    if (!spent) return;
    const { count, ttl } = spent.get(askerOf(asker));
    if (count < most) return;
    throw refuse("too-many-attempts", { retryAfter: Math.max(1, Math.ceil(ttl / second)) });
  }

  async function spend(asker: Asker, bytes: number): Promise<void> {
    spent?.add(askerOf(asker), Math.ceil(bytes / bytesARequest));
  }

  return { check, spend };
}

export type Budget = ReturnType<typeof createBudget>;
