import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import * as words from "#messages/security.json";
import { callError, sendJson } from "#app/lib/api-client.ts";
import { fill } from "#app/lib/text/messages.tsx";

/** Loaded when somebody wants to use a passkey: no page includes it. */

/** Creates a passkey on this device and stores it. False when the person closed the browser's dialog. */
export async function makePasskey(
  publicUrl: string,
  { password, name }: { password: string; name: string },
): Promise<boolean> {
  requireSupport(publicUrl);
  const { options } = await sendJson<{ options: PublicKeyCredentialCreationOptionsJSON }>(
    "POST",
    "/calls/passkeys",
    { password },
  );
  const made = await unlessClosed(startRegistration({ optionsJSON: options }));
  if (!made) return false;
  await sendJson("POST", "/calls/passkeys/add", { name, response: JSON.stringify(made) });
  return true;
}

/**
 * Signs in with a passkey of this device. Null when the person closed the browser's dialog; `to`: the page
 * of an account that gets no session.
 */
export async function signInWithPasskey(publicUrl: string): Promise<{ to: string | null } | null> {
  requireSupport(publicUrl);
  const { options } = await sendJson<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    "POST",
    "/calls/passkey-sign-in",
    {},
  );
  const response = await unlessClosed(startAuthentication({ optionsJSON: options }));
  if (!response) return null;
  return sendJson("POST", "/calls/passkey-sign-in/answer", {
    response: JSON.stringify(response),
  });
}

/** A passkey belongs to a host name, and browsers offer them on https and on localhost only. */
function requireSupport(publicUrl: string): void {
  const { hostname } = new URL(publicUrl);
  if (window.location.hostname !== hostname) {
    throw callError("passkey-elsewhere", fill(words.passkeyElsewhere, { address: publicUrl }), 0);
  }
  if (!browserSupportsWebAuthn()) {
    throw callError("passkey-unsupported", words.passkeyUnsupported, 0);
  }
}

/** The device's answer; null when the dialog was closed, which is an answer too. */
async function unlessClosed<Answer>(ceremony: Promise<Answer>): Promise<Answer | null> {
  try {
    return await ceremony;
  } catch (error) {
    const { name } = error as Error;
    if (name === "NotAllowedError" || name === "AbortError") return null;
    const message = name === "InvalidStateError" ? words.passkeyHereAlready : words.passkeyFailed;
    throw callError("passkey-failed", message, 0);
  }
}
