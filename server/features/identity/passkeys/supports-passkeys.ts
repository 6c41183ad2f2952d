import { isIP } from "node:net";

/**
 * Whether browsers use passkeys on a page that was opened at `asked`: a passkey belongs to a host
 * name, never to an IP address, and without https it works only on localhost. Where the operator
 * set the product's address, that one decides: a proxy may send requests under another name.
 */
export function supportsPasskeys(publicUrl: string, asked: string): boolean {
  const origin = new URL(publicUrl).hostname === "localhost" ? asked : publicUrl;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return false;
  return protocol === "https:" || hostname === "localhost";
}
