import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Database } from "#server/db/database.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import type { createLetters } from "#server/features/verification/letters.ts";
import { offerTakeOver, type TakeOver } from "#server/features/verification/take-over.ts";
import { addresseeById, setEmail } from "#server/features/verification/verification.queries.ts";
import { refuse } from "#shared/errors.ts";

type Deps = {
  db: Database;
  mail: Pick<Mail, "queue">;
  identity: Identity;
  letters: ReturnType<typeof createLetters>;
};

/** What a link would confirm: the address an account has, or the one it is to get. */
export type Confirmation = { email: string; username: string };

/** What was confirmed; `takeOver` is null where the account's own member did it, or nothing is to be ended. */
export type Confirmed = Confirmation & { takeOver: TakeOver | null };

/** Who followed the link. */
type Follower = { id: string } | null;

export function createConfirmEmail({ db, mail, identity, letters }: Deps) {
  const { links } = identity;

  /** What a link is for, while it can be used; null for any other. Looking uses nothing up. */
  async function confirmationOf(token: string): Promise<Confirmation | null> {
    const link =
      (await links.find("verify-email", token)) ?? (await links.find("change-email", token));
    const account = link && (await addresseeById(db, link.accountId));
    return account && link ? { email: link.detail, username: account.username } : null;
  }

  /**
   * Confirms the address a link was mailed to; a changed one becomes the account's, and the one
   * before is told. Somebody who is not signed in to the account may end what was set before the
   * first confirmation. Refuses with link-used, email-in-use (the link stays good).
   */
  async function confirmEmail(token: string, follower: Follower = null): Promise<Confirmed> {
    return db.transaction(
      async () => (await confirmOwn(token, follower)) ?? (await confirmNew(token, follower)),
    );
  }

  /** An address that was confirmed before shows that its owner was there: nothing is offered then. */
  async function takeOverOf(before: { id: string; verified: boolean }, follower: Follower) {
    if (before.verified || follower?.id === before.id) return null;
    return offerTakeOver(identity, before.id);
  }

  async function confirmOwn(token: string, follower: Follower): Promise<Confirmed | null> {
    const link = await links.take("verify-email", token);
    if (!link) return null;
    const account = await addresseeById(db, link.accountId);
    if (account?.email.toLowerCase() !== link.detail) throw refuse("link-used");
    await identity.markEmailVerified(account.id);
    await identity.noteActivity(account.id, "email-confirmed");
    const { email, username } = account;
    return { email, username, takeOver: await takeOverOf(account, follower) };
  }

  async function confirmNew(token: string, follower: Follower): Promise<Confirmed> {
    const link = await links.take("change-email", token);
    const before = link && (await addresseeById(db, link.accountId));
    if (!before) throw refuse("link-used");
    await setEmail(db, before.id, link.detail).catch((error: unknown) => {
      // 23505 unique_violation (PostgreSQL, Appendix A)
      throw (error as { code?: unknown }).code === "23505"
        ? refuse("email-in-use", { cause: error })
        : error;
    });
    await identity.noteActivity(before.id, "email-changed");
    // links mailed to the address before must open nothing any more
    await links.withdraw(before.id);
    if (before.verified) await mail.queue(letters.emailChanged(before));
    const takeOver = await takeOverOf(before, follower);
    return { email: link.detail, username: before.username, takeOver };
  }

  return { confirmationOf, confirmEmail };
}
