import { isIP } from "node:net";
import { z } from "zod";

/** The entries of a comma-separated list. */
export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

export function isBareOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.pathname === "/" && !/[?#@]/.test(text);
}

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}

export function isSmtpUrl(text: string): boolean {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname } = new URL(text);
  return hostname !== "" && /^\/?$/.test(pathname);
}

/**
 * `Name <address>`, or an address alone, whose mail is sent under the installation's name; null otherwise.
 */
export function readSender(text: string): { name: string; address: string } | null {
  // oxlint-disable-next-line regexp/no-super-linear-backtracking -- the operator's own
  const form = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/u.exec(text.trim());
  const address = form?.[2] ?? form?.[3] ?? "";
  if (!z.email().safeParse(address).success) return null;
  return { name: form?.[1] ?? "", address };
}

/**
 * The domain part for mail addresses at the host of a URL: RFC 5321, section 4.1.3, for a bare IP address.
 */
export function mailHost(url: string): string {
  const { hostname } = new URL(url);
  if (hostname.startsWith("[")) return `[IPv6:${hostname.slice(1)}`;
  return isIP(hostname) ? `[${hostname}]` : hostname;
}

export function isHostName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text);
}

export function isProxyEntry(text: string): boolean {
  if (text === "loopback") return true;
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
