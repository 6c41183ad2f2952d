import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import type { ClientInfo } from "#server/features/types.ts";
import type { CompletedSignIn } from "#server/features/identity/sign-in-completion.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import type { Site } from "#server/features/operator/index.ts";
import { networkOf } from "#server/platform/networks.ts";
import { lockSignInMethods } from "#server/features/identity/sign-in-methods.queries.ts";
import { createConfirmEmail } from "#server/features/identity/verification/confirm-email.ts";
import {
  mailJobs,
  handleMailJobs,
  pageLanguage,
} from "#server/features/identity/verification/mail-jobs.ts";
import * as queries from "#server/features/identity/verification/email-changes.queries.ts";
import { createKeepEmail } from "#server/features/identity/verification/keep-email.ts";
import { createMailTemplates } from "#server/features/identity/verification/mail-templates.ts";
import { ownerById } from "#server/features/identity/verification/verification.queries.ts";
import { createResetPassword } from "#server/features/identity/verification/reset-password.ts";
import type { JobData, Jobs } from "#server/platform/jobs.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { emailInput } from "#shared/verification.inputs.ts";
import type { EmailState, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  jobs: Pick<Jobs, "add" | "handle">;
  mail: Pick<Mail, "send" | "queue" | "leaves">;
  identity: Identity;
  limits: ReturnType<typeof createAttemptLimits>;
  config: Pick<Config, "publicUrl"> & Partial<Pick<Config, "languages">>;
  site: () => Promise<Site>;
};

/** The longest path that a link stores, characters. */
const longestReturn = 500;

/**
 * What a mailbox proves: that an address is its member's, who may choose a new password, sign in
 * without one, and move the account to another address. Mailed links are used once and lead to
 * PUBLIC_URL only; requests about an address are answered alike whether it has an account or not.
 */
export function createVerification(deps: Deps) {
  const { publicUrl, languages = [] } = deps.config;
  const templates = createMailTemplates({ publicUrl, site: deps.site, languages });
  const parts = { ...deps, templates, publicUrl };
  handleMailJobs({ ...parts, links: deps.identity.links });
  return {
    /** whether emails are delivered: signing in by a mailed link is offered only then */
    mailLeaves: deps.mail.leaves,
    ...mailedLinks(deps),
    ...emailChanges(deps),
    ...createResetPassword(parts),
    ...createConfirmEmail(parts),
    ...createKeepEmail(parts),
  };
}

async function countMail({ limits }: Deps, email: string, client: ClientInfo): Promise<void> {
  await limits.countAll(
    ["mails-by-network", networkOf(client.ip)],
    ["mails-to-address", email.toLowerCase()],
  );
}

type Asked = { email: string; client: ClientInfo };

/** Links to choose a new password, and to sign in. */
function mailedLinks(deps: Deps) {
  const { db, jobs, mail, identity } = deps;
  const { links } = identity;

  /** The same statements whatever the address: its account is looked up in the background. */
  async function requestLink(delivery: string, { client, ...form }: Asked, more: JobData = {}) {
    const email = parseInput(emailInput, form).email.toLowerCase();
    await countMail(deps, email, client);
    await jobs.add(delivery, { email, ...more, ...pageLanguage() });
  }

  /** The account of a link that can still be used, null for any other; does not consume it. */
  async function ownerOf(
    purpose: "sign-in" | "reset-password",
    token: string,
  ): Promise<{ username: string } | null> {
    const link = await links.find(purpose, token);
    const account = link && (await ownerById(db, link.accountId));
    return account && { username: account.username };
  }

  return {
    /** Mails a link to choose a new password, where the address has an account. */
    requestReset: (asked: Asked) => requestLink(mailJobs.resetLink, asked),

    /**
     * Mails a link to sign in, where the address has an account. `returnTo`, a path of ours, is
     * where the reader goes then. Refuses where no mail is sent.
     */
    async requestSignInLink({ returnTo = "/", ...asked }: Asked & { returnTo?: string }) {
      if (!mail.leaves) throw refuse("not-found");
      const path = returnTo.length <= longestReturn ? returnTo : "/";
      await requestLink(mailJobs.signInLink, asked, { returnTo: path });
    },

    signInLinkOf: (token: string) => ownerOf("sign-in", token),
    resetLinkOf: (token: string) => ownerOf("reset-password", token),

    /** Consumes a link and begins a session. Refuses with link-used. */
    signInByLink: ({ token, client }: { token: string; client: ClientInfo }) =>
      db.transaction(async (): Promise<{ entered: CompletedSignIn; returnTo: string }> => {
        const link = await links.take("sign-in", token);
        if (!link) throw refuse("link-used");
        const entered = await identity.signIn.complete(link.accountId, client, "link");
        return { entered, returnTo: link.detail || "/" };
      }),
  };
}

type Change = { email: string; password: string };

/** A member's own address: confirming it, and moving to another. */
function emailChanges(deps: Deps) {
  const { db, jobs, mail, identity } = deps;

  /** Mails the link that confirms the member's address once more. */
  async function resend(viewer: Viewer, client: ClientInfo): Promise<void> {
    if (viewer.emailVerified) return;
    await countMail(deps, viewer.email, client);
    await jobs.add(mailJobs.confirmAddress, { accountId: viewer.id, ...pageLanguage() });
  }

  /**
   * Mails a link to a new address; the account has it once the link is followed. A pending change
   * is replaced. Asks for the current password first, unless it was given within ten minutes.
   * Refuses with input-invalid, wrong-password, sign-in-again, too-many-attempts.
   */
  async function requestChange(viewer: Viewer, form: Change, client: ClientInfo): Promise<void> {
    const { email } = parseInput(emailInput, form);
    if (email === viewer.email && viewer.emailVerified) {
      throw refuse("input-invalid", { fields: { email: "This is already your address." } });
    }
    await identity.confirmation.confirmUnlessRecent(viewer, form);
    await countMail(deps, email, client);
    const changeId = newId();
    await db.transaction(async () => {
      await lockSignInMethods(db, viewer.id);
      await identity.activity.note(viewer.id, "email-change-asked", { client });
      await queries.insertChange(db, { accountId: viewer.id, id: changeId, newEmail: email });
      await jobs.add(mailJobs.newAddress, { accountId: viewer.id, changeId, ...pageLanguage() });
    });
  }

  /**
   * Withdraws an unconfirmed change: its link does not work any more. Does nothing where none is
   * pending.
   */
  async function cancelChange(viewer: Viewer): Promise<void> {
    await queries.withdrawPending(db, viewer.id);
  }

  async function emailState(viewer: Viewer): Promise<EmailState> {
    const { email, emailVerified: verified } = viewer;
    const [asksPassword, change] = await Promise.all([
      identity.confirmation.asksPassword(viewer),
      queries.findPendingChange(db, viewer.id),
    ]);
    const pending = change && { email: change.newEmail, askedAt: change.askedAt };
    return { email, verified, asksPassword, mailLeaves: mail.leaves, pending };
  }

  return { resend, requestChange, cancelChange, emailState };
}
