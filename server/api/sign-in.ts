import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { call, internalCall } from "#server/api/declared-calls.ts";
import type { Features } from "#server/features/index.ts";
import { clientOf } from "#server/http/request-client.ts";
import type { AttemptState } from "#shared/providers.ts";

type Deps = { features: Pick<Features, "identity" | "providers" | "verification"> };

const typed = z.string().default("");

/** Ways to sign in besides a password, and to recover from a forgotten one. */
export function signInCalls({ features: { identity, providers, verification } }: Deps) {
  return {
    /** The answer is the same for every email address. */
    forgotPassword: internalCall(
      "anybody",
      "/calls/forgot-password",
      z.object({ email: typed }),
      async (request) => verification.requestReset({ ...request.body, client: clientOf(request) }),
    ),
    /** Whether a username can be had; without one, a suggestion for a name. */
    checkUsername: internalCall(
      "anybody",
      "/calls/username-check",
      z.object({ username: typed, name: z.string().max(4000).default("") }),
      async (request) => identity.signUp.checkUsername(request.body, request),
    ),
    /** How far a sign-in at a provider is, for the browser that began it. */
    providerAttempt: call(
      "GET",
      "/calls/provider-attempt",
      {
        config: { access: "anybody" },
        schema: {
          hide: true,
          querystring: z.object({ id: typed }),
          response: { 200: z.custom<AttemptState>() },
        },
      },
      async ({ query, headers }) => providers.stateOf(query.id, headers.cookie ?? ""),
    ),
    ...passkeyCalls(identity.passkeys),
  };
}

/** Each ceremony is two calls: what the browser asks its passkeys with, and what they answered. */
function passkeyCalls(passkeys: Features["identity"]["passkeys"]) {
  return {
    beginPasskey: internalCall(
      "member",
      "/calls/passkeys",
      z.object({ password: typed }),
      async (request, reply) => {
        const { options, cookies } = await passkeys.begin(memberOf(request), request.body);
        reply.header("Set-Cookie", cookies);
        return { options };
      },
    ),
    addPasskey: internalCall(
      "member",
      "/calls/passkeys/add",
      z.object({ response: typed, name: typed }),
      async (request) => passkeys.add(memberOf(request), request.body, clientOf(request)),
    ),
    beginPasskeySignIn: internalCall(
      "anybody",
      "/calls/passkey-sign-in",
      z.object({}),
      async (request, reply) => {
        const { options, cookies } = await passkeys.signInOptions(clientOf(request));
        reply.header("Set-Cookie", cookies);
        return { options };
      },
    ),
    /** A session, or where to go without one. */
    signInByPasskey: internalCall(
      "anybody",
      "/calls/passkey-sign-in/answer",
      z.object({ response: typed }),
      async (request, reply) => {
        const entered = await passkeys.signIn(request.body, clientOf(request));
        reply.header("Set-Cookie", entered.cookies);
        if (entered.viewer) return { to: null };
        return { to: "suspended" in entered ? "/suspended" : "/keepAccount" };
      },
    ),
  };
}
