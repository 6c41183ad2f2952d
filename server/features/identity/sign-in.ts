import { randomUUID } from "node:crypto";
import type { Database } from "#server/db/database.ts";
import { isEmailVisible } from "#server/features/accounts/accounts.queries.ts";
import type { ClientInfo } from "#server/features/types.ts";
import {
  authErrorCode,
  authHeaders,
  type AuthCalls,
} from "#server/features/identity/better-auth.ts";
import type { createEnter, Entered } from "#server/features/identity/enter.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import type { Counted, createAttemptLimits } from "#server/features/identity/limits.ts";
import { networkOf } from "#server/features/identity/networks.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";
import { isEmailLeaving } from "#server/features/identity/way-back.queries.ts";
import { refuse } from "#shared/errors.ts";
import { signInInput, signUpInput } from "#shared/identity.ts";
import { parseInput } from "#shared/inputs.ts";
import { composePassword, passwordLengthProblem, passwordProblems } from "#shared/passwords.ts";

export type SignInRequest = { email: string; password: string; client: ClientInfo };

type Deps = {
  db: Database;
  auth: AuthCalls;
  sessions: ReturnType<typeof createSessions>;
  limits: ReturnType<typeof createAttemptLimits>;
  devices: ReturnType<typeof createDevices>;
  enter: ReturnType<typeof createEnter>;
};

export function createSignIn({ db, auth, sessions, limits, devices, enter }: Deps) {
  /** An email that nobody can have: looking it up and failing takes the time that a real one takes. */
  const nobody = `${randomUUID()}@postcard.invalid`;

  /**
   * Signs in with an email and a password. Refuses with wrong-credentials, in the same words and
   * the same time whether the account or the password is wrong (or the account is suspended), with
   * input-invalid for an empty field, with too-many-attempts. An account that is to be deleted gets
   * the offer to be kept instead of a session.
   */
  async function signIn({ client, ...form }: SignInRequest): Promise<Entered> {
    const { email, password } = parseInput(signInInput, form);
    const address = email.toLowerCase();
    const counted = await countTry(address, client);
    // No account has such a password, so the answer may come at once.
    if (passwordLengthProblem(password) === passwordProblems.long)
      throw refuse("wrong-credentials");
    const known = isEmail(email) && (await maySignIn(address));
    const { headers, response } = await auth
      .signInEmail({
        body: { email: known ? address : nobody, password: composePassword(password) },
        headers: authHeaders(client),
        returnHeaders: true,
      })
      .catch((error: unknown) => {
        const wrong = authErrorCode(error) === "INVALID_EMAIL_OR_PASSWORD";
        throw wrong ? refuse("wrong-credentials") : error;
      });
    const viewer = await sessions.viewerOfToken(response.token);
    if (!viewer) {
      await sessions.endToken(response.token);
      const entered = await enter(response.user.id, client, "password");
      for (const counter of counted) await counter.refund();
      return entered;
    }
    for (const counter of counted) await counter.refund();
    await sessions.end({ cookie: client.cookieHeader });
    const device = devices.remember(client.cookieHeader, address);
    return { viewer, cookies: [...headers.getSetCookie(), device] };
  }

  async function maySignIn(address: string): Promise<boolean> {
    return (await isEmailVisible(db, address)) || isEmailLeaving(db, address);
  }

  /**
   * A device that the account knows is counted by itself: the failures of others neither lock it
   * out nor does it lock out others.
   */
  async function countTry(email: string, client: ClientInfo): Promise<Counted[]> {
    const device = devices.find(client.cookieHeader, email);
    if (device) return [await limits.count("device-failures", device.nonce)];
    const ofNetwork = await limits.count("network-failures", networkOf(client.ip));
    try {
      return [ofNetwork, await limits.count("account-failures", email)];
    } catch (error) {
      // the password was not even looked at: no failure of the network's
      await ofNetwork.refund();
      throw error;
    }
  }

  return signIn;
}

function isEmail(text: string): boolean {
  return signUpInput.shape.email.safeParse(text).success;
}
