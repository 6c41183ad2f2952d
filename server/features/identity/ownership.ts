import type { Database } from "#server/db/database.ts";
import type { NewId } from "#server/db/ids.ts";
import {
  markEmailVerified,
  removeWaysIn,
  writePasswordHash,
} from "#server/features/identity/credentials.queries.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";

type Deps = {
  db: Database;
  sessions: Pick<ReturnType<typeof createSessions>, "endAll">;
  newId: NewId;
};

/** Who an account belongs to, decided anew. All of it joins the transaction of the caller. */
export function createOwnership({ db, sessions, newId }: Deps) {
  /** Gives the account this password (a hash of passwords.ts), whether it had one or not. */
  async function setPasswordHash(accountId: string, hash: string): Promise<void> {
    await writePasswordHash(db, { id: newId(), accountId, hash });
  }

  /**
   * Removes every way in but the password, and ends every session: for an account whose email
   * nobody had proved to own, and whose mailbox now speaks.
   */
  async function takeOver(accountId: string): Promise<void> {
    await removeWaysIn(db, accountId);
    await sessions.endAll(accountId);
  }

  return {
    setPasswordHash,
    takeOver,
    markEmailVerified: (accountId: string) => markEmailVerified(db, accountId),
  };
}
