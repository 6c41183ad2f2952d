import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "#server/platform/db/database.ts";
import { refundAttempt } from "#server/features/limits/limits.queries.ts";
import { refuse } from "#shared/errors.ts";

const quarterOfAnHour = 15 * 60;
/** How many of a kind are allowed in how many seconds. */
export const limitNumbers = {
  /** failed sign-ins to one email from unknown devices */
  "account-failures": { points: 10, seconds: quarterOfAnHour },
  /** failed sign-ins to one email from all known devices together */
  "device-failures": { points: 10, seconds: quarterOfAnHour },
  /** failed sign-ins from one network */
  "network-failures": { points: 50, seconds: quarterOfAnHour },
  /** passkey challenges that one network asked for: each is a row for five minutes */
  "passkey-challenges": { points: 200, seconds: quarterOfAnHour },
  // An hour: three codes out of a million are right at any time, and this attacker already has the password.
  /** wrong second factors for one email from unknown devices */
  "code-failures": { points: 10, seconds: 60 * 60 },
  /** wrong second factors for one email from all known devices together */
  "device-code-failures": { points: 10, seconds: 60 * 60 },
  /** wrong passwords of a signed-in member who is asked for it again */
  "confirmation-failures": { points: 10, seconds: quarterOfAnHour },
  /** wrong passwords for one account at the link that changes its address */
  "link-password-failures": { points: 10, seconds: quarterOfAnHour },
  /** emails that one network asked for, to any address */
  "mails-by-network": { points: 20, seconds: 60 * 60 },
  /** emails to one address, whether it has an account or not */
  "mails-to-address": { points: 5, seconds: 60 * 60 },
  /** sign-ins through identity providers that one network started */
  "provider-attempts": { points: 60, seconds: quarterOfAnHour },
  /** accounts created by one network */
  "sign-ups": { points: 10, seconds: 60 * 60 },
  /** failed sign-ups of one network: emails already in use, unreadable avatars */
  "sign-up-failures": { points: 50, seconds: quarterOfAnHour },
  /** usernames that one network asked about before signing up */
  "username-checks": { points: 100, seconds: quarterOfAnHour },
  /** third-party apps that one network registered: each is a row for a month */
  "app-registrations": { points: 20, seconds: 60 * 60 },
  /** images uploaded by visitors of one network */
  "visitor-uploads": { points: 5, seconds: 60 * 60 },
  /** photos that a member or a network zooms into so far that they are rendered anew */
  "large-pictures": { points: 60, seconds: 60 * 60 },
  /** images of one member that could not be read although they were decoded */
  "picture-failures": { points: 20, seconds: quarterOfAnHour },
  /** checks whether the addresses on one member's profile lead back: each asks a few servers of others */
  "link-checks": { points: 20, seconds: 60 * 60 },
  /** lists of accounts followed on other services that one member looks for here */
  "elsewhere-lookups": { points: 10, seconds: 60 * 60 },
  /** addresses of links for guests that open nothing, tried by one network */
  "shared-link-guesses": { points: 50, seconds: quarterOfAnHour },
  /** wrong passwords of one link for guests */
  "shared-link-passwords": { points: 10, seconds: quarterOfAnHour },
  /** reports by guests of one network */
  "guest-reports": { points: 10, seconds: 60 * 60 },
};
export type LimitKind = keyof typeof limitNumbers;
export type LimitNumbers = Record<LimitKind, { points: number; seconds: number }>;

/** One counted try. */
export type CountedAttempt = {
  /** Gives it back because it did not fail. */
  refund: () => Promise<void>;
};

type Deps = {
  db: Database;
  secret: string;
  /** false counts nothing and refuses nobody */
  enabled: boolean;
  numbers?: LimitNumbers | undefined;
};

/**
 * Counts tries in PostgreSQL, across restarts and processes. A try is counted before it is made, in one
 * atomic statement, so a hundred at once get no further than ten in a row; a try that succeeds is given
 * back. Always outside the caller's transaction, because a rollback must not undo a count. Keys are keyed
 * hashes: the table contains neither emails nor networks.
 */
export function createAttemptLimits({ db, secret, enabled, numbers = limitNumbers }: Deps) {
  const outsideTransactions = AsyncLocalStorage.snapshot();
  const limiters = new Map<LimitKind, RateLimiterPostgres>();

  function limiterOf(kind: LimitKind): RateLimiterPostgres {
    const existing = limiters.get(kind);
    if (existing) return existing;
    const { points, seconds } = numbers[kind];
    const limiter = new RateLimiterPostgres({
      storeClient: db.pool,
      storeType: "pool",
      tableName: "rate_limits",
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: kind,
      points,
      duration: seconds,
    });
    limiters.set(kind, limiter);
    return limiter;
  }

  async function consume(limiter: RateLimiterPostgres, key: string) {
    try {
      const { msBeforeNext } = await outsideTransactions(() => limiter.consume(key));
      return { allowed: true, msBeforeNext };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return { allowed: false, msBeforeNext: error.msBeforeNext };
    }
  }

  /** Counts one try of `subject`; throws refuse("too-many-attempts") when it exceeds the limit. */
  async function count(kind: LimitKind, subject: string): Promise<CountedAttempt> {
    if (!enabled) return { refund: async () => undefined };
    const key = createHmac("sha256", secret).update(`limit:${subject}`).digest("base64url");
    const { allowed, msBeforeNext } = await consume(limiterOf(kind), key);
    const end = Math.round(Date.now() + msBeforeNext);
    // A late refund must not be taken from the next window.
    const refund = () =>
      outsideTransactions(() =>
        refundAttempt(db, {
          key: `${kind}:${key}`,
          end,
          tolerance: (numbers[kind].seconds * 1000) / 2,
        }),
      );
    if (allowed) return { refund };
    await refund();
    const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
    throw refuse("too-many-attempts", { retryAfter });
  }

  /** Counts in several windows, in this order: when one refuses, those before it are given back. */
  async function countAll(...tries: [kind: LimitKind, subject: string][]): Promise<CountedAttempt> {
    const counted: CountedAttempt[] = [];
    const refund = async () => {
      for (const one of counted) await one.refund();
    };
    try {
      for (const one of tries) counted.push(await count(...one));
    } catch (error) {
      await refund();
      throw error;
    }
    return { refund };
  }

  return { count, countAll };
}
