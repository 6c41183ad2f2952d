import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Begins an answer of Server-Sent Events, which stays open: from here on it is written to directly. */
export function beginEventStream(request: FastifyRequest, reply: FastifyReply): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...headersOf(reply.getHeaders()),
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store, no-transform",
    // nginx would otherwise buffer the events (its documentation, proxy_buffering)
    "X-Accel-Buffering": "no",
  });
  request.raw.socket.setKeepAlive(true, 60_000);
  return raw;
}

function headersOf(headers: Record<string, unknown>): Record<string, string> {
  const set = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}
