/** The value of the first cookie called `name`, decoded; null where there is none. */
export function readCookie(header: string, name: string): string | null {
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at === -1 || part.slice(0, at).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(at + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}

type Cookie = { name: string; value: string; maxAge: number; secure: boolean };

/** A complete Set-Cookie value; `maxAge` in seconds, 0 deletes. Never readable by scripts. */
export function writeCookie({ name, value, maxAge, secure }: Cookie): string {
  const attributes = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax`;
  return `${name}=${encodeURIComponent(value)}; ${attributes}${secure ? "; Secure" : ""}`;
}
