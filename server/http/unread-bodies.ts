import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";

/** What a refused sender may go on sending, so that it reads our answer and not a cut line. */
export const linger = { bytes: 100 * 1024 * 1024, ms: 20_000 };
const lookEvery = 250;

/**
 * Whoever was answered while still sending may send on for a little, to nobody: a connection that is
 * closed at once makes a browser show a broken line instead of the answer. Then it is closed.
 */
export function endUnreadBodies(app: FastifyInstance): void {
  app.addHook("onResponse", async ({ raw }) => {
    // not known of a request that came over no line
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
