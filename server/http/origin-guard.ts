import type { FastifyRequest } from "fastify";
import { bearerIn } from "#server/features/identity/index.ts";
import { isForGuests } from "#server/http/security-headers.ts";
import { refuse } from "#shared/errors.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether an address is a call for programs, which pages of other origins may be allowed to make. */
export function isCall(url: string): boolean {
  return /^\/(?:api|v1)(?:[/?]|$)/.test(url);
}

/**
 * Whether an address is a call of third-party apps, which pages of every origin may make: those calls ignore
 * cookies, so no page can act as the member who visits it.
 */
export function isAppCall(url: string): boolean {
  const ours = /^\/api\/v1\/projects(?:[/?]|$)/.test(url);
  return !ours && /^\/(?:api\/v[12]\/|oauth\/(?:token|revoke)(?:\?|$))/.test(url);
}

type Origins = {
  own: readonly string[];
  /** may call /api, but not send our forms */
  allowed: readonly string[];
};

/**
 * Refuses unsafe requests that a browser sent for another site. Browsers name the page's origin in `Origin`
 * on every such request; a request with neither `Origin` nor `Sec-Fetch-Site` comes from no browser and has
 * no cookies of somebody else to abuse (the reasoning of Go's http.CrossOriginProtection,
 * https://pkg.go.dev/net/http#CrossOriginProtection). A call with a bearer token passes from anywhere: no
 * browser adds one by itself, and its cookie is ignored. A form of a page for guests names no origin, because
 * its page sends no referrer (Fetch, 3.2): it acts by a cookie that other sites' forms do not send (SameSite).
 */
export function createOriginGuard({ own, allowed }: Origins) {
  const ours = new Set(own);
  const guests = new Set(allowed);
  return async (request: FastifyRequest): Promise<void> => {
    if (safeMethods.has(request.method)) return;
    if (isAppCall(request.url)) return;
    const { origin, authorization, "sec-fetch-site": site } = request.headers;
    if (origin === undefined) {
      if (site === undefined || site === "same-origin" || site === "none") return;
    } else if (ours.has(origin)) {
      return;
    } else if (origin === "null" && isForGuests(request.url)) {
      if (site === undefined || site === "same-origin") return;
    }
    if (isCall(request.url)) {
      if (origin !== undefined && guests.has(origin)) return;
      if (bearerIn(authorization) !== null) return;
    }
    request.log.warn({ origin, allowed: own }, "refused a request from another origin");
    throw refuse("wrong-origin");
  };
}
