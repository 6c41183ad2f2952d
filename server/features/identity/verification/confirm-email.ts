import type { Database } from "#server/platform/db/database.ts";
import { isEmailTaken } from "#server/features/people/index.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import type { LinkContent } from "#server/features/identity/links.ts";
import { lockSignInMethods } from "#server/features/identity/sign-in-methods.queries.ts";
import { mailJobs } from "#server/features/identity/verification/mail-jobs.ts";
import * as queries from "#server/features/identity/verification/email-changes.queries.ts";
import { offerTakeOver, type TakeOver } from "#server/features/identity/verification/take-over.ts";
import {
  addresseeById,
  setEmail,
} from "#server/features/identity/verification/verification.queries.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = { db: Database; jobs: Pick<Jobs, "add">; identity: Identity };

/** What a link would confirm: the current address of an account, or its new one. */
export type Confirmation = { email: string; username: string };

/**
 * What was confirmed; `takeOver` is null where the account's own member did it, or there is nothing
 * to end.
 */
export type Confirmed = Confirmation & { takeOver: TakeOver | null };

/**
 * What confirming needs besides the link: nothing, the account's password, or a sign-in where it
 * has none.
 */
export type AskedAtLink = "nothing" | "password" | "sign-in";

/** The one who follows a link, and the password that was typed there. */
type Follower = { viewer: Viewer | null; password: string };

const nobody: Follower = { viewer: null, password: "" };

export function createConfirmEmail({ db, jobs, identity }: Deps) {
  const { links } = identity;

  /** What a link is for, while it can be used; null for any other. Does not consume it. */
  async function confirmationOf(
    token: string,
    viewer: Viewer | null = null,
  ): Promise<(Confirmation & { asks: AskedAtLink }) | null> {
    const own = await links.find("verify-email", token);
    const link = own ?? (await links.find("change-email", token));
    const account = link && (await addresseeById(db, link.accountId));
    if (!account) return null;
    const { username } = account;
    if (own) return { email: own.detail, username, asks: "nothing" };
    const change = await pendingOf(link);
    return change && { email: change.newEmail, username, asks: await asked(account, viewer) };
  }

  async function pendingOf({ accountId, detail }: LinkContent) {
    const change = await queries.findPendingChange(db, accountId);
    return change?.id === detail ? change : null;
  }

  async function asked(account: { id: string }, viewer: Viewer | null): Promise<AskedAtLink> {
    if (viewer?.id === account.id) return "nothing";
    return (await identity.confirmation.hasPassword(account)) ? "password" : "sign-in";
  }

  /**
   * Confirms the address a link was mailed to; a changed one becomes the account's, and the
   * previous one gets an email. Somebody who is not signed in to the account may end what was set
   * before its first confirmation. A change needs more than a mailbox: a session of the account, or
   * its password. Refuses with link-used; and, while the link stays valid, with email-in-use,
   * wrong-password, too-many-attempts, input-invalid, sign-in-required.
   */
  async function confirmEmail(token: string, follower: Follower = nobody): Promise<Confirmed> {
    const change = await links.find("change-email", token);
    // before a connection is taken: comparing a password is slow
    if (change && (await pendingOf(change)) && follower.viewer?.id !== change.accountId) {
      await identity.confirmation.confirmAtLink(change.accountId, follower);
    }
    return db.transaction(
      async () => (await confirmOwn(token, follower)) ?? (await confirmNew(token)),
    );
  }

  async function confirmOwn(token: string, { viewer }: Follower): Promise<Confirmed | null> {
    const link = await links.take("verify-email", token);
    if (!link) return null;
    const account = await addresseeById(db, link.accountId);
    if (account?.email.toLowerCase() !== link.detail) throw refuse("link-used");
    await identity.markEmailVerified(account.id);
    await identity.activity.note(account.id, "email-confirmed");
    const { id, email, username } = account;
    // An address that was confirmed before shows that its owner was here: nothing is offered then.
    const offered = !account.verified && viewer?.id !== id;
    return { email, username, takeOver: offered ? await offerTakeOver(identity, id) : null };
  }

  async function confirmNew(token: string): Promise<Confirmed> {
    const link = await links.take("change-email", token);
    if (!link) throw refuse("link-used");
    await lockSignInMethods(db, link.accountId);
    const before = await addresseeById(db, link.accountId);
    const change = await pendingOf(link);
    if (!before || !change) throw refuse("link-used");
    const { id, newEmail: email } = change;
    if (await isEmailTaken(db, email.toLowerCase(), { except: before.id })) {
      throw refuse("email-in-use");
    }
    await setEmail(db, before.id, email);
    await identity.activity.note(before.id, "email-changed");
    const { email: oldEmail, verified: oldVerified } = before;
    await queries.markConfirmed(db, { accountId: before.id, id, oldEmail, oldVerified });
    // links mailed to the previous address must not work any more
    await links.withdraw(before.id);
    if (oldVerified) {
      await jobs.add(mailJobs.emailChanged, { accountId: before.id, changeId: id });
    }
    return { email, username: before.username, takeOver: null };
  }

  return { confirmationOf, confirmEmail };
}
