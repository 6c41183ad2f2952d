import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { NotifyOwner } from "#server/features/identity/security-notices.ts";
import {
  createMailTemplates,
  type Suspension,
} from "#server/features/identity/verification/mail-templates.ts";
import * as queries from "#server/features/identity/verification/verification.queries.ts";
import type { Site } from "#server/features/operator/index.ts";

type Deps = {
  db: Database;
  mail: Pick<Mail, "queue" | "send">;
  config: Pick<Config, "publicUrl"> & Partial<Pick<Config, "languages">>;
  site: () => Promise<Site>;
};

export type NotifySuspended = (accountId: string, suspension: Suspension) => Promise<void>;

/**
 * Emails about changes of sign-in methods, so that nobody changes them unnoticed, and about a
 * suspension.
 */
export function createSecurityMails({ db, mail, config, site }: Deps): {
  notifyOwner: NotifyOwner;
  /** Sends at once: only for background jobs. */
  notifySuspended: NotifySuspended;
} {
  const { publicUrl, languages = [] } = config;
  const templates = createMailTemplates({ publicUrl, site, languages });
  return {
    notifyOwner: async (accountId, notice) => {
      const account = await queries.addresseeById(db, accountId);
      // The owner of an unconfirmed mailbox is unknown.
      if (!account?.verified) return;
      await mail.queue((await templates(account)).signInMethodsChanged(account, notice));
    },
    notifySuspended: async (accountId, suspension) => {
      const account = await queries.ownerById(db, accountId);
      if (!account?.verified) return;
      await mail.send((await templates(account)).suspended(account, suspension));
    },
  };
}
