import type { Database } from "#server/platform/db/database.ts";
import type { Activity } from "#server/features/identity/activity.ts";
import {
  findPasswordHash,
  findPasswordTime,
} from "#server/features/identity/credentials.queries.ts";
import type { createAttemptLimits, LimitKind } from "#server/features/limits/index.ts";
import { verifyPassword } from "#server/features/identity/passwords.ts";
import * as queries from "#server/features/identity/sessions.queries.ts";
import { refuse } from "#shared/errors.ts";
import { passwordLengthProblem, passwordProblems } from "#shared/passwords.ts";
import type { Viewer } from "#shared/views.ts";

/** How long a session counts as fresh after its start, seconds. */
const freshFor = 10 * 60;
/** How long a session counts as confirmed after the password was given in it, seconds. */
const confirmedFor = 10 * 60;

type Deps = {
  db: Database;
  limits: ReturnType<typeof createAttemptLimits>;
  activity: Pick<Activity, "note">;
};

/** Asks signed-in members to prove again who they are, before what cannot be undone. */
export function createConfirm(deps: Deps) {
  const { db } = deps;

  /**
   * Takes the current password. An account without one must have signed in within ten minutes. The
   * session counts as confirmed from then on (`confirmUnlessRecent`). Refuses with wrong-password,
   * sign-in-again, too-many-attempts, or input-invalid when the field is empty.
   */
  async function confirm(viewer: Viewer, { password }: { password: string }): Promise<void> {
    const hash = await findPasswordHash(db, viewer.id);
    if (hash === null) {
      if (await isFresh(viewer)) return;
      throw refuse("sign-in-again");
    }
    await check(deps, { hash, password, kind: "confirmation-failures", accountId: viewer.id });
    await queries.noteConfirmed(db, viewer.sessionId);
  }

  /**
   * The same as `confirm`, unless the password was given in this session within ten minutes and has
   * not changed since. A password that is sent anyway must be right.
   */
  async function confirmUnlessRecent(viewer: Viewer, proof: { password: string }): Promise<void> {
    if (proof.password === "" && (await isConfirmed(viewer))) return;
    await confirm(viewer, proof);
  }

  /**
   * Takes the password of an account from somebody who is not signed in to it and followed one of
   * its links. Refuses with wrong-password, too-many-attempts, input-invalid when the field is
   * empty, sign-in-required where the account has no password.
   */
  async function confirmAtLink(accountId: string, { password }: { password: string }) {
    const hash = await findPasswordHash(db, accountId);
    if (hash === null) throw refuse("sign-in-required");
    // A count of its own: the holder of a link must not block the member's confirmation in
    // Settings.
    await check(deps, { hash, password, kind: "link-password-failures", accountId });
  }

  /** Whether this session began within ten minutes. */
  const isFresh = ({ sessionId }: Viewer) => queries.beganWithin(db, sessionId, freshFor);

  const isConfirmed = ({ sessionId }: Viewer) =>
    queries.confirmedWithin(db, sessionId, confirmedFor);

  /** The same as `confirmUnlessRecent`, unless the member signed in within ten minutes. */
  async function confirmUnlessFresh(viewer: Viewer, proof: { password: string }): Promise<void> {
    if (!(await isFresh(viewer))) await confirmUnlessRecent(viewer, proof);
  }

  /** Whether `confirm` will want a password, for the form that asks. */
  async function hasPassword({ id }: { id: string }): Promise<boolean> {
    return (await findPasswordHash(db, id)) !== null;
  }

  /** When the password was set (epoch ms), and whether it replaced another one; null without one. */
  const passwordTime = ({ id }: Viewer) => findPasswordTime(db, id);

  /** Whether `confirmUnlessRecent` will want one. */
  async function asksPassword(viewer: Viewer): Promise<boolean> {
    return (await hasPassword(viewer)) && !(await isConfirmed(viewer));
  }

  return {
    confirm,
    confirmAtLink,
    confirmUnlessFresh,
    confirmUnlessRecent,
    isFresh,
    hasPassword,
    passwordTime,
    asksPassword,
  };
}

type Check = { hash: string; password: string; kind: LimitKind; accountId: string };

async function check({ limits, activity }: Deps, { hash, password, kind, accountId }: Check) {
  if (password === "") throw refuse("input-invalid", { fields: { password: "required*" } });
  const tried = await limits.count(kind, accountId);
  const tooLong = passwordLengthProblem(password) === passwordProblems.long;
  if (tooLong || !(await verifyPassword({ hash, password }))) {
    await activity.note(accountId, "confirmation-refused");
    throw wrongPassword();
  }
  await tried.refund();
}

function wrongPassword() {
  const refusal = refuse("wrong-password");
  refusal.fields = { password: refusal.message };
  return refusal;
}
