import type { Database } from "#server/platform/db/database.ts";
import type { NewId } from "#server/platform/db/ids.ts";
import type { createConfirm } from "#server/features/identity/confirm.ts";
import { writePasswordHash } from "#server/features/identity/credentials.queries.ts";
import { forgetConfirmed } from "#server/features/identity/sessions.queries.ts";
import { hashPassword, refuseWeakPassword } from "#server/features/identity/passwords.ts";
import type { NotifyOwner } from "#server/features/identity/security-notices.ts";
import type { createRevocation } from "#server/features/identity/revocation.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { newPasswordInput } from "#shared/identity.ts";
import { parseInput } from "#shared/inputs.ts";
import { joinNames } from "#shared/text.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  newId: NewId;
  confirm: ReturnType<typeof createConfirm>["confirm"];
  endSessions: ReturnType<typeof createRevocation>;
  notifyOwner: NotifyOwner;
};

export function createPassword({ db, newId, confirm, endSessions, notifyOwner }: Deps) {
  /**
   * A member changes their password, or sets the first one; every other session ends with the same
   * commit, with all that revocation.ts ends. The owner gets an email. Authorized apps stay, unless
   * they are to go, too. Refuses with input-invalid (fields `password`, `currentPassword`),
   * wrong-password, sign-in-again, too-many-attempts.
   */
  async function change(
    viewer: Viewer,
    form: { currentPassword: string; password: string; endApps?: boolean },
  ): Promise<void> {
    // Before anything is counted: an unacceptable new password costs no try.
    const password = await checkedPassword(viewer, form.password);
    await confirm(viewer, { password: form.currentPassword }).catch((error: unknown) => {
      const problem = isRefusal(error) ? error.fields?.["password"] : undefined;
      if (problem === undefined || !isRefusal(error)) throw error;
      throw refuse(error.code, { fields: { currentPassword: problem }, cause: error });
    });
    // Hashed before a connection is taken: it is slow.
    const hash = await hashPassword(password);
    await db.transaction(async () => {
      await endSessions(viewer.id, { except: viewer.sessionId, keepApps: !form.endApps });
      await setHash(viewer.id, hash);
      await notifyOwner(viewer.id, { what: "password-changed" });
    });
  }

  /**
   * Gives the account this password (a hash of passwords.ts), whether it had one or not; sessions
   * confirmed with the old one are not confirmed any more. Joins the caller's transaction.
   */
  async function setHash(accountId: string, hash: string): Promise<void> {
    await writePasswordHash(db, { id: newId(), accountId, hash });
    await forgetConfirmed(db, accountId);
  }

  return { change, setHash };
}

/** The password as it will be compared. Refuses with input-invalid, beside the field `password`. */
async function checkedPassword(viewer: Viewer, typed: string): Promise<string> {
  const { password } = parseInput(newPasswordInput, { password: typed });
  const { email, firstName, secondName, username } = viewer;
  const fullName = joinNames(firstName, secondName);
  await refuseWeakPassword(password, { email, fullName, username });
  return password;
}
