import type { FastifyReply } from "fastify";
import type { Credentials } from "#server/features/types.ts";

/* Who may keep an image, and which pages may show it. */

/**
 * The image of a key never changes: a browser that has it never asks again. It may be withdrawn, so a shared
 * cache asks again after ten minutes, which costs a query and no bytes (decisions 0015 and 0186).
 */
const caching = "public, max-age=31536000, s-maxage=600, immutable";

export const forModerators = {
  "Cache-Control": "private, no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** What is not for everyone: asked for again each time it is shown. Apps, pages of other origins, have a pass. */
export const forSome = ({ holder }: Credentials) => ({
  "Cache-Control": "private, no-cache",
  ...(holder === null
    ? { "Cross-Origin-Resource-Policy": "same-origin" }
    : { "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*" }),
  "Referrer-Policy": "no-referrer",
});

/** Apps in a browser are pages of other origins. */
export const forEverybody = (reply: FastifyReply) => ({
  "Cache-Control": caching,
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": reply.getHeader("access-control-allow-origin") ?? "*",
});
