import { lookup, type LookupAddress } from "node:dns";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { parseWebAddress } from "#shared/web-address.ts";

/** Whether an IP address belongs to the public internet: of IPv6, only 2000::/3 is allocated for it. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  // Otherwise of a special range: RFC 6890, and its counterparts for IPv6.
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parseCIDR("2000::/3"));
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
