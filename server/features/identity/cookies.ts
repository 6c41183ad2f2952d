import { parseCookie } from "cookie";

/** The value of the first cookie called `name` that can be decoded; null where there is none. */
export function readCookie(header: string | undefined, name: string): string | null {
  return parseCookie(header ?? "", { decode: decoded })[name] ?? null;
}

/** Undefined for what is not percent-encoded as it should be. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

type Cookie = { name: string; value: string; maxAge: number; secure: boolean };

/** A complete Set-Cookie value; `maxAge` in seconds, 0 deletes. Never readable by scripts. */
export function writeCookie({ name, value, maxAge, secure }: Cookie): string {
  const attributes = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax`;
  return `${name}=${encodeURIComponent(value)}; ${attributes}${secure ? "; Secure" : ""}`;
}
