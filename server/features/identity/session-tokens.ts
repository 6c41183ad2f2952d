import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { RequestHeaders } from "#server/features/types.ts";
import { bearerIn } from "#server/features/identity/bearer.ts";
import { decoded, readCookie, writeCookie } from "#server/features/identity/cookies.ts";

/** seconds a session lives after it was last prolonged */
export const sessionLifetime = 30 * 24 * 60 * 60;

/** `__Host-`: a browser takes such a cookie over https only and from no other host of the domain. */
export function sessionCookieName(secure: boolean): string {
  return secure ? "__Host-postcard.session" : "postcard.session";
}

/** A session token with its signature, the form in which it leaves the server. */
export function signToken(token: string, secret: string): string {
  return `${token}.${createHmac("sha256", secret).update(token).digest("base64")}`;
}

/** What the database keeps of a token. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
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

/** Tokens of sessions as requests carry them and as answers hand them out. */
export function createSessionTokens({ secret, secure }: { secret: string; secure: boolean }) {
  const name = sessionCookieName(secure);

  /** What the headers of each request carry: who admits it asks first, its page or call again. */
  const carried = new WeakMap<RequestHeaders, string | null>();

  function tokenOf(headers: RequestHeaders): string | null {
    const known = carried.get(headers);
    if (known !== undefined) return known;
    const token = readToken(headers);
    carried.set(headers, token);
    return token;
  }

  /** The token of a cookie or of `Authorization: Bearer`; an unsigned or forged one is none. */
  function readToken({ cookie, authorization }: RequestHeaders): string | null {
    const bearer = bearerIn(authorization);
    const signed = bearer === null ? readCookie(cookie, name) : (decoded(bearer) ?? null);
    return signed === null ? null : readSignedToken(signed, secret);
  }

  function cookieOf(token: string): string {
    const value = signToken(token, secret);
    return writeCookie({ name, value, maxAge: sessionLifetime, secure });
  }

  /** The Set-Cookie value that makes a browser forget its session. */
  const clearingCookie = writeCookie({ name, value: "", maxAge: 0, secure });

  return {
    tokenOf,
    cookieOf,
    bearerOf: (token: string) => signToken(token, secret),
    clearingCookie,
  };
}
