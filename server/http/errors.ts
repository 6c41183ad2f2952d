import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendPlainPage, wantsPage } from "#server/http/plain-page.ts";
import { isRefusal, refuse, type Refusal, type RefusalCode } from "#shared/errors.ts";

/** PostgreSQL's SQLSTATE classes that mean "no database right now" (Appendix A: 08, 53, 57P). */
const databaseAway = /^(08|53|57P)/;
const socketAway = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT"]);

/** Turns whatever was thrown into the refusal that people and programs are told. */
export function toRefusal(error: unknown): Refusal {
  if (isRefusal(error)) return error;
  const { code = "", statusCode, message = "" } = (error ?? {}) as Partial<FastifyError>;
  if (
    databaseAway.test(code) ||
    socketAway.has(code) ||
    message.startsWith("timeout exceeded when")
  ) {
    return refuse("not-ready", { cause: error, retryAfter: 2 });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const known: Record<number, RefusalCode> = {
      404: "not-found",
      413: "too-large",
      415: "media-type",
    };
    const byStatus = known[statusCode];
    return byStatus
      ? refuse(byStatus, { cause: error })
      : Object.assign(refuse("input-invalid", { cause: error }), { status: statusCode });
  }
  return refuse("internal", { cause: error });
}

/**
 * The one place where an error outside the screens becomes an answer: `{ error: { code, message } }`
 * for a program, a plain page for a person.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toRefusal(error);
  if (refusal.status >= 500) request.log.error({ err: error }, "request failed");
  if (wantsPage(request)) {
    reply.hijack();
    sendPlainPage(reply, refusal);
    return;
  }
  // Who sent too much reads this before the line is closed (unread-bodies.ts).
  if (refusal.status === 413) void reply.removeHeader("connection");
  if (refusal.retryAfter !== undefined) void reply.header("Retry-After", refusal.retryAfter);
  void reply.header("Cache-Control", "no-store");
  void reply.status(refusal.status).send(refusalBody(refusal, request.id));
}

export function addErrorMapper(app: FastifyInstance): void {
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    answerError(refuse("method-not-allowed"), request, reply);
  });
}

export function refusalBody({ code, message, fields }: Refusal, requestId: string) {
  return { error: { code, message, ...(fields ? { fields } : {}), requestId } };
}
