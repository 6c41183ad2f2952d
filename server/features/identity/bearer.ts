/**
 * What stands in `Authorization: Bearer …` (RFC 6750, section 2.1), whatever it is worth; null for
 * no header and for other schemes. A request that has one is judged by it alone, not by its cookie.
 */
export function bearerIn(authorization: string | undefined): string | null {
  return /^bearer +(\S.*)$/i.exec(authorization ?? "")?.[1]?.trimEnd() ?? null;
}
