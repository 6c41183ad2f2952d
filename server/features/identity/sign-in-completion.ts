import type { ClientInfo } from "#server/features/types.ts";
import type { Activity } from "#server/features/identity/activity.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import type { createPendingSignIns } from "#server/features/identity/pending-sign-ins.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";
import type { createAttemptCounter } from "#server/features/identity/attempt-counter.ts";
import type { createRecovery } from "#server/features/identity/recovery.ts";
import type { createSuspension } from "#server/features/identity/suspension.ts";
import {
  wrongCode,
  type createTwoFactor,
} from "#server/features/identity/two-factor/two-factor.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** How somebody proved to be an account's owner. */
export type EntryMethod =
  | "password"
  | "link"
  | "provider"
  | "passkey"
  /** kept an account that was to be deleted: the offer comes after every step of a sign-in */
  | "kept";

type SignedIn = { viewer: Viewer; cookies: string[] };

/**
 * Signed in, or owner of an account that is to be deleted and may be kept (recovery.ts), or of one
 * that is suspended and may read why (suspension.ts). The cookies are for the browser in any case.
 */
type Begun =
  | SignedIn
  | { viewer: null; leaving: true; cookies: string[] }
  | { viewer: null; suspended: true; cookies: string[] };

/** The same, or the second factor is still to be asked for. */
export type CompletedSignIn = Begun | { viewer: null; secondFactor: true; cookies: string[] };

type Deps = {
  sessions: ReturnType<typeof createSessions>;
  devices: ReturnType<typeof createDevices>;
  pending: ReturnType<typeof createPendingSignIns>;
  twoFactor: Pick<ReturnType<typeof createTwoFactor>, "isOn" | "accepts">;
  countAttempt: ReturnType<typeof createAttemptCounter>;
  recovery: ReturnType<typeof createRecovery>;
  suspension: Pick<ReturnType<typeof createSuspension>, "endIfOver" | "offer">;
  activity: Pick<Activity, "note">;
};

export function createSignInCompletion(deps: Deps) {
  const { sessions, devices, pending, twoFactor, countAttempt, recovery, suspension, activity } =
    deps;

  /**
   * The only way to a session: for an account that was proved by `method`. An earlier session of
   * this browser is signed out, and the account knows the browser from now on. Refuses with
   * wrong-credentials when the account may not be seen.
   */
  async function complete(
    accountId: string,
    client: ClientInfo,
    method: EntryMethod,
  ): Promise<CompletedSignIn> {
    // A passkey was unlocked by finger, face or PIN: it is two factors by itself.
    const whole = method === "passkey" || method === "kept";
    const owed = whole ? null : await oweCode(accountId);
    return owed ?? begin(accountId, client, method);
  }

  /** The answer instead of a session until the account's second factor was given. */
  async function oweCode(accountId: string): Promise<CompletedSignIn | null> {
    if (!(await twoFactor.isOn(accountId))) return null;
    return { viewer: null, secondFactor: true, cookies: [await pending.begin(accountId)] };
  }

  async function begin(
    accountId: string,
    client: ClientInfo,
    method: EntryMethod | "code",
  ): Promise<Begun> {
    const started =
      (await sessions.start(accountId, client)) ??
      ((await suspension.endIfOver(accountId)) ? await sessions.start(accountId, client) : null);
    if (!started) return answerHidden(accountId, client);
    await activity.note(accountId, "signed-in", { detail: method, client });
    await sessions.end({ cookie: client.cookieHeader });
    const device = await devices.remember(client.cookieHeader, started.viewer.email.toLowerCase());
    return { viewer: started.viewer, cookies: [started.cookie, device] };
  }

  /**
   * The proven owner of an account that is to be deleted may keep it, and that of a suspended one
   * may read why; neither gets a session.
   */
  async function answerHidden(accountId: string, client: ClientInfo): Promise<Begun> {
    const toKeep = await recovery.offer(accountId);
    const suspended = toKeep ? null : await suspension.offer(accountId);
    const offered = toKeep ?? suspended;
    if (!offered) throw refuse("wrong-credentials");
    await sessions.end({ cookie: client.cookieHeader });
    const cookies = [...offered.cookies, sessions.clearingCookie];
    return toKeep
      ? { viewer: null, leaving: true, cookies }
      : { viewer: null, suspended: true, cookies };
  }

  /** Whether this browser has a sign-in that waits for its code. */
  async function owesCode(client: ClientInfo): Promise<boolean> {
    return (await pending.find(client.cookieHeader)) !== null;
  }

  /**
   * Ends a sign-in with a code of the authenticator app or a recovery code. Refuses with
   * input-invalid, wrong-code, too-many-attempts, and sign-in-expired when there is nothing to end.
   */
  async function enterCode({ code, client }: { code: string; client: ClientInfo }) {
    const found = await pending.find(client.cookieHeader);
    if (!found) throw refuse("sign-in-expired");
    if (code.trim() === "") throw refuse("input-invalid", { fields: { code: "required*" } });
    const counted = await countAttempt(found.email, client, {
      known: "device-code-failures",
      stranger: "code-failures",
    });
    if (!(await twoFactor.accepts(found.accountId, code))) {
      await activity.note(found.accountId, "code-refused", { client });
      throw wrongCode();
    }
    if (!(await pending.take(client.cookieHeader))) throw refuse("sign-in-expired");
    await counted.refund();
    const begun = await begin(found.accountId, client, "code");
    return { ...begun, cookies: [...begun.cookies, pending.clearingCookie] };
  }

  return { complete, owesCode, enterCode };
}
