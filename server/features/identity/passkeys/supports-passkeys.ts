import { isIP } from "node:net";

/**
 * Whether browsers use passkeys on a page that was opened at `asked`: a passkey belongs to a host
 * name, never to an IP address, and outside https it exists on localhost alone. Where the operator
 * named the product's address that one decides: a proxy may ask under a name of its own.
 */
export function supportsPasskeys(publicUrl: string, asked: string): boolean {
  const origin = new URL(publicUrl).hostname === "localhost" ? asked : publicUrl;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return false;
  return protocol === "https:" || hostname === "localhost";
}
