import type { Database } from "#server/db/database.ts";
import { isEmailTaken } from "#server/features/accounts/accounts.queries.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import type { LinkContent } from "#server/features/identity/links.ts";
import { lockWaysIn } from "#server/features/identity/ways-in.queries.ts";
import { deliveries } from "#server/features/verification/deliveries.ts";
import {
  findPendingChange,
  markConfirmed,
} from "#server/features/verification/email-changes.queries.ts";
import { addresseeById, setEmail } from "#server/features/verification/verification.queries.ts";
import type { Jobs } from "#server/jobs.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = { db: Database; jobs: Pick<Jobs, "add">; identity: Identity };

/** What a link would confirm: the address an account has, or the one it is to get. */
export type Confirmation = { email: string; username: string };

/**
 * What confirming asks for besides the link: nothing, the account's password, or a sign-in where
 * it has none.
 */
export type AskedAtLink = "nothing" | "password" | "sign-in";

/** Who follows a link, and the password that was typed there. */
type Follower = { viewer: Viewer | null; password: string };

const nobody: Follower = { viewer: null, password: "" };

export function createConfirmEmail({ db, jobs, identity }: Deps) {
  const { links } = identity;

  /** What a link is for, while it can be used; null for any other. Looking uses nothing up. */
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
    const change = await findPendingChange(db, accountId);
    return change?.id === detail ? change : null;
  }

  async function asked(account: { id: string }, viewer: Viewer | null): Promise<AskedAtLink> {
    if (viewer?.id === account.id) return "nothing";
    return (await identity.asksPassword(account)) ? "password" : "sign-in";
  }

  /**
   * Confirms the address a link was mailed to; a changed one becomes the account's, and the one
   * before is told. A change wants more than a mailbox: a session of the account, or its password.
   * Refuses with link-used; and, while the link stays good, with email-in-use, wrong-password,
   * too-many-attempts, input-invalid, sign-in-required.
   */
  async function confirmEmail(token: string, follower: Follower = nobody): Promise<Confirmation> {
    const change = await links.find("change-email", token);
    // before a connection is taken: comparing a password takes long
    if (change && (await pendingOf(change)) && follower.viewer?.id !== change.accountId) {
      await identity.confirmAtLink(change.accountId, follower);
    }
    return db.transaction(async () => (await confirmOwn(token)) ?? (await confirmNew(token)));
  }

  async function confirmOwn(token: string): Promise<Confirmation | null> {
    const link = await links.take("verify-email", token);
    if (!link) return null;
    const account = await addresseeById(db, link.accountId);
    if (account?.email.toLowerCase() !== link.detail) throw refuse("link-used");
    await identity.markEmailVerified(account.id);
    return { email: account.email, username: account.username };
  }

  async function confirmNew(token: string): Promise<Confirmation> {
    const link = await links.take("change-email", token);
    if (!link) throw refuse("link-used");
    await lockWaysIn(db, link.accountId);
    const before = await addresseeById(db, link.accountId);
    const change = await pendingOf(link);
    if (!before || !change) throw refuse("link-used");
    const { id, newEmail: email } = change;
    if (await isEmailTaken(db, email.toLowerCase(), { except: before.id })) {
      throw refuse("email-in-use");
    }
    await setEmail(db, before.id, email);
    const { email: oldEmail, verified: oldVerified } = before;
    await markConfirmed(db, { accountId: before.id, id, oldEmail, oldVerified });
    // links mailed to the address before must open nothing any more
    await links.withdraw(before.id);
    if (oldVerified) {
      await jobs.add(deliveries.emailChanged, { accountId: before.id, changeId: id });
    }
    return { email, username: before.username };
  }

  return { confirmationOf, confirmEmail };
}
