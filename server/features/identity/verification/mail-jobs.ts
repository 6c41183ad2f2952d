import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isEmailTaken } from "#server/features/people/index.ts";
import { currentClient } from "#server/features/identity/current-client.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import {
  findPendingChange,
  findStandingChange,
} from "#server/features/identity/verification/email-changes.queries.ts";
import type { WriteTo } from "#server/features/identity/verification/mail-templates.ts";
import * as queries from "#server/features/identity/verification/verification.queries.ts";
import type { JobData, JobHandler, Jobs } from "#server/platform/jobs.ts";

/** Emails sent in the background; each makes its link while it is sent. */
export const mailJobs = {
  confirmAddress: "verification.confirm-address",
  resetLink: "verification.reset-link",
  signInLink: "verification.sign-in-link",
  newAddress: "verification.new-address",
  changeAsked: "verification.change-asked",
  emailChanged: "verification.email-changed",
} as const;

/** That of the page on which an email was asked for: for an account that chose none. */
type AskedIn = { language?: string };

export function pageLanguage(): AskedIn {
  const { language } = currentClient.getStore() ?? {};
  return language === undefined ? {} : { language };
}

/** A link that comes an hour late is useless: about forty minutes of tries. */
const retries = 8;
/** A warning is still useful a day later. */
const retriesOfWarnings = 30;

type Deps = {
  db: Database;
  jobs: Pick<Jobs, "add" | "handle">;
  mail: Pick<Mail, "send">;
  links: Pick<Identity["links"], "issue">;
  templates: WriteTo;
};

/**
 * Looking up an address, making a link and sending it happen here, after the request was answered:
 * no text, status or time shows the caller whether the address has an account.
 */
export function handleMailJobs({ db, jobs, mail, links, templates }: Deps): void {
  const deliver = <Data extends JobData>(delivery: string, send: JobHandler<Data>) =>
    jobs.handle<Data>(delivery, send, { retries });

  /** The account's language, else the one it was asked for in. */
  const writeTo = (account: queries.Addressee, { language }: AskedIn) =>
    templates({ language: account.language ?? language ?? null });

  deliver<AskedIn & { accountId: string }>(mailJobs.confirmAddress, async (asked) => {
    const { accountId } = asked;
    const account = await queries.addresseeById(db, accountId);
    if (!account || account.verified) return;
    const link = { accountId, detail: account.email.toLowerCase() };
    const token = await links.issue("verify-email", link);
    await mail.send((await writeTo(account, asked)).confirmAddress(account, token));
  });

  deliver<AskedIn & { email: string }>(mailJobs.resetLink, async (asked, { addedAt }) => {
    const account = await queries.ownerByEmail(db, asked.email);
    if (account && isCurrent(account, addedAt)) await sendResetLink(account, "password", asked);
  });

  deliver<AskedIn & { email: string; returnTo: string }>(
    mailJobs.signInLink,
    async ({ email, returnTo, ...asked }, { addedAt }) => {
      const account = await queries.ownerByEmail(db, email);
      if (!account || !isCurrent(account, addedAt)) return;
      // The one who made the account may not own the mailbox: its owner takes it over, or leaves
      // it.
      if (!account.verified) return sendResetLink(account, "sign-in", asked);
      const link = { accountId: account.id, detail: returnTo };
      const token = await links.issue("sign-in", link);
      await mail.send((await writeTo(account, asked)).signIn(account, token));
    },
  );

  type Change = AskedIn & { accountId: string; changeId: string };

  deliver<Change>(mailJobs.newAddress, async (change) => {
    const { accountId, changeId } = change;
    const account = await queries.addresseeById(db, accountId);
    const pending = await findPendingChange(db, accountId);
    if (!account || pending?.id !== changeId) return;
    const email = pending.newEmail;
    if (await isEmailTaken(db, email.toLowerCase(), { except: accountId })) {
      const owner = await queries.ownerByEmail(db, email.toLowerCase());
      return mail.send((await writeTo(owner ?? account, change)).addressTaken(email));
    }
    const link = { accountId, detail: changeId };
    const token = await links.issue("change-email", link);
    await mail.send((await writeTo(account, change)).confirmNewAddress(account, email, token));
    if (account.verified) await jobs.add(mailJobs.changeAsked, change);
  });

  /** To the previous mailbox, with the link that keeps the address. */
  function notifyFormerMailbox(delivery: string, template: "changeAsked" | "emailChanged"): void {
    jobs.handle<Change>(
      delivery,
      async ({ accountId, changeId, ...asked }) => {
        const account = await queries.addresseeById(db, accountId);
        const change = await findStandingChange(db, { accountId, id: changeId });
        if (!account || !change) return;
        const link = { accountId, detail: changeId };
        const token = await links.issue("keep-email", link);
        const former = { ...account, email: change.oldEmail, verified: true };
        await mail.send((await writeTo(account, asked))[template](former, token));
      },
      { retries: retriesOfWarnings },
    );
  }
  notifyFormerMailbox(mailJobs.changeAsked, "changeAsked");
  notifyFormerMailbox(mailJobs.emailChanged, "emailChanged");

  async function sendResetLink(
    account: queries.Addressee,
    what: "password" | "sign-in",
    asked: AskedIn,
  ): Promise<void> {
    const link = { accountId: account.id, detail: "mailed" };
    const token = await links.issue("reset-password", link);
    await mail.send((await writeTo(account, asked)).resetPassword(account, token, what));
  }
}

/** A link requested before the password was changed would let the requester in. */
function isCurrent({ credentialsChangedAt }: queries.Addressee, addedAt: Date): boolean {
  return credentialsChangedAt <= addedAt;
}
