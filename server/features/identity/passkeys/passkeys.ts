import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticatorTransportFuture,
  type RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Config } from "#server/config.ts";
import { bind } from "#server/platform/bind.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, type NewId } from "#server/platform/db/ids.ts";
import type { createConfirm } from "#server/features/identity/confirm.ts";
import type {
  createSignInCompletion,
  CompletedSignIn,
} from "#server/features/identity/sign-in-completion.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import { networkOf } from "#server/platform/networks.ts";
import type { NotifyOwner } from "#server/features/identity/security-notices.ts";
import { deviceOf } from "#server/features/identity/user-agent.ts";
import type { createSignInMethods } from "#server/features/identity/sign-in-methods.ts";
import { lockSignInMethods } from "#server/features/identity/sign-in-methods.queries.ts";
import { authenticatorName } from "#server/features/identity/passkeys/authenticator-names.ts";
import { createChallenges } from "#server/features/identity/passkeys/challenges.ts";
import * as queries from "#server/features/identity/passkeys/passkeys.queries.ts";
import { supportsPasskeys } from "#server/features/identity/passkeys/supports-passkeys.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits as numbers } from "#shared/limits.ts";
import { newPasskeyInput, passkeySignInInput } from "#shared/passkeys.inputs.ts";
import type { PasskeyView, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  newId: NewId;
  limits: ReturnType<typeof createAttemptLimits>;
  confirm: ReturnType<typeof createConfirm>["confirm"];
  completeSignIn: ReturnType<typeof createSignInCompletion>["complete"];
  removeSignInMethod: ReturnType<typeof createSignInMethods>["remove"];
  notifyOwner: NotifyOwner;
  config: Pick<Config, "publicUrl" | "origins">;
};

/**
 * Signing in without a password: WebAuthn, by @simplewebauthn/server. An answer counts only where
 * the authenticator asked its owner for finger, face or PIN: then a passkey is two factors, and a
 * stolen key opens nothing.
 */
export function createPasskeys(deps: Deps) {
  const { publicUrl } = deps.config;
  const rpID = new URL(publicUrl).hostname;
  const challenges = createChallenges({ db: deps.db, secure: publicUrl.startsWith("https:") });
  const parts = { ...deps, rpID, challenges };
  return {
    ...bind(parts, { begin, add, remove, signInOptions, signIn }),
    list: (viewer: Viewer) => list(deps.db, viewer),
    workAt: (asked: string) => supportsPasskeys(publicUrl, asked),
  };
}

type Parts = Deps & { rpID: string; challenges: ReturnType<typeof createChallenges> };

async function list(db: Database, viewer: Viewer): Promise<PasskeyView[]> {
  const rows = await queries.listPasskeys(db, viewer.id);
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
async function begin(
  { db, confirm, challenges, rpID }: Parts,
  viewer: Viewer,
  proof: { password: string },
) {
  await confirm(viewer, proof);
  await refuseTooMany(db, viewer);
  const known = await queries.credentialsOf(db, viewer.id);
  const options = await generateRegistrationOptions({
    rpName: "Postcard",
    rpID,
    userName: viewer.email,
    userDisplayName: viewer.email,
    attestationType: "none",
    excludeCredentials: known.map(({ id, transports }) => ({
      id,
      transports: transports as AuthenticatorTransportFuture[],
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options, cookies: [await challenges.keep(options.challenge, viewer.id)] };
}

async function refuseTooMany(db: Database, { id }: Viewer): Promise<void> {
  if ((await queries.countPasskeys(db, id)) >= numbers.passkeys) throw refuse("too-many-passkeys");
}

/**
 * Stores the passkey that the browser made. Without a name it is called by its authenticator
 * ("iCloud Keychain"), else by the device. Refuses with passkey-failed, too-many-passkeys,
 * input-invalid.
 */
async function add(
  { db, newId, notifyOwner, ...party }: Parts,
  viewer: Viewer,
  form: { response: string; name: string },
  client: ClientInfo,
): Promise<void> {
  const { response, name } = parseInput(newPasskeyInput, form);
  const expected = await expectedOf(party, client, viewer.id);
  const { registrationInfo } = await verifyRegistrationResponse({
    ...expected,
    // browsers may add ways to reach an authenticator: they are stored as they are sent
    response: response as RegistrationResponseJSON,
  }).catch(failed);
  if (!registrationInfo) throw refuse("passkey-failed");
  const { aaguid, credential } = registrationInfo;
  await db.transaction(async () => {
    // Several ceremonies may have begun before the last passkey was stored.
    await lockSignInMethods(db, viewer.id);
    await refuseTooMany(db, viewer);
    const added = await queries.insertPasskey(db, {
      id: newId(),
      account_id: viewer.id,
      name: name || (authenticatorName(aaguid) ?? deviceOf(client.userAgent).name),
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString("base64"),
      counter: credential.counter,
      device_type: registrationInfo.credentialDeviceType,
      backed_up: registrationInfo.credentialBackedUp,
      transports: (response.response.transports ?? []).join(","),
      aaguid,
    });
    if (!added) throw refuse("passkey-failed");
    await notifyOwner(viewer.id, { what: "passkey-added" });
  });
}

/**
 * Does nothing where it is gone already. Refuses with last-way-in when nothing else leads to the
 * account.
 */
async function remove(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  if (!isId(id)) return;
  await deps.removeSignInMethod(viewer.id, async () => {
    const removed = await queries.deletePasskey(deps.db, viewer.id, id);
    if (removed) await deps.notifyOwner(viewer.id, { what: "passkey-removed" });
  });
}

/**
 * What the browser needs to sign somebody in with any passkey of theirs: it names no account. Once,
 * within five minutes. Refuses with too-many-attempts.
 */
async function signInOptions({ limits, challenges, rpID }: Parts, client: ClientInfo) {
  await limits.count("passkey-challenges", networkOf(client.ip));
  const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
  return { options, cookies: [await challenges.keep(options.challenge, null)] };
}

/** Refuses with passkey-unknown, passkey-failed, wrong-credentials, too-many-attempts, input-invalid. */
async function signIn(
  { db, limits, completeSignIn, ...party }: Parts,
  form: { response: string },
  client: ClientInfo,
): Promise<CompletedSignIn> {
  const { response } = parseInput(passkeySignInInput, form);
  const counted = await limits.count("network-failures", networkOf(client.ip));
  const expected = await expectedOf(party, client, null);
  const found = await queries.findCredential(db, response.id);
  if (!found) throw refuse("passkey-unknown");
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...expected,
    response,
    credential: { id: response.id, publicKey: found.publicKey, counter: found.counter },
  }).catch(failed);
  if (!verified) throw refuse("passkey-failed");
  await counted.refund();
  await queries.noteUse(db, response.id, authenticationInfo.newCounter);
  return completeSignIn(found.accountId, client, "passkey");
}

/**
 * What this browser's answer must contain. Refuses with passkey-failed where it has no challenge.
 */
async function expectedOf(
  { challenges, rpID, config }: Pick<Parts, "challenges" | "rpID" | "config">,
  { cookieHeader }: ClientInfo,
  accountId: string | null,
) {
  const expectedChallenge = await challenges.take(cookieHeader, accountId);
  if (expectedChallenge === null) throw refuse("passkey-failed");
  return {
    expectedChallenge,
    expectedOrigin: config.origins,
    expectedRPID: rpID,
    requireUserVerification: true,
  };
}

/** The reason why an answer is wrong is of no use to a person. */
function failed(cause: unknown): never {
  throw refuse("passkey-failed", { cause });
}
