import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** allows the inline scripts and styles of this response */
    nonce: string;
  }
}

const nonces = new WeakMap<ServerResponse, string>();
const nonceSource = (_request: IncomingMessage, response: ServerResponse) =>
  `'nonce-${nonces.get(response)}'`;

/** What a browser can do that no page of ours needs: not ours, not one that it would embed. */
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
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
];
// A file field that takes a photo opens the system's camera: no page ever sees a stream of it.
const permissionsPolicy = deniedFeatures.map((feature) => `${feature}=()`).join(", ");

/** Sets the security headers of every answer; pages get a fresh nonce each. */
export async function addSecurityHeaders(
  app: FastifyInstance,
  {
    https,
    development,
    picturesAt,
  }: {
    https: boolean;
    development: boolean;
    /** where public pictures are served when that is not here */
    picturesAt: string | null;
  },
): Promise<void> {
  app.decorateRequest("nonce", "");
  app.addHook("onRequest", async (request, reply) => {
    request.nonce = randomBytes(16).toString("base64");
    nonces.set(reply.raw, request.nonce);
    reply.raw.setHeader("Permissions-Policy", permissionsPolicy);
  });
  await app.register(helmet, {
    // Vite's hot reload needs inline scripts and a web socket; development only.
    contentSecurityPolicy: development
      ? false
      : {
          useDefaults: false,
          directives: {
            defaultSrc: ["'self'"],
            baseUri: ["'none'"],
            objectSrc: ["'none'"],
            frameAncestors: ["'none'"],
            formAction: ["'self'"],
            scriptSrc: ["'self'", nonceSource],
            // Style attributes are refused too: colours and sizes come from classes.
            styleSrc: ["'self'", nonceSource],
            // blob: the preview of a picture that was chosen and not yet sent
            imgSrc: ["'self'", "blob:", ...(picturesAt ? [new URL(picturesAt).origin] : [])],
            connectSrc: ["'self'"],
            fontSrc: ["'self'"],
            manifestSrc: ["'self'"],
            // no upgrade-insecure-requests: it breaks plain http on a home network
          },
        },
    hsts: https ? { maxAge: 15_552_000, includeSubDomains: false } : false,
    // Ours may open a popup at an identity provider and keep hold of it; nobody keeps hold of ours.
    crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    xFrameOptions: { action: "deny" },
  });
}
