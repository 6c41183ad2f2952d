import { lookup, type LookupAddress } from "node:dns";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { parseWebAddress } from "#shared/web-address.ts";

/** Addresses that are not public: RFC 6890 and its IPv6 counterparts. */
const special = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  special.addSubnet(network, prefix, "ipv4");
}
/** Only 2000::/3 is allocated for the public; these parts of it are not, or lead to IPv4. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  special.addSubnet(network, prefix, "ipv6");
}

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  return family === 6 && global6.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** Whether a host, as a URL has it, may be on the public internet: a name is looked up when it is connected to. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? host.includes(".") : isPublicAddress(host);
}

/**
 * An address that somebody else chose, if this server may ask there at all: https at its usual port on a public
 * host, 2,000 characters at most; with `loopback`, for tests, this machine too.
 */
export function publicWebAddress(address: string, loopback = false): URL | null {
  const url = address.length > 2000 ? null : parseWebAddress(address);
  if (!url) return null;
  if (loopback && url.hostname === "127.0.0.1") return url;
  return url.protocol === "https:" && url.port === "" && isPublicHost(url.hostname) ? url : null;
}

type Asking = {
  method: "GET" | "HEAD" | "POST";
  headers: Record<string, string | number>;
  body?: Buffer | null;
  signal: AbortSignal;
  loopback: boolean;
};

/** Asks at such an address: follows no redirects, and connects to public addresses only. */
export function askPublicWeb(
  url: URL,
  { method, headers, body, signal, loopback }: Asking,
): Promise<IncomingMessage> {
  const request = url.protocol === "http:" ? httpRequest : httpsRequest;
  const options = { method, headers, signal, agent: false };
  return new Promise((resolve, reject) => {
    request(url, loopback ? options : { ...options, lookup: lookupPublic }, resolve)
      .on("error", reject)
      .end(body ?? undefined);
  });
}

/** Resolves a host to its public addresses only, the same ones that are then connected to. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first, ...others] = error ? [] : found.filter(({ address }) => isPublicAddress(address));
    if (!first) {
      const none = Object.assign(new Error("This host has no public address."), {
        code: "ENOTFOUND",
      });
      callback(error ?? none, "", 4);
    } else if (options.all) callback(null, [first, ...others]);
    else callback(null, first.address, first.family);
  });
};
