import { z } from "zod";
import { internalCalls } from "#server/api/declared-calls.ts";
import { clientOf } from "#server/http/request-client.ts";

const { forAnybody, forMembers } = internalCalls;
const typed = z.string().default("");

/** Ways to sign in besides a password, and to recover from a forgotten one. */
export const signInCalls = {
  /** The answer is the same for every email address. */
  forgotPassword: forAnybody("POST /calls/forgot-password", {
    body: z.object({ email: typed }),
    handler: ({ verification }, request) =>
      verification.requestReset({ ...request.body, client: clientOf(request) }),
  }),
  /** Whether a username can be had; without one, a suggestion for a name. */
  checkUsername: forAnybody("POST /calls/username-check", {
    body: z.object({ username: typed, name: z.string().max(4000).default("") }),
    handler: ({ identity }, request) => identity.signUp.checkUsername(request.body, request),
  }),
  /** How far a sign-in at a provider is, for the browser that began it. */
  providerAttempt: forAnybody("GET /calls/provider-attempt", {
    querystring: z.object({ id: typed }),
    handler: ({ providers }, { query, headers }) =>
      providers.stateOf(query.id, headers.cookie ?? ""),
  }),

  // Each ceremony is two calls: what the browser asks its passkeys with, and what they answered.
  beginPasskey: forMembers("POST /calls/passkeys", {
    body: z.object({ password: typed }),
    handler: async ({ identity }, { viewer, body }, reply) => {
      const { options, cookies } = await identity.passkeys.begin(viewer, body);
      reply.header("Set-Cookie", cookies);
      return { options };
    },
  }),
  addPasskey: forMembers("POST /calls/passkeys/add", {
    body: z.object({ response: typed, name: typed }),
    handler: ({ identity }, request) =>
      identity.passkeys.add(request.viewer, request.body, clientOf(request)),
  }),
  beginPasskeySignIn: forAnybody("POST /calls/passkey-sign-in", {
    body: z.object({}),
    handler: async ({ identity }, request, reply) => {
      const { options, cookies } = await identity.passkeys.signInOptions(clientOf(request));
      reply.header("Set-Cookie", cookies);
      return { options };
    },
  }),
  /** A session, or where to go without one. */
  signInByPasskey: forAnybody("POST /calls/passkey-sign-in/answer", {
    body: z.object({ response: typed }),
    handler: async ({ identity }, request, reply) => {
      const entered = await identity.passkeys.signIn(request.body, clientOf(request));
      reply.header("Set-Cookie", entered.cookies);
      if (entered.viewer) return { to: null };
      return { to: "suspended" in entered ? "/suspended" : "/keepAccount" };
    },
  }),
};
