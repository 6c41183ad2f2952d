import type { FastifyInstance, FastifyRequest } from "fastify";

/** Emails and single-use links stand in some addresses: logs keep the shape, not the secret. */
export function loggedPath(url: string): string {
  const path = (url.split("?", 1)[0] ?? "").replace(/[^/]+/g, (part) =>
    /@|%40/i.test(part) ? "<email>" : part,
  );
  // Whoever reads the log must not be able to follow the link before its owner does.
  const mailed =
    /(\/signIn\/(?:reset|link)|\/verify|\/keepEmail|\/stopEmails|\/operator\/first)\/.*/i;
  return path.replace(mailed, "$1/<link>");
}

/** One line a request; no query strings, headers or bodies. */
export const requestSerializers = {
  req: (request: FastifyRequest) => ({
    method: request.method,
    path: loggedPath(request.url),
  }),
};

/** What browsers and monitors ask for all day is worth a line only while something is looked for. */
const chatty = /^\/(?:assets|images|health)\//;

/** Logs each request once, when its answer is out: what was asked, the status, the milliseconds. */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    const level = chatty.test(request.url) ? "debug" : "info";
    const ms = Math.round(reply.elapsedTime);
    request.log[level]({ req: request, status: reply.raw.statusCode, ms }, "request");
  });
}
