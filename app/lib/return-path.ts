/** The query parameter with the page that a visitor wanted before signing in. */
export const returnParameter = "returnTo";

/** The query parameter of the account that a visitor came for, and follows by signing up. */
export const followParameter = "follow";

const anyOrigin = "http://return.invalid";

/** The path of ours to go to after signing in; "/" for anything that could lead elsewhere. */
export function safeReturnPath(wanted: string | null | undefined): string {
  const path = ownPath(wanted);
  // Returning to the form that was just submitted would look as if nothing had happened.
  return /^\/sign(in|up|out)([/?#]|$)/i.test(path) ? "/" : path;
}

/**
 * A path of ours; "/" for anything that could lead elsewhere: full addresses, `//host`, backslashes (browsers read
 * them as slashes), control characters.
 */
export function ownPath(wanted: string | null | undefined): string {
  if (!wanted || !wanted.startsWith("/") || wanted.startsWith("//")) return "/";
  // oxlint-disable-next-line no-control-regex
  if (/[\\\u0000-\u001f\u007f]/.test(wanted)) return "/";
  if (!URL.canParse(wanted, anyOrigin)) return "/";
  const { origin, pathname, search, hash } = new URL(wanted, anyOrigin);
  // "/.//host" is normalised to "//host", which a browser would take for another site.
  if (origin !== anyOrigin || pathname.startsWith("//")) return "/";
  return pathname + search + hash;
}

/** Where a visitor is sent to sign in and return from. */
export function signInPath(from: { pathname: string; search?: string }): string {
  return withReturn("/signIn", from.pathname + (from.search ?? ""));
}

/** `path`, remembering `returnTo` unless it is home anyway. */
export function withReturn(path: string, returnTo: string): string {
  const safe = safeReturnPath(returnTo);
  return safe === "/" ? path : `${path}?${returnParameter}=${encodeURIComponent(safe)}`;
}
