import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import type { TellOwner } from "#server/features/identity/notices.ts";
import { createLetters, type Suspension } from "#server/features/identity/verification/letters.ts";
import * as queries from "#server/features/identity/verification/verification.queries.ts";
import type { Place } from "#server/features/operator/index.ts";

type Deps = {
  db: Database;
  mail: Pick<Mail, "queue" | "send">;
  config: Pick<Config, "publicUrl">;
  place: () => Promise<Place>;
};

export type TellSuspended = (accountId: string, suspension: Suspension) => Promise<void>;

/** Letters about changes of the ways in, so that nobody changes them unseen, and about a suspension. */
export function createNotices({ db, mail, config, place }: Deps): {
  tellOwner: TellOwner;
  /** Sends at once: only background jobs do. */
  tellSuspended: TellSuspended;
} {
  const letters = createLetters(config.publicUrl, place);
  return {
    tellOwner: async (accountId, notice) => {
      const account = await queries.addresseeById(db, accountId);
      // Whose an unconfirmed mailbox is, nobody knows.
      if (!account?.verified) return;
      await mail.queue((await letters()).signInMethodsChanged(account, notice));
    },
    tellSuspended: async (accountId, suspension) => {
      const account = await queries.ownerById(db, accountId);
      if (account?.verified) await mail.send((await letters()).suspended(account, suspension));
    },
  };
}
