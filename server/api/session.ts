import { z } from "zod";
import { newUserInput } from "#shared/documents.inputs.ts";
import { callsOf, type CallReply } from "#server/api/declared-calls.ts";
import { identitySchema, identityOf } from "#server/api/identity-view.ts";
import type { Features } from "#server/features/index.ts";
import { sessionLifetime } from "#server/features/identity/index.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { clientOf } from "#server/http/request-client.ts";
import { isRefusal, refuse, type RefusalCode } from "#shared/errors.ts";
import { signInInput } from "#shared/identity.ts";
import type { Viewer } from "#shared/views.ts";

const { forAnybody, forMembers } = callsOf("Identity");

const answerHeaders = { "Set-Cookie": "the session's cookie, or what makes a browser forget it" };

const idToken = z
  .string()
  .describe("good for `POST /api/token-sync` within five minutes, and for nothing else");

const signedIn = z
  .object({
    user: identitySchema,
    token: z.string().describe("send it as `Authorization: Bearer …`; ends with the session"),
    expiresIn: z
      .number()
      .int()
      .describe("seconds the session lives from now on; every day of use begins them again"),
    idToken,
  })
  .meta({ id: "SignedIn" });

const profile = z.object({
  displayName: z.string().max(4000).nullish().describe("split at its first space; null: unchanged"),
  photoURL: z
    .string()
    .max(2000)
    .nullish()
    .describe("the address of a picture you sent; null: unchanged"),
});

/** The caller's session: signing up, in and out, and their name and avatar. */
export const sessionCalls = {
  signUp: forAnybody("POST /api/users", {
    refuses: [
      "email-in-use",
      "username-taken",
      "picture-required",
      "sign-up-closed",
      "invitation-required",
    ],
    summary: "Sign up",
    description:
      "Creates an account with the picture that `image` names, and signs in. Counters and lists " +
      "are ignored.",
    body: newUserInput,
    response: { 201: signedIn.extend({ _id: z.uuid() }) },
    answerHeaders,
    handler: async (features, request, reply) => {
      const entered = await signUp(features, clientOf(request), request.body);
      return { _id: entered.viewer.id, ...(await answerEntered(features, reply, entered)) };
    },
  }),
  get: forAnybody("GET /api/session", {
    summary: "Get the current session",
    description: "`user` is null for a visitor. `idToken` comes to callers with a bearer token.",
    response: {
      200: z.object({ user: identitySchema.nullable(), idToken: idToken.nullable() }),
    },
    handler: async (features, { viewer, headers }) => ({
      user: viewer && identityOf(features, viewer),
      idToken: viewer && (await features.identity.tokens.freshIdentityToken(viewer, headers)),
    }),
  }),
  signIn: forAnybody("POST /api/session", {
    refuses: [
      "wrong-credentials",
      "second-factor-required",
      "account-leaving",
      "account-suspended",
    ],
    summary: "Sign in",
    description: "Sets a cookie for a browser, and returns a token for any other program.",
    body: signInInput,
    response: { 200: signedIn },
    answerHeaders,
    handler: async (features, request, reply) => {
      const typed = { ...request.body, client: clientOf(request) };
      return answerEntered(features, reply, await features.identity.signIn.withPassword(typed));
    },
  }),
  enterCode: forAnybody("POST /api/session/code", {
    refuses: ["wrong-code", "sign-in-expired", "account-leaving", "account-suspended"],
    summary: "Finish a sign-in with a second factor",
    description:
      "After `second-factor-required`: a code of the authenticator app, or a recovery code, with " +
      "the cookie that came with that refusal.",
    body: z.object({ code: z.string("required*").max(200) }),
    response: { 200: signedIn },
    answerHeaders,
    handler: async (features, request, reply) => {
      const typed = { ...request.body, client: clientOf(request) };
      return answerEntered(features, reply, await features.identity.signIn.enterCode(typed));
    },
  }),
  signOut: forAnybody("DELETE /api/session", {
    summary: "Sign out",
    description: "Ends the session everywhere its token is used.",
    response: { 204: z.undefined().describe("no one is signed in anymore") },
    answerHeaders,
    handler: async ({ identity }, { headers }, reply) => {
      const { cookies } = await identity.sessions.signOut(headers);
      reply.header("Set-Cookie", cookies);
    },
  }),
  change: forMembers("PATCH /api/identity", {
    refuses: ["picture-unknown", "storage-full", "newcomers-full"],
    summary: "Change your name and picture",
    body: profile,
    response: { 200: z.object({ user: identitySchema }) },
    handler: async (features, { viewer, body, headers }) => {
      const { displayName, photoURL } = body;
      const imageId = photoURL
        ? await features.visitorUploads.resolveAddress(viewer, photoURL)
        : undefined;
      await features.profiles.update(viewer, { displayName: displayName ?? undefined, imageId });
      const now = await features.identity.sessions.viewerOf(headers);
      return { user: identityOf(features, now ?? viewer) };
    },
  }),
  join: forAnybody("POST /api/token-sync", {
    refuses: ["token-invalid"],
    summary: "Join this browser to a session",
    description:
      "With `Authorization: Bearer <idToken>`, five minutes old at most: the cookie's session " +
      "becomes the token's, and the one it held before ends.",
    response: { 200: z.object({ user: identitySchema }) },
    answerHeaders,
    handler: async (features, { headers }, reply) => {
      const { viewer, cookies } = await features.identity.tokens.syncToken(headers);
      reply.header("Set-Cookie", cookies);
      return { user: identityOf(features, viewer) };
    },
  }),
  leave: forAnybody("DELETE /api/token-sync", {
    summary: "Sign this browser out of its session",
    description: "Ends the session of the cookie; a bearer token is not needed.",
    response: { 204: z.undefined().describe("the cookie is gone") },
    answerHeaders,
    handler: async ({ identity }, { headers }, reply) => {
      const { cookies } = await identity.sessions.signOut({ cookie: headers.cookie });
      reply.header("Set-Cookie", cookies);
    },
  }),
};

