import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { refusalBody } from "#server/http/errors.ts";
import { refuse } from "#shared/errors.ts";

/**
 * The parser's codes for errors that have a status of their own (nodejs.org/api/http.html#event-clienterror).
 */
const statuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Answers what the HTTP parser cannot read, such as an address with an "ü" in it, like every other refusal: a
 * client sees one shape. No request came of it, so it is logged here.
 */
export function answerClientError(
  this: FastifyInstance,
  { code = "" }: NodeJS.ErrnoException,
  socket: Socket,
): void {
  // There is nobody to answer.
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status = statuses[code] ?? 400;
  const requestId = randomUUID();
  // Browsers open connections ahead of time, and often send nothing over them.
  const level = status === 408 ? "debug" : "info";
  this.log[level]({ requestId, status, code }, "what was sent is no request");
  const body = JSON.stringify(refusalBody(refuse("input-invalid"), requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `X-Request-Id: ${requestId}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
