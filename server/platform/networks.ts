import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The network an address counts for: the address itself for IPv4 (also when written as IPv6,
 * `::ffff:192.0.2.1`, or in the old form `::192.0.2.1`), its /64 for IPv6, because one home or phone has a
 * whole /64 to itself (RFC 6177). Anything else counts as `unknown`.
 */
export function networkOf(ip: string): string {
  const [address = ""] = ip.split("%", 1);
  // The library also accepts what only looks like an address: 1.2, 0x7f.1.
  if (isIP(address) === 0) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}

/**
 * Whether a host, given as an address, with the brackets of a URL, or by name, can only be reached from
 * this machine: it may then use plain http.
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "").replace(/^::ffff:/i, "");
  if (address === "localhost" || address === "::1") return true;
  return isIP(address) === 4 && address.startsWith("127.");
}
