import type { Mail } from "#server/adapters/mail/mail.ts";
import type { Database } from "#server/db/database.ts";
import { isEmailTaken } from "#server/features/accounts/accounts.queries.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import type { createLetters } from "#server/features/verification/letters.ts";
import {
  addresseeByEmail,
  addresseeById,
  type Addressee,
} from "#server/features/verification/verification.queries.ts";
import type { Jobs } from "#server/jobs.ts";
import { linkLives } from "#shared/verification.ts";

/** What is mailed in the background; each makes its link while it is sent. */
export const deliveries = {
  confirmAddress: "verification.confirm-address",
  resetLink: "verification.reset-link",
  signInLink: "verification.sign-in-link",
  newAddress: "verification.new-address",
} as const;

/** A link that comes an hour late is of no use: about forty minutes of tries. */
const retries = 8;

type Deps = {
  db: Database;
  jobs: Pick<Jobs, "handle">;
  mail: Pick<Mail, "send" | "queue">;
  links: Pick<Identity["links"], "issue">;
  letters: ReturnType<typeof createLetters>;
};

/**
 * Looking an address up, making a link and sending it happen here, after the request was answered:
 * whoever asked learns from no text, status or time whether the address has an account.
 */
export function handleDeliveries({ db, jobs, mail, links, letters }: Deps): void {
  jobs.handle<{ accountId: string }>(
    deliveries.confirmAddress,
    async ({ accountId }) => {
      const account = await addresseeById(db, accountId);
      if (!account || account.verified) return;
      const link = { accountId, detail: account.email.toLowerCase() };
      const token = await links.issue("verify-email", link, linkLives.confirmEmail.seconds);
      await mail.send(letters.confirmAddress(account, token));
    },
    { retries },
  );

  jobs.handle<{ email: string }>(
    deliveries.resetLink,
    async ({ email }) => {
      const account = await addresseeByEmail(db, email);
      if (account) await sendResetLink(account, "password");
    },
    { retries },
  );

  jobs.handle<{ email: string; returnTo: string }>(
    deliveries.signInLink,
    async ({ email, returnTo }) => {
      const account = await addresseeByEmail(db, email);
      if (!account) return;
      // Whoever made the account may not own the mailbox: its owner takes it over, or leaves it.
      if (!account.verified) return sendResetLink(account, "sign-in");
      const link = { accountId: account.id, detail: returnTo };
      const token = await links.issue("sign-in", link, linkLives.signIn.seconds);
      await mail.send(letters.signIn(account, token));
    },
    { retries },
  );

  jobs.handle<{ accountId: string; email: string }>(
    deliveries.newAddress,
    async ({ accountId, email }) => {
      const account = await addresseeById(db, accountId);
      if (!account) return;
      if (await isEmailTaken(db, email.toLowerCase())) {
        return mail.send(letters.addressTaken(email));
      }
      const link = { accountId, detail: email };
      const token = await links.issue("change-email", link, linkLives.confirmEmail.seconds);
      await mail.send(letters.confirmNewAddress(account, email, token));
      if (account.verified) await mail.queue(letters.changeAsked(account));
    },
    { retries },
  );

  async function sendResetLink(account: Addressee, asked: "password" | "sign-in"): Promise<void> {
    const link = { accountId: account.id, detail: "mailed" };
    const token = await links.issue("reset-password", link, linkLives.resetPassword.seconds);
    await mail.send(letters.resetPassword(account, token, asked));
  }
}
