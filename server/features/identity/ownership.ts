import type { createAuth } from "#server/features/identity/better-auth.ts";
import type { Database } from "#server/db/database.ts";
import {
  deleteOtherCredentials,
  markEmailVerified,
} from "#server/features/identity/credentials.queries.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";

type Deps = {
  db: Database;
  auth: Pick<ReturnType<typeof createAuth>, "$context">;
  sessions: Pick<ReturnType<typeof createSessions>, "endAll">;
};

/** Removes one more kind of way in (passkeys, a second factor …). Runs in a transaction. */
type Removal = (accountId: string) => Promise<void>;

/** Who an account belongs to, decided anew. All of it joins the transaction of the caller. */
export function createOwnership({ db, auth, sessions }: Deps) {
  const removals: Removal[] = [];

  /** Features that add ways to sign in say here how they are removed. */
  function onTakeover(removal: Removal): void {
    removals.push(removal);
  }

  /** Gives the account this password (a hash of passwords.ts), whether it had one or not. */
  async function setPasswordHash(accountId: string, password: string): Promise<void> {
    const { internalAdapter } = await auth.$context;
    const existing = await internalAdapter.findCredentialAccount(accountId);
    if (existing) return internalAdapter.updatePassword(accountId, password);
    await internalAdapter.createAccount({
      userId: accountId,
      providerId: "credential",
      accountId,
      password,
    });
  }

  /**
   * Removes every way in but the password, and ends every session: for an account whose email
   * nobody had proved to own, and whose mailbox now speaks.
   */
  async function takeOver(accountId: string): Promise<void> {
    await deleteOtherCredentials(db, accountId);
    for (const remove of removals) await remove(accountId);
    await sessions.endAll(accountId);
  }

  return {
    onTakeover,
    setPasswordHash,
    takeOver,
    markEmailVerified: (accountId: string) => markEmailVerified(db, accountId),
  };
}
