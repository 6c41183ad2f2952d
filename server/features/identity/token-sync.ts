import { createHmac } from "node:crypto";
import { jwtVerify, SignJWT, type JWTPayload } from "jose";
import type { RequestHeaders } from "#server/features/types.ts";
import { bearerIn } from "#server/features/identity/session-tokens.ts";
import { createSeal } from "#server/platform/sealed.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** Tokens older than this are refused, seconds (specification, section 9: token sync). */
const mostAge = 5 * 60;
const algorithm = "HS256";

type Deps = {
  sessions: ReturnType<typeof createSessions>;
  secret: string;
  publicUrl: string;
};

/**
 * Identity tokens: a member's session as a JWT with one use: to put the browser that sends it
 * within five minutes into that session (docs/decisions/0011).
 */
export function createTokenSync({ sessions, secret, publicUrl }: Deps) {
  // a key of its own: no other text that we sign can be taken for one of these
  const key = createHmac("sha256", secret).update("identity-token").digest();
  // The session's token is in no table: the JWT carries it, encrypted for us.
  const seals = createSeal(secret, "identity token");
  const names = { issuer: publicUrl, audience: `${publicUrl}/api/token-sync` };

  async function identityTokenOf(viewer: Viewer): Promise<string> {
    return new SignJWT({
      sid: viewer.sessionId,
      session: seals.seal(sessions.recognisedBy(viewer), viewer.id),
    })
      .setProtectedHeader({ alg: algorithm, typ: "JWT" })
      .setSubject(viewer.id)
      .setIssuer(names.issuer)
      .setAudience(names.audience)
      .setIssuedAt()
      .setExpirationTime(`${mostAge}s`)
      .sign(key);
  }

  /**
   * For holders of a bearer token. A cookie is hidden from scripts: it is not turned into a token
   * that is not.
   */
  const freshIdentityToken = async (viewer: Viewer, { authorization }: RequestHeaders) =>
    bearerIn(authorization) === null ? null : identityTokenOf(viewer);

  /**
   * Makes the cookie's session the token's; the one the cookie held before ends. Refuses with
   * token-invalid a token that is not ours, is older than five minutes, or belongs to a session
   * that ended.
   */
  async function syncToken({
    cookie,
    authorization,
  }: RequestHeaders): Promise<{ viewer: Viewer; cookies: string[] }> {
    const token = bearerIn(authorization) ?? "";
    const claims = await jwtVerify(token, key, {
      ...names,
      algorithms: [algorithm],
      maxTokenAge: mostAge,
    }).catch((cause: unknown) => {
      throw refuse("token-invalid", { cause });
    });
    const resumed = await sessions.resume(sessionIn(claims.payload));
    if (!resumed) throw refuse("token-invalid");
    const before = await sessions.viewerOf({ cookie });
    if (before && before.sessionId !== resumed.viewer.sessionId) await sessions.end({ cookie });
    return { viewer: resumed.viewer, cookies: [resumed.cookie] };
  }

  /**
   * The token of the session that these claims name. The version before migration 0086 put none in.
   */
  function sessionIn({ session, sub = "" }: JWTPayload): string {
    if (typeof session !== "string") throw refuse("token-invalid");
    return seals.open(session, sub);
  }

  return { identityTokenOf, freshIdentityToken, syncToken };
}
