import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Database } from "#server/db/database.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import type { createLetters } from "#server/features/verification/letters.ts";
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
   * before is told. Refuses with link-used, email-in-use (the link stays good).
   */
  async function confirmEmail(token: string): Promise<Confirmation> {
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
    const before = link && (await addresseeById(db, link.accountId));
    if (!before) throw refuse("link-used");
    await setEmail(db, before.id, link.detail).catch((error: unknown) => {
      // 23505 unique_violation (PostgreSQL, Appendix A)
      throw (error as { code?: unknown }).code === "23505"
        ? refuse("email-in-use", { cause: error })
        : error;
    });
    // links mailed to the address before must open nothing any more
    await links.withdraw(before.id);
    if (before.verified) await mail.queue(letters.emailChanged(before));
    return { email: link.detail, username: before.username };
  }

  return { confirmationOf, confirmEmail };
}
