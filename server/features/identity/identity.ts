import type { Logger } from "pino";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { newId as freshId, type NewId } from "#server/db/ids.ts";
import type { RequestHeaders } from "#server/features/types.ts";
import { createActivity } from "#server/features/identity/activity.ts";
import { createPassword } from "#server/features/identity/change-password.ts";
import { markEmailVerified } from "#server/features/identity/credentials.queries.ts";
import { createDevices } from "#server/features/identity/devices.ts";
import { createConfirm } from "#server/features/identity/confirm.ts";
import { createSignInCompletion } from "#server/features/identity/sign-in-completion.ts";
import { createLinks } from "#server/features/identity/links.ts";
import type { TellOwner } from "#server/features/identity/notices.ts";
import { createPendingSignIns } from "#server/features/identity/pending-sign-ins.ts";
import { createSecondFactor } from "#server/features/identity/second-factor.ts";
import { createAttempts } from "#server/features/identity/attempts.ts";
import { createRevocation } from "#server/features/identity/revocation.ts";
import type { Admission } from "#server/features/identity/new-member.ts";
import { createPasskeys } from "#server/features/identity/passkeys/passkeys.ts";
import type { createTwoFactor } from "#server/features/identity/two-factor/two-factor.ts";
import { createAttemptLimits, type LimitNumbers } from "#server/features/limits/index.ts";
import { createTokenSync } from "#server/features/identity/token-sync.ts";
import { formerVersionMayRun, sweepExpired } from "#server/features/identity/sessions.queries.ts";
import { createSessions } from "#server/features/identity/sessions.ts";
import { createSignIn } from "#server/features/identity/sign-in.ts";
import type { Jobs } from "#server/jobs.ts";
import { createRecovery } from "#server/features/identity/recovery.ts";
import { createSuspension } from "#server/features/identity/suspension.ts";
import {
  createSignInMethods,
  type SignInMethods,
} from "#server/features/identity/sign-in-methods.ts";
import type { ProfilePictures } from "#server/features/identity/sign-up-picture.ts";
import { createSignUp } from "#server/features/identity/sign-up.ts";

type Deps<Received> = {
  db: Database;
  log: Logger;
  config: Pick<Config, "publicUrl" | "origins" | "rateLimits"> & Partial<Pick<Config, "providers">>;
  secrets: { authSecret: string };
  images: ProfilePictures<Received>;
  twoFactor: ReturnType<typeof createTwoFactor>;
  newId?: NewId | undefined;
  /** Whom the operator lets in; everybody where it is not given. */
  admission?: Admission;
  /** What follows from a sign-up; part of its transaction. */
  welcome?: (accountId: string) => Promise<void>;
  /** Writes to the owner about a change of the ways in. */
  tellOwner?: TellOwner;
  /** Wrong passwords are noted in the background. */
  jobs?: Pick<Jobs, "add" | "handle">;
  /** Ends what apps of other people were let in with. */
  endApps?: (accountId: string) => Promise<void>;
  /** Tests set their own; the product's stand in limits.ts. */
  limitNumbers?: LimitNumbers;
};

export type { SignInMethods };

/** What the features above identity use of it. */
export type Identity = ReturnType<typeof createIdentity>;

/** Sign-up, sign-in, sign-out, proving it once more, and who sends a request. */
export function createIdentity<Received>(deps: Deps<Received>) {
  const { db, log, config, images, twoFactor, newId = freshId, welcome = async () => {} } = deps;
  const { admission = { check: async () => {}, use: async () => {} } } = deps;
  const secret = deps.secrets.authSecret;
  const secure = config.publicUrl.startsWith("https:");
  const sessions = createSessions({ db, secret, secure, log });
  const devices = createDevices({ db, secret, secure });
  const limits = createAttemptLimits({
    db,
    secret,
    enabled: config.rateLimits,
    ...(deps.limitNumbers ? { numbers: deps.limitNumbers } : {}),
  });

  const pending = createPendingSignIns({ db, secure });
  const countAttempt = createAttempts({ limits, devices });
  const activity = createActivity({ db, newId, jobs: deps.jobs });
  const tellOwner: TellOwner = async (accountId, notice) => {
    await activity.note(accountId, notice.what, "label" in notice ? { detail: notice.label } : {});
    await deps.tellOwner?.(accountId, notice);
  };
  const recovery = createRecovery({ db, secret, secure });
  const links = createLinks({ db });
  const endSessions = createRevocation({ db, devices, links, sessions, endApps: deps.endApps });
  const suspension = createSuspension({ db, secret, secure, endSessions, jobs: deps.jobs });
  const entering = createSignInCompletion({
    sessions,
    devices,
    pending,
    twoFactor,
    countAttempt,
    recovery,
    suspension,
    activity,
  });
  const { complete: completeSignIn } = entering;
  const confirmation = createConfirm({ db, limits, activity });
  const { confirm, confirmUnlessRecent } = confirmation;
  const signInMethods = createSignInMethods({ db, providers: config.providers ?? [] });

  return {
    signUp: {
      ...createSignUp({
        db,
        log,
        newId,
        images,
        sessions,
        limits,
        devices,
        admission,
        welcome,
        activity,
      }),
      welcome,
      admission,
    },
    signIn: {
      withPassword: createSignIn({ db, countAttempt, completeSignIn, activity }),
      ...entering,
    },
    sessions: {
      viewerOf: sessions.viewerOf,
      bearerOf: sessions.bearerOf,
      claimsSession: sessions.claimsSession,
      reading: sessions.reading,
      noteWrite: sessions.noteWrite,
      renewedCookies: sessions.renewedCookies,
      list: sessions.list,
      endOne: sessions.endOne,
      endAll: endSessions,
      /** Ends the session for good, here and wherever its token was copied to. */
      async signOut(headers: RequestHeaders): Promise<{ cookies: string[] }> {
        await sessions.end(headers);
        return { cookies: [sessions.clearingCookie, recovery.forgetOffer, suspension.forgetOffer] };
      },
    },
    tokens: createTokenSync({ sessions, secret, publicUrl: config.publicUrl }),
    confirmation,
    password: createPassword({ db, newId, confirm, endSessions, tellOwner }),
    /** Joins the transaction of the caller. */
    markEmailVerified: (accountId: string) => markEmailVerified(db, accountId),
    signInMethods,
    passkeys: createPasskeys({
      db,
      newId,
      limits,
      confirm: confirmUnlessRecent,
      completeSignIn,
      removeSignInMethod: signInMethods.remove,
      tellOwner,
      config,
    }),
    twoFactor: createSecondFactor({
      db,
      twoFactor,
      devices,
      confirm: confirmUnlessRecent,
      tellOwner,
    }),
    links,
    activity: { list: activity.list, note: activity.note },
    tellOwner,
    devices: { forget: devices.forget },
    /** of an account that is to be deleted, and may be kept */
    recovery: {
      leavingOf: recovery.leavingOf,
      /** the Set-Cookie value after an account was kept */
      forgetOffer: recovery.forgetOffer,
    },
    suspension,
    /**
     * Deletes ended sessions, codes, counts and old activity, ends suspensions that are over, and, once it
     * runs no more, what only the version before could read; worth doing once an hour.
     */
    sweep: async () => {
      await suspension.endDue();
      await sweepExpired(db);
      await activity.sweep();
      if (await formerVersionMayRun(db)) return;
      await sessions.forgetReadableTokens();
      await twoFactor.sealAnew();
    },
  };
}
