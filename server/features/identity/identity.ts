import type { Logger } from "pino";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import type { RequestHeaders } from "#server/features/types.ts";
import { createActivity } from "#server/features/identity/activity.ts";
import { createPassword } from "#server/features/identity/change-password.ts";
import { markEmailVerified } from "#server/features/identity/credentials.queries.ts";
import { createDevices } from "#server/features/identity/devices.ts";
import { createConfirm } from "#server/features/identity/confirm.ts";
import { createSignInCompletion } from "#server/features/identity/sign-in-completion.ts";
import { createLinks } from "#server/features/identity/links.ts";
import type { NotifyOwner } from "#server/features/identity/security-notices.ts";
import { createPendingSignIns } from "#server/features/identity/pending-sign-ins.ts";
import { createSecondFactor } from "#server/features/identity/second-factor.ts";
import { createAttemptCounter } from "#server/features/identity/attempt-counter.ts";
import { createRevocation } from "#server/features/identity/revocation.ts";
import { openAdmission, type Admission } from "#server/features/identity/new-account.ts";
import { createPasskeys } from "#server/features/identity/passkeys/passkeys.ts";
import type { createTwoFactor } from "#server/features/identity/two-factor/two-factor.ts";
import { createAttemptLimits, type LimitNumbers } from "#server/features/limits/index.ts";
import { createTokenSync } from "#server/features/identity/token-sync.ts";
import { formerVersionMayRun, sweepExpired } from "#server/features/identity/sessions.queries.ts";
import { createSessions } from "#server/features/identity/sessions.ts";
import { createSignIn } from "#server/features/identity/sign-in.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import { createRecovery } from "#server/features/identity/recovery.ts";
import { createSuspension } from "#server/features/identity/suspension.ts";
import {
  createSignInMethods,
  type SignInMethods,
} from "#server/features/identity/sign-in-methods.ts";
import type { AvatarImages } from "#server/features/identity/sign-up-avatar.ts";
import { createSignUp } from "#server/features/identity/sign-up.ts";
import { createUsernameChecks } from "#server/features/identity/username-checks.ts";

type Deps<Received> = {
  db: Database;
  log: Logger;
  config: Pick<Config, "publicUrl" | "origins" | "rateLimits"> & Partial<Pick<Config, "providers">>;
  secrets: { authSecret: string };
  images: AvatarImages<Received>;
  twoFactor: ReturnType<typeof createTwoFactor>;
  newId?: NewId | undefined;
  /** Who may sign up; everybody where it is not given. */
  admission?: Admission;
  /** Called after a sign-up, in its transaction. */
  welcome?: (accountId: string) => Promise<void>;
  /** Emails the owner about a change of sign-in methods. */
  notifyOwner?: NotifyOwner;
  /** Wrong passwords are recorded in the background. */
  jobs?: Pick<Jobs, "add" | "handle">;
  /** Ends the tokens of apps of other people. */
  endApps?: (accountId: string) => Promise<void>;
  /** Tests set their own; the product's are in limits.ts. */
  limitNumbers?: LimitNumbers;
};

export type { SignInMethods };

/** What the features above identity use of it. */
export type Identity = ReturnType<typeof createIdentity>;

