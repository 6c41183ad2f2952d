import { getAuthenticatorName } from "@better-auth/passkey";
import type { Database } from "#server/db/database.ts";
import { isId } from "#server/db/ids.ts";
import {
  authErrorCode,
  authHeaders,
  type AuthCalls,
} from "#server/features/identity/better-auth.ts";
import type { createConfirm } from "#server/features/identity/confirm.ts";
import type {
  createSignInCompletion,
  CompletedSignIn,
} from "#server/features/identity/sign-in-completion.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import { networkOf } from "#server/networks.ts";
import type { TellOwner } from "#server/features/identity/notices.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";
import { deviceOf } from "#server/features/identity/user-agent.ts";
import type { createSignInMethods } from "#server/features/identity/sign-in-methods.ts";
import {
  countPasskeys,
  deletePasskey,
  listPasskeys,
  noteUse,
  renamePasskey,
} from "#server/features/identity/passkeys/passkeys.queries.ts";
import { passkeysWorkAt } from "#server/features/identity/passkeys/work-at.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits as numbers } from "#shared/limits.ts";
import { newPasskeyInput, passkeySignInInput } from "#shared/passkeys.inputs.ts";
import type { PasskeyView, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  auth: AuthCalls;
  limits: ReturnType<typeof createAttemptLimits>;
  sessions: ReturnType<typeof createSessions>;
  confirm: ReturnType<typeof createConfirm>["confirm"];
  completeSignIn: ReturnType<typeof createSignInCompletion>["complete"];
  removeSignInMethod: ReturnType<typeof createSignInMethods>["remove"];
  tellOwner: TellOwner;
  publicUrl: string;
};

/** Signing in without a password: WebAuthn, by better-auth's plugin and @simplewebauthn/server. */
export function createPasskeys(deps: Deps) {
  const { db, auth, limits, sessions, confirm, completeSignIn, removeSignInMethod, tellOwner } =
    deps;

  async function list(viewer: Viewer): Promise<PasskeyView[]> {
    const rows = await listPasskeys(db, viewer.id);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      synced: row.backed_up,
      addedAt: row.created_at.getTime(),
      usedAt: row.used_at?.getTime() ?? null,
    }));
  }

  /**
   * What the browser needs to make a passkey, once, within five minutes; the cookies bind it to
   * this browser. Refuses as `confirm` does, and with too-many-passkeys.
   */
  async function begin(viewer: Viewer, proof: { password: string }, client: ClientInfo) {
    await confirm(viewer, proof);
    if ((await countPasskeys(db, viewer.id)) >= numbers.passkeys) throw refuse("too-many-passkeys");
    const { response, headers } = await auth.generatePasskeyRegistrationOptions({
      headers: headersOf(client),
      query: { name: viewer.email },
      returnHeaders: true,
    });
    return { options: response, cookies: headers.getSetCookie() };
  }

  /**
   * Keeps the passkey that the browser made. Without a name it is called by what keeps it
   * ("iCloud Keychain"), else by the device. Refuses with passkey-failed, input-invalid.
   */
  async function add(
    viewer: Viewer,
    form: { response: string; name: string },
    client: ClientInfo,
  ): Promise<void> {
    const { response, name } = parseInput(newPasskeyInput, form);
    const made = await auth
      .verifyPasskeyRegistration({
        headers: headersOf(client),
        body: { response, name: name || deviceOf(client.userAgent).name },
      })
      .catch(refused);
    // Whose it is was bound to the session when the challenge was made.
    if (made.userId !== viewer.id) throw refuse("passkey-failed");
    const keeper = name === "" ? getAuthenticatorName(made.aaguid) : undefined;
    await db.transaction(async () => {
      if (keeper) await renamePasskey(db, made.id, keeper);
      await tellOwner(viewer.id, { what: "passkey-added" });
    });
  }

  /** Fine where it is gone already. Refuses with last-way-in when nothing else leads to the account. */
  async function remove(viewer: Viewer, id: string): Promise<void> {
    if (!isId(id)) return;
    await removeSignInMethod(viewer.id, async () => {
      const removed = await deletePasskey(db, viewer.id, id);
      if (removed) await tellOwner(viewer.id, { what: "passkey-removed" });
    });
  }

  /**
   * What the browser needs to sign somebody in with a passkey of theirs, whoever that is: it names no
   * account. Once, within five minutes. Refuses with too-many-attempts.
   */
  async function signInOptions(client: ClientInfo) {
    await limits.count("passkey-challenges", networkOf(client.ip));
    const { response, headers } = await auth.generatePasskeyAuthenticationOptions({
      headers: authHeaders(client),
      returnHeaders: true,
    });
    const options = { ...response, userVerification: "required" as const };
    return { options, cookies: headers.getSetCookie() };
  }

  /** Refuses with passkey-unknown, passkey-failed, wrong-credentials, too-many-attempts, input-invalid. */
  async function signIn(form: { response: string }, client: ClientInfo): Promise<CompletedSignIn> {
    const { response } = parseInput(passkeySignInInput, form);
    const counted = await limits.count("network-failures", networkOf(client.ip));
    const { response: found } = await auth
      .verifyPasskeyAuthentication({
        headers: headersOf(client),
        body: { response },
        returnHeaders: true,
      })
      .catch(refused);
    await counted.refund();
    // better-auth's session has left for nowhere; ours begins like every other.
    await sessions.endToken(found.session.token);
    const entered = await completeSignIn(found.user.id, client, "passkey");
    await noteUse(db, response.id);
    return entered;
  }

  const workAt = (asked: string) => passkeysWorkAt(deps.publicUrl, asked);

  return { list, begin, add, remove, signInOptions, signIn, workAt };
}

function headersOf(client: ClientInfo): Headers {
  const headers = authHeaders(client);
  headers.set("cookie", client.cookieHeader);
  return headers;
}

/** The codes of better-auth say more than a person can use. */
function refused(error: unknown): never {
  const code = authErrorCode(error);
  if (code === null) throw error;
  throw refuse(code === "PASSKEY_NOT_FOUND" ? "passkey-unknown" : "passkey-failed", {
    cause: error,
  });
}
