import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from "fastify";
import type { Logger } from "pino";
import { sendPlainPage, wantsPage } from "#server/http/plain-page.ts";
import { databaseFaultOf, type DatabaseFault } from "#server/platform/db/database-faults.ts";
import { isOutageKind, recordOutage } from "#server/platform/outages.ts";
import {
  isStorageFault,
  shortageRefusal,
  storageRefusal,
} from "#server/platform/storage-faults.ts";
import { isOutage, isRefusal, refuse, type Refusal, type RefusalCode } from "#shared/errors.ts";

/** What people are shown about a state of the database, and after how many seconds to try again. */
const faults: Record<DatabaseFault, readonly [code: RefusalCode, retryAfter: number]> = {
  away: ["not-ready", 2],
  slow: ["busy", 2],
  full: ["disk-full", 60],
  "read-only": ["read-only", 30],
};

/** For a file of their own, people see the refusal's words. */
const databaseFull =
  "The server's disk is full, so nothing new can be saved. Please try again later.";

/** A temporary fault that the request did not cause; null for every other. */
export function toOutage(error: unknown): Refusal | null {
  const fault = databaseFaultOf(error);
  if (fault === null) return shortageRefusal(error);
  const [code, retryAfter] = faults[fault];
  const message = fault === "full" ? { message: databaseFull } : {};
  return refuse(code, { cause: error, retryAfter, ...message });
}

/** Turns anything thrown into the refusal that people and programs see. */
export function toRefusal(error: unknown): Refusal {
  if (isRefusal(error)) return error;
  const outage = storageRefusal(error) ?? toOutage(error);
  if (outage) return outage;
  const { statusCode } = (error ?? {}) as Partial<FastifyError>;
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
 * The one place where an error outside the screens becomes an answer: `{ error: { code, message } }` for a
 * program, a plain page for a person.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toRefusal(error);
  logFailure(request.log, error, refusal);
  if (wantsPage(request)) {
    reply.hijack();
    sendPlainPage(reply, refusal);
    return;
  }
  // A sender of too much reads this before the connection is closed (unread-bodies.ts).
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

/**
 * Logs failures on our side. A database that is away and a full disk affect every request alike: they are one
 * line when they begin and one when they are over.
 */
export function logFailure(
  log: Pick<FastifyBaseLogger, "error">,
  error: unknown,
  refusal: Refusal,
  message = "request failed",
): void {
  const { code, status } = refusal;
  if (status < 500) return;
  if (!isOutageKind(code)) {
    // A bound that holds and says when to come back is no failure, and whoever asks again would fill the log.
    if (isRefusal(error) && error.retryAfter !== undefined) return;
    log.error({ err: error }, message);
    return;
  }
  // Refused on purpose, such as for a full queue: nothing is away.
  const begins = !isRefusal(error) || !isOutage(code) || isStorageFault(refusal);
  recordOutage({ log: log as Pick<Logger, "error">, code, status, error, begins });
}
