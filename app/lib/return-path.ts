/** The query parameter that carries where a visitor was going before signing in. */
export const returnParameter = "returnTo";

const anyOrigin = "http://return.invalid";

/**
 * The path of ours to go to after signing in; "/" for anything that could lead elsewhere:
 * full addresses, `//host`, backslashes (browsers read them as slashes), control characters.
 */
export function safeReturnPath(wanted: string | null | undefined): string {
  if (!wanted || !wanted.startsWith("/") || wanted.startsWith("//")) return "/";
  // oxlint-disable-next-line no-control-regex
  if (/[\\\u0000-\u001f\u007f]/.test(wanted)) return "/";
  if (!URL.canParse(wanted, anyOrigin)) return "/";
  const { origin, pathname, search, hash } = new URL(wanted, anyOrigin);
  // "/.//host" is normalised to "//host", which a browser would take for another site.
  if (origin !== anyOrigin || pathname.startsWith("//")) return "/";
  // Back to the door one just came through would look like nothing happened.
  if (/^\/sign(in|up|out)(\/|$)/i.test(pathname)) return "/";
  return pathname + search + hash;
}

/** Where a visitor is sent to sign in and come back from. */
export function signInPath(from: { pathname: string; search?: string }): string {
  return withReturn("/signIn", from.pathname + (from.search ?? ""));
}

/** `path`, remembering `returnTo` unless it is home anyway. */
export function withReturn(path: string, returnTo: string): string {
  const safe = safeReturnPath(returnTo);
  return safe === "/" ? path : `${path}?${returnParameter}=${encodeURIComponent(safe)}`;
}
