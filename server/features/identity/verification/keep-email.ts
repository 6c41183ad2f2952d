import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import type { LinkContent } from "#server/features/identity/links.ts";
import { lockSignInMethods } from "#server/features/identity/sign-in-methods.queries.ts";
import * as queries from "#server/features/identity/verification/email-changes.queries.ts";
import type { WriteTo } from "#server/features/identity/verification/mail-templates.ts";
import {
  addresseeById,
  setEmail,
  type Addressee,
} from "#server/features/identity/verification/verification.queries.ts";
import { refuse } from "#shared/errors.ts";

type Deps = {
  db: Database;
  mail: Pick<Mail, "queue">;
  identity: Identity;
  templates: WriteTo;
};

/** A change of address as the previous mailbox sees it. It does not learn the other address. */
export type KeptEmail = {
  username: string;
  /** the address that stays, or comes back */
  email: string;
  /** pending · done · over: cancelled before, or never confirmed */
  change: "waiting" | "done" | "over";
};

/**
 * The way back for the owner of the mailbox that an account is being moved away from: neither a
 * password nor a session is needed, since somebody else may have both.
 */
export function createKeepEmail({ db, mail, identity, templates }: Deps) {
  const { links } = identity;

  /** What a link would undo, while it can be used; null for any other. Does not consume it. */
  async function keptEmailOf(token: string): Promise<KeptEmail | null> {
    const link = await links.find("keep-email", token);
    return link && ((await read(link))?.kept ?? null);
  }

  async function read({
    accountId,
    detail: id,
  }: LinkContent): Promise<{ account: Addressee; kept: KeptEmail; since: Date | null } | null> {
    const account = await addresseeById(db, accountId);
    const undoing = account && (await queries.findUndoing(db, { accountId, id }));
    if (!undoing) return null;
    const { username } = account;
    const { oldEmail: email, pending, confirmedAt: since } = undoing;
    const change = since ? "done" : pending ? "waiting" : "over";
    return { account, kept: { username, email, change }, since };
  }

  /**
   * Undoes a change of address and all later ones. A pending one is cancelled. A confirmed one
   * restores the old address and notifies the current one; it signs out everywhere, with all that
   * this ends (identity/revocation.ts), and removes the password and everything else that was added
   * since: its emails went to the other mailbox. Refuses with link-used, and with email-in-use
   * where the address is another account's by now.
   */
  async function keepEmail(token: string): Promise<KeptEmail> {
    return db.transaction(async () => {
      const link = await links.take("keep-email", token);
      if (!link) throw refuse("link-used");
      await lockSignInMethods(db, link.accountId);
      const found = await read(link);
      if (!found) throw refuse("link-used");
      const { account, kept, since } = found;
      if (kept.change === "waiting") await queries.withdrawPending(db, account.id);
      if (since) {
        await setEmail(db, account.id, kept.email);
        await queries.deleteChangesFrom(db, { accountId: account.id, id: link.detail });
        await identity.sessions.endAll(account.id);
        await identity.signInMethods.removeSince(account.id, since);
        await mail.queue((await templates(account)).changeUndone(account));
      }
      return kept;
    });
  }

  return { keptEmailOf, keepEmail };
}
