import { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { waitAtMost } from "#server/platform/lifecycle.ts";

/** How long an idle connection may stay, so that its next request is answered with "close", milliseconds. */
const idleMs = 5000;
/** As long as a request may take to arrive (requestTimeout in app.ts), plus some time for its answer. */
const longestMs = 330_000;
const lookEvery = 50;

/**
 * Shuts down a server that another process has replaced, without refusing anybody: no connection is accepted
 * any more, each answer says that it is the last one on its connection, and idle connections are closed in
 * the end. Resolves when nobody is connected.
 */
export async function retire(app: FastifyInstance): Promise<void> {
  const { server } = app;
  // Not the method of HTTP servers: that closes idle connections at once, on which a request may be arriving.
  const empty = new Promise((resolve) => {
    Server.prototype.close.call(server, resolve);
  });
  // The second server that Fastify makes for "localhost", which has two addresses.
  server.emit("unref");
  server.prependListener("request", (_request, response) => {
    response.setHeader("Connection", "close");
  });
  for (const { raw } of app.unanswered.values()) {
    const { socket } = raw;
    if (!raw.headersSent) raw.setHeader("Connection", "close");
    // A stream, or a long answer: it promised to keep its connection open.
    else raw.once("finish", () => socket?.end());
  }
  const abort = new AbortController();
  const closeIdle = async () => {
    await sleep(idleMs, undefined, { signal: abort.signal });
    for (;;) {
      server.closeIdleConnections();
      await sleep(lookEvery, undefined, { signal: abort.signal });
    }
  };
  void closeIdle().catch(() => undefined);
  await waitAtMost(longestMs, empty);
  abort.abort();
}
