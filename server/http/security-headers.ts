import { hash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** allows the inline scripts and styles of this response */
    nonce: string;
  }
}

/** The placeholder in the policy for each answer's nonce. */
const ownNonce = "'nonce-'";

/** What a page may load and who may embed it, the same for every answer except for the nonce. */
function contentPolicy(imageBaseUrl: string | null): string {
  const directives = [
    ["default-src", "'self'"],
    ["base-uri", "'none'"],
    ["object-src", "'none'"],
    ["frame-ancestors", "'none'"],
    ["form-action", "'self'"],
    ["script-src", "'self'", ownNonce],
    // Style attributes are refused too: colours and sizes come from classes.
    ["style-src", "'self'", ownNonce],
    // blob: the preview of a photo that was chosen and not yet sent
    ["img-src", "'self'", "blob:", ...(imageBaseUrl ? [new URL(imageBaseUrl).origin] : [])],
    ["connect-src", "'self'"],
    ["font-src", "'self'"],
    ["manifest-src", "'self'"],
    // no upgrade-insecure-requests: it breaks plain http on a home network
  ];
  return directives.map((directive) => directive.join(" ")).join(";");
}

/** Browser features that no page of ours needs, nor any page it would embed. */
const deniedFeatures = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
  "xr-spatial-tracking",
];
// A file field that takes a photo opens the system's camera: no page ever gets a stream from it.
const permissionsPolicy = deniedFeatures.map((feature) => `${feature}=()`).join(", ");

/**
 * The consent to an app, and the sign-in on the way to it: some apps open it as a popup, and would otherwise
 * lose their reference to it before its answer comes back (Phanpy does). It still can't be shown in a frame.
 */
const leadsToConsent =
  /^\/(?:oauth\/authorize(?:[?.]|$)|signIn(?:\/code)?(?:\.data)?\?(?:[^#]*&)?returnTo=%2Foauth%2Fauthorize(?:%3F|&|$))/;

/** What guests see by a link: no other site learns its address, and no search engine keeps it. */
export const isForGuests = (url: string): boolean => /^\/(?:l|shared)(?:[/.?]|$)/i.test(url);

const nonceBytes = 16;
/** Random bytes for the next nonces: asking the system for each is a call of 30 µs. None is used twice. */
let ahead = Buffer.alloc(0);

function freshNonce(): string {
  if (ahead.length < nonceBytes) ahead = randomBytes(256 * nonceBytes);
  const nonce = ahead.toString("base64", 0, nonceBytes);
  ahead = ahead.subarray(nonceBytes);
  return nonce;
}

/** Sets the security headers of every answer; pages get a fresh nonce each. */
export async function addSecurityHeaders(
  app: FastifyInstance,
  {
    https,
    development,
    imageBaseUrl,
  }: {
    https: boolean;
    development: boolean;
    /** where public images are served when that is not here */
    imageBaseUrl: string | null;
  },
): Promise<void> {
  app.decorateRequest("nonce", "");
  // Vite's hot reload needs inline scripts and a web socket; development only.
  const policy = development ? null : contentPolicy(imageBaseUrl);
  app.addHook("onRequest", async (request, reply) => {
    request.nonce = freshNonce();
    reply.raw.setHeader("Permissions-Policy", permissionsPolicy);
    if (!policy) return;
    const own = policy.replaceAll(ownNonce, `'nonce-${request.nonce}'`);
    reply.raw.setHeader("Content-Security-Policy", own);
  });
  await app.register(helmet, {
    // Ours is above, made once: helmet would build it for every answer.
    contentSecurityPolicy: false,
    hsts: https ? { maxAge: 15_552_000, includeSubDomains: false } : false,
    // Ours may open a popup at an identity provider and keep a reference to it; nobody keeps one to ours.
    crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    xFrameOptions: { action: "deny" },
  });
  app.addHook("onRequest", async ({ url }, reply) => {
    if (leadsToConsent.test(url)) {
      reply.raw.setHeader("Cross-Origin-Opener-Policy", "unsafe-none");
    }
    if (isForGuests(url)) {
      reply.raw.setHeader("Referrer-Policy", "no-referrer");
      reply.raw.setHeader("X-Robots-Tag", "noindex");
    }
  });
}

/**
 * A page stored in a cache is one answer for many: everybody who reads it would know its nonce. So its inline
 * scripts and styles are allowed by their hashes instead: only those that carry the nonce, and so are ours.
 * @returns the page without its nonce
 */
export function allowByHash(html: string, nonce: string, response: ServerResponse): string {
  const mark = ` nonce="${nonce}"`;
  const allowed: Record<string, string[]> = { script: [], style: [] };
  for (const [, kind = "", attributes, text = ""] of html.matchAll(inlineCode)) {
    if (!attributes?.includes(mark) || text === "") continue;
    allowed[kind]?.push(`'sha256-${hash("sha256", text, "base64")}'`);
  }
  const policy = String(response.getHeader("Content-Security-Policy") ?? "");
  const withHashes = policy.replaceAll(
    /(script|style)-src ([^;]*?) 'nonce-[^']*'/g,
    (_whole, kind: string, others: string) =>
      [`${kind}-src ${others}`, ...(allowed[kind] ?? [])].join(" "),
  );
  if (policy) response.setHeader("Content-Security-Policy", withHashes);
  return html.replaceAll(mark, "");
}

const inlineCode = /<(script|style)((?:\s[^>]*)?)>([^]*?)<\/\1>/g;
