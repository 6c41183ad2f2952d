import { languageCookie } from "#shared/languages.ts";

/** For a year: until another language is chosen in this browser. Only the server reads it. */
export function languageCookieOf(tag: string, secure: boolean): string {
  const attributes = `Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly${secure ? "; Secure" : ""}`;
  return `${languageCookie}=${tag}; ${attributes}`;
}
