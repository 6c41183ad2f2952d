import { isIP } from "node:net";

/**
 * The network an address counts for: the address itself for IPv4 (also when written as IPv6,
 * `::ffff:192.0.2.1`), its /64 for IPv6, because one home or phone has a whole /64 to itself
 * (RFC 6177). What is no address counts as `unknown`.
 */
export function networkOf(ip: string): string {
  const [address = ""] = ip.split("%", 1);
  const version = isIP(address);
  if (version === 4) return address;
  if (version !== 6) return "unknown";
  const groups = ipv6Groups(address);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!mapped) return `${groups.slice(0, 4).map(toHex).join(":")}::/64`;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The eight numbers of a valid IPv6 address. */
function ipv6Groups(address: string): number[] {
  // URL writes every form the same way: lower case, hex only, one "::" at most
  const { hostname } = new URL(`http://[${address}]`);
  const [left = "", right] = hostname.slice(1, -1).split("::");
  const before = parseGroups(left);
  const after = parseGroups(right ?? "");
  const gap = right === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: gap }, () => 0), ...after];
}

function parseGroups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

function toHex(group: number): string {
  return group.toString(16);
}
