import type { FastifyRequest } from "fastify";
import { refuse } from "#shared/errors.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses unsafe requests that a browser sent for another site. Browsers name the page's origin
 * in `Origin` on every such request; what carries neither `Origin` nor `Sec-Fetch-Site` is no
 * browser and has no cookies of somebody else to abuse (the reasoning of Go's
 * http.CrossOriginProtection, https://pkg.go.dev/net/http#CrossOriginProtection).
 */
export function createOriginGuard(origins: readonly string[]) {
  const own = new Set(origins);
  return async (request: FastifyRequest): Promise<void> => {
    if (safeMethods.has(request.method)) return;
    const { origin, "sec-fetch-site": site } = request.headers;
    if (origin === undefined) {
      if (site === undefined || site === "same-origin" || site === "none") return;
    } else if (own.has(origin)) {
      return;
    }
    request.log.warn({ origin, allowed: origins }, "refused a request from another origin");
    throw refuse("wrong-origin");
  };
}
