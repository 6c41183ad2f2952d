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

/**
 * A cookie of ours, never readable by scripts. `__Host-`: a browser takes it over https only and from no
 * other host of the domain; one for a path of its own can only say the first of these (`__Secure-`).
 */
export function ownCookie(plainName: string, secure: boolean, path = "/") {
  const prefix = path === "/" ? "__Host-" : "__Secure-";
  const name = `${secure ? prefix : ""}postcard.${plainName}`;

  /** A complete Set-Cookie value; `maxAge` in seconds. */
  function write(value: string, maxAge: number): string {
    const attributes = `Max-Age=${maxAge}; Path=${path}; HttpOnly; SameSite=Lax`;
    return `${name}=${encodeURIComponent(value)}; ${attributes}${secure ? "; Secure" : ""}`;
  }

  return {
    name,
    read: (header: string | undefined) => readCookie(header, name),
    write,
    /** The Set-Cookie value that deletes it. */
    clearing: write("", 0),
  };
}
