import type { Database } from "#server/db/database.ts";
import type { NewId } from "#server/db/ids.ts";
import type { createConfirm } from "#server/features/identity/confirm.ts";
import { removeWaysIn, writePasswordHash } from "#server/features/identity/credentials.queries.ts";
import { hashPassword, isCommonPassword } from "#server/features/identity/passwords.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { newPasswordInput } from "#shared/identity.ts";
import { parseInput } from "#shared/inputs.ts";
import { passwordProblems } from "#shared/passwords.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  newId: NewId;
  confirm: ReturnType<typeof createConfirm>["confirm"];
  sessions: ReturnType<typeof createSessions>;
};

export function createChangePassword({ db, newId, confirm, sessions }: Deps) {
  /** Everybody who was signed in with the one before is signed out with the same commit. */
  async function write(accountId: string, password: string, except?: string): Promise<void> {
    // Hashed before a connection is taken: it takes long.
    const hash = await hashPassword(password);
    await db.transaction(async () => {
      await writePasswordHash(db, { id: newId(), accountId, hash });
      await sessions.endAll(accountId, except === undefined ? {} : { except });
    });
  }

  /**
   * Gives an account a new password and ends all its sessions. Whoever calls this has proof that
   * the account's owner asks, such as a link sent to the mailbox. Refuses with input-invalid.
   */
  async function setPassword(accountId: string, typed: string): Promise<void> {
    await write(accountId, await checkedPassword(typed));
  }

  /**
   * A member changes the own password, or sets the first one; every other session ends.
   * Refuses with input-invalid (fields `password`, `currentPassword`), wrong-password,
   * sign-in-again, too-many-attempts.
   */
  async function changePassword(
    viewer: Viewer,
    form: { currentPassword: string; password: string },
  ): Promise<void> {
    // Before anything is counted: what will not do costs no try.
    const password = await checkedPassword(form.password);
    await confirm(viewer, { password: form.currentPassword }).catch((error: unknown) => {
      const problem = isRefusal(error) ? error.fields?.["password"] : undefined;
      if (problem === undefined || !isRefusal(error)) throw error;
      throw refuse(error.code, { fields: { currentPassword: problem }, cause: error });
    });
    await write(viewer.id, password, viewer.sessionId);
  }

  /**
   * Leaves an account its password alone: passkeys, the second factor, identity providers and
   * sign-ins under way are gone. For a mailbox's owner who takes over an account that somebody else
   * made with its address. Joins the caller's transaction.
   */
  async function removeOtherWaysIn(accountId: string): Promise<void> {
    await db.transaction(() => removeWaysIn(db, accountId));
  }

  return { changePassword, setPassword, removeOtherWaysIn };
}

/** The password as it will be compared. Refuses with input-invalid, beside the field `password`. */
async function checkedPassword(typed: string): Promise<string> {
  const { password } = parseInput(newPasswordInput, { password: typed });
  if (await isCommonPassword(password)) {
    throw refuse("input-invalid", { fields: { password: passwordProblems.common } });
  }
  return password;
}
