import type { FastifyReply } from "fastify";
import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { identitySchema, identityOf } from "#server/api/identity-view.ts";
import type { Features } from "#server/features/index.ts";
import { sessionLifetime } from "#server/features/identity/index.ts";
import { clientOf } from "#server/http/page-context.ts";
import { isRefusal, refuse, type RefusalCode } from "#shared/errors.ts";
import { newUserInput } from "#shared/documents.inputs.ts";
import { signInInput } from "#shared/identity.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  features: Pick<Features, "identity" | "visitorUploads" | "profiles">;
  picturesUrl: string;
};

const tags = ["Identity"];

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

/** Who calls: signing up, in and out, and the name and picture they go by. */
export function sessionRoutes({ features, picturesUrl }: Deps) {
  const { identity, visitorUploads, profiles } = features;

  async function answerSignedIn(reply: FastifyReply, viewer: Viewer, cookies: readonly string[]) {
    void reply.header("Set-Cookie", [...cookies]);
    return {
      user: identityOf(viewer, picturesUrl),
      token: identity.sessions.bearerOf(viewer),
      expiresIn: sessionLifetime,
      idToken: await identity.tokens.identityTokenOf(viewer),
    };
  }

  return async (app: Calls): Promise<void> => {
    app.post(
      "/api/users",
      {
        config: {
          access: "anybody",
          refusals: ["email-in-use", "picture-required", "sign-up-closed", "invitation-required"],
        },
        schema: {
          tags,
          summary: "Sign up",
          description:
            "Creates an account with the picture that `image` names, and signs in. Counters and lists " +
            "are ignored.",
          body: newUserInput,
          response: { 201: signedIn.extend({ _id: z.uuid() }) },
          answerHeaders,
        },
      },
      async (request, reply) => {
        const { email, password, image, fName, sName, invitation } = request.body;
        const { viewer, cookies } = await identity.signUp
          .withPassword({
            email,
            password,
            firstName: fName ?? "",
            secondName: sName ?? "",
            picture: image === "" ? null : { address: image },
            invitation: invitation ?? null,
            client: clientOf(request),
          })
          .catch(inDocumentedNames);
        void reply.status(201);
        return { _id: viewer.id, ...(await answerSignedIn(reply, viewer, cookies)) };
      },
    );

    app.get(
      "/api/session",
      {
        config: { access: "anybody" },
        schema: {
          tags,
          summary: "Get the current session",
          description:
            "`user` is null for a visitor. `idToken` comes to callers with a bearer token.",
          response: {
            200: z.object({ user: identitySchema.nullable(), idToken: idToken.nullable() }),
          },
        },
      },
      async ({ viewer, headers }) => ({
        user: viewer && identityOf(viewer, picturesUrl),
        idToken: viewer && (await identity.tokens.freshIdentityToken(viewer, headers)),
      }),
    );

    app.post(
      "/api/session",
      {
        config: {
          access: "anybody",
          refusals: [
            "wrong-credentials",
            "second-factor-required",
            "account-leaving",
            "account-suspended",
          ],
        },
        schema: {
          tags,
          summary: "Sign in",
          description: "Sets a cookie for a browser, and returns a token for any other program.",
          body: signInInput,
          response: { 200: signedIn },
          answerHeaders,
        },
      },
      async (request, reply) => {
        const entered = await identity.signIn.withPassword({
          ...request.body,
          client: clientOf(request),
        });
        if (!entered.viewer) {
          void reply.header("Set-Cookie", entered.cookies);
          throw refuse(whyNot(entered));
        }
        return answerSignedIn(reply, entered.viewer, entered.cookies);
      },
    );

    app.post(
      "/api/session/code",
      {
        config: {
          access: "anybody",
          refusals: ["wrong-code", "sign-in-expired", "account-leaving", "account-suspended"],
        },
        schema: {
          tags,
          summary: "Finish a sign-in with a second factor",
          description:
            "After `second-factor-required`: a code of the authenticator app, or a recovery code, with " +
            "the cookie that came with that refusal.",
          body: z.object({ code: z.string("required*").max(200) }),
          response: { 200: signedIn },
          answerHeaders,
        },
      },
      async (request, reply) => {
        const { code } = request.body;
        const entered = await identity.signIn.enterCode({ code, client: clientOf(request) });
        if (!entered.viewer) {
          void reply.header("Set-Cookie", entered.cookies);
          throw refuse(whyNot(entered));
        }
        return answerSignedIn(reply, entered.viewer, entered.cookies);
      },
    );

    app.delete(
      "/api/session",
      {
        config: { access: "anybody" },
        schema: {
          tags,
          summary: "Sign out",
          description: "Ends the session everywhere its token is used.",
          response: { 204: z.undefined().describe("no one is signed in anymore") },
          answerHeaders,
        },
      },
      async ({ headers: { cookie, authorization } }, reply) => {
        const { cookies } = await identity.sessions.signOut({ cookie, authorization });
        void reply.status(204).header("Set-Cookie", cookies);
      },
    );

    app.patch(
      "/api/identity",
      {
        config: {
          access: "member",
          refusals: ["picture-unknown", "storage-full", "newcomers-full"],
        },
        schema: {
          tags,
          summary: "Change your name and picture",
          body: profile,
          response: { 200: z.object({ user: identitySchema }) },
        },
      },
      async (request) => {
        const viewer = memberOf(request);
        const { displayName, photoURL } = request.body;
        await profiles.update(viewer, {
          displayName: displayName ?? undefined,
          imageId: photoURL ? await visitorUploads.resolveAddress(viewer, photoURL) : undefined,
        });
        const { cookie, authorization } = request.headers;
        const now = await identity.sessions.viewerOf({ cookie, authorization });
        return { user: identityOf(now ?? viewer, picturesUrl) };
      },
    );

    app.post(
      "/api/token-sync",
      {
        config: { access: "anybody", refusals: ["token-invalid"] },
        schema: {
          tags,
          summary: "Join this browser to a session",
          description:
            "With `Authorization: Bearer <idToken>`, five minutes old at most: the cookie's session " +
            "becomes the token's, and the one it held before ends.",
          response: { 200: z.object({ user: identitySchema }) },
          answerHeaders,
        },
      },
      async ({ headers: { cookie, authorization } }, reply) => {
        const { viewer, cookies } = await identity.tokens.syncToken({ cookie, authorization });
        void reply.header("Set-Cookie", cookies);
        return { user: identityOf(viewer, picturesUrl) };
      },
    );

    app.delete(
      "/api/token-sync",
      {
        config: { access: "anybody" },
        schema: {
          tags,
          summary: "Sign this browser out of its session",
          description: "Ends the session of the cookie; a bearer token is not needed.",
          response: { 204: z.undefined().describe("the cookie is gone") },
          answerHeaders,
        },
      },
      async ({ headers: { cookie } }, reply) => {
        const { cookies } = await identity.sessions.signOut({ cookie });
        void reply.status(204).header("Set-Cookie", cookies);
      },
    );
  };
}

const documentedNames: Record<string, string> = {
  firstName: "fName",
  secondName: "sName",
  picture: "image",
};

/** A refusal of the sign-up, with its fields called as the documented call calls them. */
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

/** Why somebody who gave the right password or code has no session. */
function whyNot(entered: object): RefusalCode {
  if ("leaving" in entered) return "account-leaving";
  return "suspended" in entered ? "account-suspended" : "second-factor-required";
}
