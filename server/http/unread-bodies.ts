import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";

/**
 * How much a refused sender may go on sending, so that it reads our answer and doesn't see a broken
 * connection.
 */
export const linger = { bytes: 100 * 1024 * 1024, ms: 20_000 };
const lookEvery = 250;

/**
 * A client that is answered while still sending may go on for a little; what it sends is discarded. If the
 * connection were closed at once, a browser would show a network error instead of the answer. Then it is
 * closed.
 */
export function endUnreadBodies(app: FastifyInstance): void {
  app.addHook("onResponse", async ({ raw }) => {
    // unknown for a request that came over no connection
    if (raw.complete === false && !raw.destroyed) readOn(raw);
  });
}

function readOn(raw: IncomingMessage): void {
  const { socket } = raw;
  const [until, most] = [Date.now() + linger.ms, socket.bytesRead + linger.bytes];
  raw.resume();
  const look = setInterval(() => {
    if (!raw.complete && Date.now() < until && socket.bytesRead < most) return;
    clearInterval(look);
    if (!raw.complete) raw.destroy();
  }, lookEvery).unref();
}
