import { parseWebAddress } from "#shared/web-address.ts";

/** The redirect address of apps without one: the code is shown, to be copied (not in RFC 6749). */
export const outOfBand = "urn:ietf:wg:oauth:2.0:oob";

/** Schemes that a browser runs or opens itself instead of handing them to an app. */
const browserSchemes = new Set([
  "javascript:",
  "data:",
  "vbscript:",
  "blob:",
  "file:",
  "filesystem:",
  "about:",
  "view-source:",
  "ws:",
  "wss:",
  "ftp:",
  "mailto:",
  "tel:",
  "intent:",
  "chrome:",
  "resource:",
  "jar:",
]);
const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether an app may have members redirected to an address: https anywhere, http on their own
 * machine, a scheme of its own (RFC 8252, section 7), or none at all. A fragment would take the
 * code's place (RFC 6749, section 3.1.2).
 */
export function isAllowedRedirect(address: string): boolean {
  if (address === outOfBand) return true;
  // Characters beyond ASCII may look like others, on the screen where a member decides.
  if (address.length > 500 || !/^[\x21-\x7e]+$/.test(address)) return false;
  if (/["'<>;,\\*#]/.test(address)) return false;
  if (/^https?:/i.test(address)) {
    const url = parseWebAddress(address);
    return url !== null && (url.protocol === "https:" || loopbackHosts.has(url.hostname));
  }
  if (!URL.canParse(address) || /^[^:]+:\/\/[^/?]*@/.test(address)) return false;
  return !browserSchemes.has(new URL(address).protocol);
}

/** The address with these parameters added to what it has. */
export function withParameters(address: string, added: Record<string, string | null>): string {
  const given = Object.entries(added).filter((one): one is [string, string] => one[1] !== null);
  const query = new URLSearchParams(given).toString();
  return `${address}${address.includes("?") ? "&" : "?"}${query}`;
}

/** Where a form may lead, as a content security policy source: an origin, or a scheme. */
export function formTarget(address: string): string {
  const { protocol, origin } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? origin : protocol;
}
