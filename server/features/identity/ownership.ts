import type { Database } from "#server/db/database.ts";
import type { NewId } from "#server/db/ids.ts";
import {
  markEmailVerified,
  removeSignInMethodsSince,
  writePasswordHash,
} from "#server/features/identity/credentials.queries.ts";

type Deps = {
  db: Database;
  newId: NewId;
};

/** What the proof of a mailbox changes. All of it joins the transaction of the caller. */
export function createOwnership({ db, newId }: Deps) {
  /** Gives the account this password (a hash of passwords.ts), whether it had one or not. */
  async function setPasswordHash(accountId: string, hash: string): Promise<void> {
    await writePasswordHash(db, { id: newId(), accountId, hash });
  }

  return {
    setPasswordHash,
    markEmailVerified: (accountId: string) => markEmailVerified(db, accountId),
    removeSignInMethodsSince: (accountId: string, since: Date) =>
      removeSignInMethodsSince(db, accountId, since),
  };
}
