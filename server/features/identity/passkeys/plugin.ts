import { passkey } from "@better-auth/passkey";
import { APIError } from "better-auth/api";
import type { Config } from "#server/config.ts";

/** The name under which better-auth keeps the cookie of a challenge; `createAuth` gives it ours. */
export const challengeCookie = "passkey-challenge";

/**
 * better-auth's passkeys on our table. It would take an authenticator that did not ask for finger,
 * face or PIN; we do not: then a passkey is two factors, and a found key opens nothing.
 */
export function passkeyPlugin({ publicUrl, origins }: Pick<Config, "publicUrl" | "origins">) {
  return passkey({
    rpName: "Postcard",
    rpID: new URL(publicUrl).hostname,
    origin: origins,
    advanced: { webAuthnChallengeCookie: challengeCookie },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: {
      afterVerification: async ({ verification }) => {
        requireUserVerified(verification.registrationInfo?.userVerified);
      },
    },
    authentication: {
      afterVerification: async ({ verification }) => {
        requireUserVerified(verification.authenticationInfo.userVerified);
      },
    },
    schema: {
      passkey: {
        modelName: "passkeys",
        fields: {
          userId: "account_id",
          credentialID: "credential_id",
          publicKey: "public_key",
          deviceType: "device_type",
          backedUp: "backed_up",
          createdAt: "created_at",
        },
      },
    },
  });
}

function requireUserVerified(verified: boolean | undefined): void {
  if (!verified) throw new APIError("UNAUTHORIZED", { code: "USER_NOT_VERIFIED" });
}
