import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import { hashPassword, refuseWeakPassword } from "#server/features/identity/passwords.ts";
import type { WriteTo } from "#server/features/identity/verification/mail-templates.ts";
import { takeOverLink } from "#server/features/identity/verification/take-over.ts";
import { ownerAt, ownerById } from "#server/features/identity/verification/verification.queries.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { newPasswordInput } from "#shared/verification.inputs.ts";

type Deps = {
  db: Database;
  mail: Pick<Mail, "queue">;
  identity: Identity;
  templates: WriteTo;
  publicUrl: string;
};

export function createResetPassword({ db, mail, identity, templates, publicUrl }: Deps) {
  const { links } = identity;

  /**
   * Uses a link for a new password: every session ends, and every other link. Where the address was
   * never confirmed, or was a moment ago (take-over.ts), every other sign-in method is removed too,
   * and a mailed link confirms it. Refuses with input-invalid (the link stays valid), link-used.
   */
  async function resetPassword({ token, ...form }: { token: string; password: string }) {
    const { password } = parseInput(newPasswordInput, form);
    // Without a link nothing is hashed.
    const found = await links.find("reset-password", token);
    const owner = found && (await ownerById(db, found.accountId));
    if (!owner) throw refuse("link-used");
    await refuseWeakPassword(password, owner);
    const hash = await hashPassword(password);
    await db.transaction(async () => {
      const link = await links.take("reset-password", token);
      const account = link && (await ownerById(db, link.accountId));
      if (!account) throw refuse("link-used");
      await identity.sessions.endAll(account.id);
      await identity.password.setHash(account.id, hash);
      await identity.activity.note(account.id, "password-replaced");
      const takesOver = !account.verified || link.detail === takeOverLink;
      if (takesOver) await identity.signInMethods.removeOthers(account.id);
      const mailed = link.detail === "mailed";
      if (mailed) await identity.markEmailVerified(account.id);
      if (account.verified || mailed) {
        await mail.queue(
          (await templates(account)).signInMethodsChanged(account, { what: "password-replaced" }),
        );
      }
    });
  }

  /**
   * For the operator: a link to choose a new password for the account at an address (email or
   * username). It does not verify a mailbox. Refuses with not-found.
   */
  async function issueResetLink(address: string): Promise<{ username: string; url: string }> {
    const account = await ownerAt(db, address.trim());
    if (!account) throw refuse("not-found", { message: "No account has this address." });
    const link = { accountId: account.id, detail: "operator" };
    const token = await links.issue("reset-password", link);
    return { username: account.username, url: `${publicUrl}/signIn/reset/${token}` };
  }

  return { resetPassword, issueResetLink };
}
