import type { Database } from "#server/platform/db/database.ts";
import { signedCookie } from "#server/features/identity/signed-cookie.ts";
import * as queries from "#server/features/identity/suspension.queries.ts";
import type { Jobs } from "#server/platform/jobs.ts";

type Deps = {
  db: Database;
  secret: string;
  secure: boolean;
  endSessions: (accountId: string) => Promise<void>;
  jobs?: Pick<Jobs, "add" | "handle"> | undefined;
};

const job = "end-suspensions";
/** Its handler, which has the reason, is in moderation.ts. */
export const suspensionMail = "suspension-letter";

/**
 * A suspended account is hidden and signed out everywhere. Where an end is set it comes back by
 * itself: by a job, by a sweep if the job was lost, and at the latest when its owner signs in.
 * Until then a sign-in with the right proof begins no session; the browser gets a signed cookie
 * instead, for reading why and answering.
 */
export function createSuspension({ db, secret, secure, endSessions, jobs }: Deps) {
  const find = (accountId: string) => queries.findSuspended(db, accountId);
  const offered = signedCookie({ secret, secure, name: "suspended", purpose: "suspended", find });
  // The accounts are found in their table: the job only says that it is time to check.
  jobs?.handle(job, endDue);

  /**
   * From its next request on; its owner gets an email. Where a suspension runs already, the later
   * end counts; none is the latest.
   */
  async function suspend(accountId: string, until: Date | null = null): Promise<void> {
    await db.transaction(async () => {
      db.seenAtOnce();
      const news = await queries.writeSuspension(db, accountId, until);
      await endSessions(accountId);
      if (news) await jobs?.add(suspensionMail, { accountId }, { key: accountId });
      if (until) await jobs?.add(job, {}, { after: until });
    });
  }

  async function end(accountId: string): Promise<void> {
    await queries.endSuspension(db, accountId);
  }

  /** Restores every account whose suspension is over. */
  async function endDue(): Promise<void> {
    await queries.endOver(db, null);
  }

  /** Ends this account's suspension if it is over; answers whether it did. */
  async function endIfOver(accountId: string): Promise<boolean> {
    return (await queries.endOver(db, accountId)) > 0;
  }

  return {
    suspend,
    end,
    endDue,
    endIfOver,
    offer: offered.make,
    find,
    suspendedOf: offered.of,
    forgetOffer: offered.forget,
  };
}
