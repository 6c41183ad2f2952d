import type { FastifyInstance } from "fastify";
import type { Features } from "#server/features/index.ts";
import type { Viewer } from "#shared/views.ts";

type Sessions = Pick<Features["identity"]["sessions"], "reading" | "noteWrite">;

const reads = (method: string) => method === "GET" || method === "HEAD";

/**
 * Runs a page's work: a read may be answered by a replica; after a write, the member's later reads see it.
 */
export async function readOrWrite<T>(
  sessions: Sessions,
  { method, viewer }: { method: string; viewer: Viewer | null },
  work: () => Promise<T>,
): Promise<T> {
  if (reads(method)) return sessions.reading(viewer, work);
  try {
    return await work();
  } finally {
    await sessions.noteWrite(viewer);
  }
}

/** The same for calls. */
export function readFromReplica(calls: FastifyInstance, sessions: Sessions): void {
  // As a callback, so that the handler runs in its context.
  calls.addHook("preHandler", (request, reply, done) => {
    if (!reads(request.method) || request.routeOptions.config.access === undefined) return done();
    void sessions.reading(
      request.viewer,
      () =>
        new Promise<void>((answered) => {
          reply.raw.once("close", answered);
          done();
        }),
    );
  });
  calls.addHook("onSend", async ({ method, viewer }, _reply, payload) => {
    if (!reads(method)) await sessions.noteWrite(viewer);
    return payload;
  });
}
