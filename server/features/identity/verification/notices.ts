import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import type { TellOwner } from "#server/features/identity/notices.ts";
import { createLetters } from "#server/features/identity/verification/letters.ts";
import { addresseeById } from "#server/features/identity/verification/verification.queries.ts";
import type { Place } from "#server/features/operator/index.ts";

type Deps = {
  db: Database;
  mail: Pick<Mail, "queue">;
  config: Pick<Config, "publicUrl">;
  place: () => Promise<Place>;
};

/** Letters about changes of the ways in, so that nobody changes them unseen. */
export function createNotices({ db, mail, config, place }: Deps): { tellOwner: TellOwner } {
  const letters = createLetters(config.publicUrl, place);
  return {
    tellOwner: async (accountId, notice) => {
      const account = await addresseeById(db, accountId);
      // Whose an unconfirmed mailbox is, nobody knows.
      if (!account?.verified) return;
      await mail.queue((await letters()).signInMethodsChanged(account, notice));
    },
  };
}
