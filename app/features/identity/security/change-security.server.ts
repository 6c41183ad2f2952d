import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import * as words from "#messages/security.json";
import { totpSetup, type TotpSetup } from "#app/features/identity/security/totp-setup.server.ts";
import type { PageContext } from "#app/lib/context.server.ts";

/** What a form of the security screen changes. */
export type SecurityChange =
  | "password"
  | "two-factor-begin"
  | "two-factor-on"
  | "two-factor-codes"
  | "two-factor-off"
  | "passkey-remove"
  | "end-session"
  | "end-sessions";

export type SecurityAnswer = {
  /** the message to the member; empty where the page itself says it */
  message: string;
  /** the setup for the authenticator app */
  setup?: TotpSetup;
  /** shown this once */
  recoveryCodes?: string[];
};

type Work = (
  features: PageContext["features"],
  viewer: Viewer,
  fields: Record<string, string>,
) => Promise<SecurityAnswer>;

const changes: Record<SecurityChange, Work> = {
  password: async ({ identity }, viewer, { currentPassword = "", password = "", endApps }) => {
    await identity.password.change(viewer, {
      currentPassword,
      password,
      endApps: endApps !== undefined,
    });
    return { message: words.youChangedPassword };
  },
  "two-factor-begin": async ({ identity }, viewer, { password = "" }) => {
    const { uri } = await identity.twoFactor.begin(viewer, { password });
    return { message: "", setup: totpSetup(uri) };
  },
  "two-factor-on": async ({ identity }, viewer, { code = "" }) => {
    const recoveryCodes = await identity.twoFactor.turnOn(viewer, code);
    return { message: words.twoFactorIsOn, recoveryCodes };
  },
  "two-factor-codes": async ({ identity }, viewer, { password = "" }) => {
    const recoveryCodes = await identity.twoFactor.renewCodes(viewer, { password });
    return { message: words.oldCodesVoid, recoveryCodes };
  },
  "two-factor-off": async ({ identity }, viewer, { password = "" }) => {
    await identity.twoFactor.turnOff(viewer, { password });
    return { message: words.twoFactorIsOff };
  },
  "passkey-remove": async ({ identity }, viewer, { passkey = "" }) => {
    await identity.passkeys.remove(viewer, passkey);
    return { message: words.passkeyGone };
  },
  "end-session": async ({ identity }, viewer, { session = "" }) => {
    await identity.sessions.endOne(viewer, session);
    return { message: words.deviceSignedOut };
  },
  "end-sessions": async ({ identity }, viewer) => {
    await identity.sessions.endAll(viewer.id, { except: viewer.sessionId });
    return { message: words.signedOutElsewhere };
  },
};

/** Makes the change that the field `change` names. */
export async function changeSecurity(
  features: PageContext["features"],
  viewer: Viewer,
  fields: Record<string, string>,
): Promise<SecurityAnswer> {
  const { change = "" } = fields;
  if (!isChange(change)) throw refuse("input-invalid");
  return changes[change](features, viewer, fields);
}

function isChange(text: string): text is SecurityChange {
  return Object.hasOwn(changes, text);
}
