import type { ServerResponse } from "node:http";
import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import type { Features } from "#server/features/index.ts";
import type { Outlet } from "#server/features/live/streams.ts";
import { refuse } from "#shared/errors.ts";
import { watchInput } from "#shared/live.inputs.ts";

type Deps = { features: { live: Pick<Features["live"], "open" | "close" | "watch"> } };

/** What a browser waits before it comes back by itself, milliseconds; ours decides for itself. */
const retryMs = 2000;

const eventsQuery = z.object({
  after: z.string().max(40).optional(),
  account: z.string().max(40).optional(),
});

/**
 * GET /api/events: the member's stream of events (text/event-stream). `?after=` or Last-Event-ID
 * says what was heard last; what was missed since comes first. `?account=` says whose events the
 * page expects.
 * PUT /api/events/watched: the posts that the tabs of this stream's browser show.
 */
export function eventRoutes({ features }: Deps) {
  const { live } = features;
  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/events",
      {
        // one long answer, in the log when it ends
        logLevel: "warn",
        config: { access: "member" },
        schema: { hide: true, querystring: eventsQuery },
      },
      async (request, reply) => {
        const viewer = memberOf(request);
        const { account = viewer.id } = request.query;
        // Somebody else has signed in meanwhile: a page of the former one gets nothing of theirs.
        if (account !== viewer.id) throw refuse("not-yours");
        const given = request.headers["last-event-id"];
        const after = typeof given === "string" ? given : (request.query.after ?? null);
        reply.hijack();
        const { raw } = reply;
        raw.writeHead(200, {
          ...headersOf(reply.getHeaders()),
          "Content-Type": "text/event-stream; charset=utf-8",
          "Cache-Control": "no-store, no-transform",
          // nginx would collect the events otherwise (its documentation, proxy_buffering)
          "X-Accel-Buffering": "no",
        });
        request.raw.socket.setKeepAlive(true, 60_000);
        raw.write(`retry: ${retryMs}\n\n`);
        try {
          const stream = await live.open(viewer, outletOf(raw), after);
          if (raw.destroyed) live.close(stream);
          else raw.once("close", () => live.close(stream));
        } catch (error) {
          request.log.error({ err: error }, "a stream could not be opened");
          raw.end();
        }
      },
    );

    app.put(
      "/api/events/watched",
      {
        logLevel: "warn",
        config: { access: "member" },
        schema: { hide: true, body: watchInput },
      },
      async (request, reply) => {
        const { stream, posts } = request.body;
        live.watch(memberOf(request), stream, posts);
        return reply.status(204).send();
      },
    );
  };
}

function outletOf(raw: ServerResponse): Outlet {
  return {
    write: (text) => void raw.write(text),
    backlog: () => raw.writableLength,
    end: () => void raw.end(),
  };
}

function headersOf(headers: Record<string, unknown>): Record<string, string> {
  const set = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}
