import type { FastifyRequest } from "fastify";

/** Emails stand in some addresses (/post/{email}/3): logs keep the shape, not the person. */
export function loggedPath(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  return path.replace(/[^/]*(?:@|%40)[^/]*/gi, "<email>");
}

/** One line a request; no query strings, headers or bodies. */
export const requestSerializers = {
  req: (request: FastifyRequest) => ({
    method: request.method,
    path: loggedPath(request.url),
  }),
};
