import { randomUUID } from "node:crypto";
import type { Database } from "#server/db/database.ts";
import { isEmailVisible } from "#server/features/accounts/accounts.queries.ts";
import type { ClientInfo } from "#server/features/types.ts";
import {
  authErrorCode,
  authHeaders,
  type AuthCalls,
} from "#server/features/identity/better-auth.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import type { createEnter, Entered } from "#server/features/identity/enter.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";
import { isEmailLeaving } from "#server/features/identity/way-back.queries.ts";
import type { createTries } from "#server/features/identity/tries.ts";
import { refuse } from "#shared/errors.ts";
import { signInInput, signUpInput } from "#shared/identity.ts";
import { parseInput } from "#shared/inputs.ts";
import { composePassword, passwordLengthProblem, passwordProblems } from "#shared/passwords.ts";

export type SignInRequest = { email: string; password: string; client: ClientInfo };

type Deps = {
  db: Database;
  auth: AuthCalls;
  sessions: ReturnType<typeof createSessions>;
  devices: ReturnType<typeof createDevices>;
  countTry: ReturnType<typeof createTries>;
  oweCode: ReturnType<typeof createEnter>["oweCode"];
  enter: ReturnType<typeof createEnter>["enter"];
};

export function createSignIn({ db, auth, sessions, devices, countTry, oweCode, enter }: Deps) {
  /** An email that nobody can have: looking it up and failing takes the time that a real one takes. */
  const nobody = `${randomUUID()}@postcard.invalid`;

  /**
   * Signs in with an email and a password. Refuses with wrong-credentials, in the same words and
   * the same time whether the account or the password is wrong (or the account is suspended), with
   * input-invalid for an empty field, with too-many-attempts. Whether there is a second factor is
   * looked at after the password was right. An account that is to be deleted gets the offer to be
   * kept instead of a session.
   */
  async function signIn({ client, ...form }: SignInRequest): Promise<Entered> {
    const { email, password } = parseInput(signInInput, form);
    const address = email.toLowerCase();
    const counted = await countTry(address, client, {
      known: "device-failures",
      stranger: "account-failures",
    });
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
      await counted.refund();
      return entered;
    }
    await counted.refund();
    const owed = await oweCode(viewer.id);
    if (owed) {
      // begun by better-auth; its token has left for nowhere
      await sessions.endToken(response.token);
      return owed;
    }
    await sessions.end({ cookie: client.cookieHeader });
    const device = devices.remember(client.cookieHeader, address);
    return { viewer, cookies: [...headers.getSetCookie(), device] };
  }

  async function maySignIn(address: string): Promise<boolean> {
    return (await isEmailVisible(db, address)) || isEmailLeaving(db, address);
  }

  return signIn;
}

function isEmail(text: string): boolean {
  return signUpInput.shape.email.safeParse(text).success;
}
