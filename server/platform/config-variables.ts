import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { knownLanguages, languagesIn, sourceLanguage } from "../../scripts/lib/languages.mjs";
import { isPlainAddress } from "#server/adapters/image-store/settings.ts";
/* The variables of the environment that server/config.ts reads. */

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((number) => number >= least && number <= most);
const postgresUrl = z.string().refine(isPostgresUrl).optional();
const bareOrigin = z
  .string()
  .refine(isBareOrigin)
  .transform((url) => new URL(url).origin);

// Each description completes the sentence "NAME is …, but must be".
export const variables = z.object({
  NODE_ENV: z
    .enum(["production", "development", "test"])
    .default("production")
    .describe("production, development or test"),
  PORT: wholeNumber(0, 65_535).default(3000).describe("a whole number from 0 to 65535"),
  HOST: z
    .string()
    .refine((host) => isIP(host) !== 0 || isHostName(host))
    .default("127.0.0.1")
    .describe("an IP address or a host name, without brackets or port"),
  PUBLIC_URL: bareOrigin
    .optional()
    .describe("an http or https address without a path, such as https://photos.example.org"),
  LANGUAGES: z
    .string()
    .default(sourceLanguage)
    .transform((text) => [...new Set(languagesIn(text))])
    .refine((list) => list.length > 0 && list.every((name) => knownLanguages().includes(name)))
    .describe(`languages separated by commas, of ${knownLanguages().join(", ")}`),
  PROCESSES: wholeNumber(1, 64).optional().describe("a whole number from 1 to 64"),
  METRICS_PORT: wholeNumber(1, 65_535)
    .optional()
    .describe("empty or a whole number from 1 to 65535"),
  CORS_ORIGINS: z
    .string()
    .default("")
    .transform(splitList)
    .refine((list) => list.every((url) => isBareOrigin(url) && !url.includes("*")))
    .transform((list) => list.map((url) => new URL(url).origin))
    .describe("empty, or http and https addresses without a path, separated by commas; never *"),
  DATA_DIR: z.string().default("./data").describe("a folder"),
  SECRETS_FILE: z.string().optional().describe("a file"),
  DATABASE_URL: postgresUrl.describe(
    "empty or a PostgreSQL address, such as postgres://user:password@host:5432/name",
  ),
  DATABASE_DIRECT_URL: postgresUrl.describe(
    "empty or the PostgreSQL address of DATABASE_URL without a pooler",
  ),
  DATABASE_READ_URL: postgresUrl.describe(
    "empty or the PostgreSQL address of a replica of DATABASE_URL",
  ),
  BACKUP_DIR: z.string().trim().optional().describe("a folder or an S3 address"),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .default("03:30")
    .transform((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)))
    .describe("a time of day from 00:00 to 23:59"),
  IMAGE_BASE_URL: z
    .string()
    .refine(isPlainAddress)
    // oxlint-disable-next-line regexp/no-super-linear-move -- the operator's own
    .transform((url) => url.replace(/\/+$/, ""))
    .optional()
    .describe("an http or https address without a query, such as https://cdn.example.org"),
  IMGBB_KEY: z
    .string()
    .regex(/^[\w-]{1,200}$/)
    .optional()
    .describe("the key that api.imgbb.com gave you"),
  IMGBB_URL: bareOrigin
    .default("https://api.imgbb.com")
    .describe("an http or https address without a path"),
  SMTP_URL: z
    .string()
    .refine(isSmtpUrl)
    .optional()
    .describe("empty or a mail server, such as smtps://user:password@mail.example.org"),
  MAIL_FROM: z
    .string()
    .refine((text) => readSender(text) !== null)
    .optional()
    .describe("an email address, such as Postcard <postcard@example.org>"),
  LOG_LEVEL: z
    .enum(logLevels)
    .default("info")
    .describe(`one of ${logLevels.join(", ")}`),
  RATE_LIMITS: z.enum(["on", "off"]).default("on").describe("on or off"),
  TRUST_PROXY: z
    .string()
    .default("")
    .transform(splitList)
    .refine((list) => list.every(isProxyEntry))
    .describe("empty, loopback, or IP addresses and CIDR ranges separated by commas"),
});

export type Variables = z.output<typeof variables>;

/** The entries of a comma-separated list. */
function splitList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

function isBareOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.pathname === "/" && !/[?#@]/.test(text);
}

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}

function isSmtpUrl(text: string): boolean {
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

function isHostName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text);
}

function isProxyEntry(text: string): boolean {
  if (text === "loopback") return true;
  const [address = ""] = text.split("/", 1);
  return isIP(address) !== 0 && (text === address || ipaddr.isValidCIDR(text));
}
