import { performance } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createAdmission, lookMs, type Rank } from "#server/http/admission.ts";
import { refuse } from "#shared/errors.ts";

/** Seconds after which a refused client may try again. */
const retryAfter = 2;

/**
 * Puts the admission queue in front of pages and calls. What costs next to nothing (built files, images,
 * health) and streams, which last, bypass it.
 */
export function admitRequests(
  app: FastifyInstance,
  { isMember }: { isMember: (request: FastifyRequest) => boolean },
): void {
  const admission = createAdmission({ now: () => performance.now() });
  let used = performance.eventLoopUtilization();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const { utilization } = performance.eventLoopUtilization(used);
    used = performance.eventLoopUtilization();
    admission.look(utilization);
    if (!admission.isIdle()) return;
    clearInterval(timer);
    timer = undefined;
  }

  app.addHook("onClose", async () => clearInterval(timer));
  app.addHook("onRequest", async (request, reply) => {
    if (!isCostly(request)) return;
    if (timer === undefined) {
      used = performance.eventLoopUtilization();
      timer = setInterval(look, lookMs).unref();
    }
    const rank: Rank = isMember(request) ? "member" : "visitor";
    const leave = await admission.enter(rank, (gone) => {
      reply.raw.once("close", gone);
      reply.raw.once("finish", gone);
    });
    if (!leave) throw refuse("busy", { retryAfter });
  });
}

function isCostly(request: FastifyRequest): boolean {
  if (/^\/(?:api|v1|calls)(?:[/?]|$)/.test(request.url)) return !isEventStream(request);
  // Every built file has a route of its own, so the rest are screens.
  return request.routeOptions.url === "/*";
}

/** Whether a request asks for a stream of events. */
export function isEventStream({ url }: FastifyRequest): boolean {
  return /^\/api\/(?:events(?:[?]|$)|v1\/streaming(?:[/?]|$))/.test(url);
}