/** Sign-up, sign-in, sign-out, confirmation of the password, and authentication of requests. */
export function createIdentity<Received>(deps: Deps<Received>) {
  const { db, newId = freshId, welcome = async () => {} } = deps;
  const { admission = openAdmission } = deps;
  const secure = deps.config.publicUrl.startsWith("https:");
  const parts = partsOf({ ...deps, newId, secret: deps.secrets.authSecret, secure });
  const { activity, devices, endSessions, entering, links, recovery, sessions } = parts;
  const { signInMethods, suspension, notifyOwner } = parts;
  const { confirm, confirmUnlessRecent } = parts.confirmation;
  const completeSignIn = entering.complete;

  return {
    signUp: {
      ...createSignUp({ ...parts, admission, welcome }),
      checkUsername: createUsernameChecks(parts),
      welcome,
      admission,
    },
    signIn: { withPassword: createSignIn({ ...parts, completeSignIn }), ...entering },
    sessions: {
      viewerOf: sessions.viewerOf,
      bearerOf: sessions.bearerOf,
      claimsSession: sessions.claimsSession,
      tokenHashIn: sessions.tokenHashIn,
      reading: sessions.reading,
      noteWrite: sessions.noteWrite,
      renewedCookies: sessions.renewedCookies,
      list: sessions.list,
      endOne: sessions.endOne,
      endAll: endSessions,
      /** Ends the session for good, here and wherever its token was copied. */
      async signOut(headers: RequestHeaders): Promise<{ cookies: string[] }> {
        await sessions.end(headers);
        return { cookies: [sessions.clearingCookie, recovery.forgetOffer, suspension.forgetOffer] };
      },
    },
    tokens: createTokenSync({ ...parts, publicUrl: deps.config.publicUrl }),
    confirmation: parts.confirmation,
    password: createPassword({ ...parts, confirm }),
    /** Joins the transaction of the caller. */
    markEmailVerified: (accountId: string) => markEmailVerified(db, accountId),
    signInMethods,
    passkeys: createPasskeys({
      ...parts,
      confirm: confirmUnlessRecent,
      completeSignIn,
      removeSignInMethod: signInMethods.remove,
    }),
    twoFactor: createSecondFactor({ ...parts, confirm: confirmUnlessRecent }),
    links,
    activity: { list: activity.list, note: activity.note },
    notifyOwner,
    devices: { forget: devices.forget },
    /** of an account that is to be deleted, and may be kept */
    recovery: {
      leavingOf: recovery.leavingOf,
      /** the Set-Cookie value after an account was kept */
      forgetOffer: recovery.forgetOffer,
    },
    suspension,
    sweep: () => sweep(parts),
  };
}

type PartsDeps<Received> = Deps<Received> & { newId: NewId; secret: string; secure: boolean };

/** What the parts of identity use of each other, and what they all need. */
function partsOf<Received>(given: PartsDeps<Received>) {
  const { db, config, jobs } = given;
  const sessions = createSessions(given);
  const devices = createDevices(given);
  const limits = createAttemptLimits({
    ...given,
    enabled: config.rateLimits,
    numbers: given.limitNumbers,
  });
  const pending = createPendingSignIns(given);
  const countAttempt = createAttemptCounter({ limits, devices });
  const activity = createActivity({ ...given, jobs });
  const notifyOwner: NotifyOwner = async (accountId, notice) => {
    await activity.note(accountId, notice.what, "label" in notice ? { detail: notice.label } : {});
    await given.notifyOwner?.(accountId, notice);
  };
  const recovery = createRecovery(given);
  const links = createLinks({ db });
  const endSessions = createRevocation({ ...given, devices, links, sessions });
  const suspension = createSuspension({ ...given, endSessions });
  const known = { ...given, sessions, devices, pending, countAttempt, recovery, suspension };
  return {
    ...known,
    limits,
    activity,
    notifyOwner,
    links,
    endSessions,
    entering: createSignInCompletion({ ...known, activity }),
    confirmation: createConfirm({ db, limits, activity }),
    signInMethods: createSignInMethods({ db, providers: config.providers ?? [] }),
  };
}

type Swept = Pick<
  ReturnType<typeof partsOf>,
  "db" | "activity" | "sessions" | "suspension" | "twoFactor"
>;

/**
 * Deletes ended sessions, codes, counts and old activity, ends suspensions that are over, and, once
 * the previous version runs no more, what only that could read; worth doing once an hour.
 */
async function sweep({ db, activity, sessions, suspension, twoFactor }: Swept): Promise<void> {
  await suspension.endDue();
  await sweepExpired(db);
  await activity.sweep();
  if (await formerVersionMayRun(db)) return;
  await sessions.forgetReadableTokens();
  await twoFactor.reseal();
}
