import type { FastifyInstance, FastifyRequest } from "fastify";
import { pathOf } from "#server/http/request-target.ts";

/** Characters of a path in the log: enough for our longest page, and no refused address fills a disk. */
const loggedLength = 500;
const mailed =
  /(^\/l|\/signIn\/(?:reset|link)|\/verify|\/keepEmail|\/stopEmails|\/operator\/first)\/.*/i;

/**
 * Emails and single-use links appear in some addresses: logs keep the shape, not the secret. Refused requests
 * are logged, too, so this takes time in proportion to the address, whatever it is.
 */
export function loggedPath(url: string): string {
  const segments = pathOf(url).split("/");
  const shape = segments.map((one) => (/@|%40/i.test(one) ? "<email>" : one)).join("/");
  // A reader of the log must not be able to follow the link before its owner does.
  const path = shape.replace(mailed, "$1/<link>");
  return path.length > loggedLength ? `${path.slice(0, loggedLength)}…` : path;
}

/** One line a request; no query strings, headers or bodies. */
export const requestSerializers = {
  req: (request: FastifyRequest) => ({
    method: request.method,
    path: loggedPath(request.url),
  }),
};

/** What browsers and monitors ask for all day is logged only at the debug level. */
const chatty = /^\/(?:assets|images|health|shared\/[^/]*\/photos)\//;

/** Logs each request once, when its answer is sent: what was asked, the status, the milliseconds. */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    const level = chatty.test(request.url) ? "debug" : "info";
    const ms = Math.round(reply.elapsedTime);
    request.log[level]({ req: request, status: reply.raw.statusCode, ms }, "request");
  });
}