async function signUp(
  { identity }: Features,
  client: ClientInfo,
  { email, password, image, fName, sName, username, invitation }: z.output<typeof newUserInput>,
) {
  return identity.signUp
    .withPassword({
      email,
      password,
      firstName: fName ?? "",
      secondName: sName ?? "",
      username: username ?? "",
      picture: image === "" ? null : { address: image },
      invitation: invitation ?? null,
      client,
    })
    .catch(inDocumentedNames);
}

type Entered = { viewer: Viewer | null; cookies: string[] };

/** The session as its program reads it, or why there is none. Its browser gets the cookies in any case. */
async function answerEntered(
  features: Features,
  reply: CallReply,
  { viewer, cookies, ...instead }: Entered,
) {
  reply.header("Set-Cookie", cookies);
  if (!viewer) throw refuse(whyNot(instead));
  return {
    user: identityOf(features, viewer),
    token: features.identity.sessions.bearerOf(viewer),
    expiresIn: sessionLifetime,
    idToken: await features.identity.tokens.identityTokenOf(viewer),
  };
}

const documentedNames: Record<string, string> = {
  firstName: "fName",
  secondName: "sName",
  picture: "image",
};

/** A refusal of the sign-up, with its fields named as in the documented call. */
function inDocumentedNames(error: unknown): never {
  if (!isRefusal(error)) throw error;
  const fields = error.code === "picture-required" ? { picture: error.message } : {};
  const named = Object.entries({ ...fields, ...error.fields }).map(([name, sentence]) => [
    documentedNames[name] ?? name,
    sentence,
  ]);
  if (named.length > 0) error.fields = Object.fromEntries(named);
  throw error;
}

/** Why an account with the right password or code gets no session. */
function whyNot(entered: object): RefusalCode {
  if ("leaving" in entered) return "account-leaving";
  return "suspended" in entered ? "account-suspended" : "second-factor-required";
}
