import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refusalBody } from "#server/http/errors.ts";
import { sendPlainPage, wantsPage } from "#server/http/plain-page.ts";
import { waitAtMost } from "#server/platform/lifecycle.ts";
import { refuse } from "#shared/errors.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Requests that have come and are not answered yet. */
    unanswered: ReadonlyMap<FastifyRequest, FastifyReply>;
  }
}

/** How long the other side may take to read the last answers, milliseconds. */
const farewell = 200;
/** How often idle connections are looked for, milliseconds. */
const lookEvery = 50;
const sentence = "Postcard is restarting, so your request wasn't processed. Please try again soon.";
const stopping = () => refuse("not-ready", { message: sentence, retryAfter: 5 });

/** Counts requests in progress; those that come while the server stops are asked to come again. */
export function addDraining(app: FastifyInstance, isDraining: () => boolean): void {
  const unanswered = new Map<FastifyRequest, FastifyReply>();
  app.decorate("unanswered", unanswered);
  app.addHook("onRequest", async (request, reply) => {
    unanswered.set(request, reply);
    reply.raw.once("close", () => unanswered.delete(request));
    if (!isDraining()) return;
    void reply.header("Connection", "close");
    if (!request.url.startsWith("/health/")) throw stopping();
  });
}

/**
 * Takes no more requests and waits for those in progress, uploads among them, `patience` milliseconds at
 * most. Those whose body is still arriving then get a 503, and all connections are closed.
 */
export async function drain(app: FastifyInstance, patience: number): Promise<void> {
  const closed = app.close();
  // otherwise a keep-alive connection would be waited for
  const look = setInterval(() => app.server.closeIdleConnections(), lookEvery);
  await waitAtMost(patience, closed);
  clearInterval(look);
  let left = 0;
  for (const [request, reply] of app.unanswered) {
    if (request.raw.complete || reply.raw.headersSent) continue;
    answerNow(request, reply);
    left += 1;
  }
  if (left > 0) await waitAtMost(farewell, closed);
  app.server.closeAllConnections();
}

/** Bypasses Fastify, which would wait for a body that no longer comes. */
function answerNow(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply;
  if (!reply.sent) reply.hijack();
  raw.setHeader("Connection", "close");
  if (wantsPage(request)) return sendPlainPage(reply, stopping());
  const refusal = stopping();
  raw.statusCode = refusal.status;
  raw.setHeader("Content-Type", "application/json; charset=utf-8");
  raw.setHeader("Cache-Control", "no-store");
  raw.setHeader("Retry-After", String(refusal.retryAfter));
  raw.end(JSON.stringify(refusalBody(refusal, request.id)));
}
