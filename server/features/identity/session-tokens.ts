import { createHmac, timingSafeEqual } from "node:crypto";
import type { RequestHeaders } from "#server/features/types.ts";
import { decoded, ownCookie } from "#server/features/identity/cookies.ts";

/** seconds a session lasts after it was last extended */
export const sessionLifetime = 30 * 24 * 60 * 60;

export function sessionCookieName(secure: boolean): string {
  return ownCookie("session", secure).name;
}

/** A session token with its signature, the form in which it leaves the server. */
export function signToken(token: string, secret: string): string {
  return `${token}.${createHmac("sha256", secret).update(token).digest("base64")}`;
}

/**
 * The token in `Authorization: Bearer …` (RFC 6750, section 2.1), valid or not; null for no header
 * and for other schemes. A request that has one is judged only by it, not by its cookie.
 */
export function bearerIn(authorization: string | undefined): string | null {
  return /^bearer +(\S.*)$/i.exec(authorization ?? "")?.[1]?.trimEnd() ?? null;
}

/** The token inside a signed one, or null where the signature is not ours. */
function readSignedToken(signed: string, secret: string): string | null {
  const token = signed.slice(0, Math.max(0, signed.lastIndexOf(".")));
  if (token === "") return null;
  const given = Buffer.from(signed);
  const right = Buffer.from(signToken(token, secret));
  return given.length === right.length && timingSafeEqual(given, right) ? token : null;
}

export type SessionTokens = ReturnType<typeof createSessionTokens>;

/** Tokens of sessions as requests and responses carry them. */
export function createSessionTokens({ secret, secure }: { secret: string; secure: boolean }) {
  const cookies = ownCookie("session", secure);
  /** The token of each request's headers: admission reads it first, the page or call again. */
  const carried = new WeakMap<RequestHeaders, string | null>();

  function tokenOf(headers: RequestHeaders): string | null {
    const known = carried.get(headers);
    if (known !== undefined) return known;
    const token = readToken(headers);
    carried.set(headers, token);
    return token;
  }

  /**
   * The token of a cookie or of `Authorization: Bearer`; an unsigned or forged one counts as none.
   */
  function readToken({ cookie, authorization }: RequestHeaders): string | null {
    const bearer = bearerIn(authorization);
    const signed = bearer === null ? cookies.read(cookie) : (decoded(bearer) ?? null);
    return signed === null ? null : readSignedToken(signed, secret);
  }

  const bearerOf = (token: string) => signToken(token, secret);
  const cookieOf = (token: string) => cookies.write(bearerOf(token), sessionLifetime);

  return { tokenOf, cookieOf, bearerOf, clearingCookie: cookies.clearing };
}
