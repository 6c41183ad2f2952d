import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import type { Answer } from "#server/features/idempotency/idempotency.ts";
import type { Features } from "#server/features/index.ts";
import { limits } from "#shared/limits.ts";

/** The header that calls which create something take; declare `key-reused` among their refusals. */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x20-\x7e]+$/, "Use printable ASCII characters.")
    .optional()
    .describe(
      "A value of your own, such as a UUID. The same request sent again with it within " +
        `${limits.idempotencyKeyHours} hours gets the same answer (and \`Idempotent-Replayed: true\`) ` +
        "and does nothing twice; another request with it is refused.",
    ),
});

type KeyedRequest = FastifyRequest & { headers: z.output<typeof idempotencyHeaders> };

/** Answers a call by `work`: at most once where its caller sent a key. */
export async function answerOnce<Body>(
  { idempotency }: Pick<Features, "idempotency">,
  request: Pick<KeyedRequest, "viewer" | "headers" | "method" | "url" | "body">,
  reply: Pick<FastifyReply, "status" | "header">,
  work: () => Promise<Answer<Body>>,
): Promise<Body> {
  const key = request.headers["idempotency-key"];
  if (!key) {
    const { status, body } = await work();
    void reply.status(status);
    return body;
  }
  const call = `${request.method} ${request.url}`;
  const keyed = { key, call, payload: request.body };
  const { status, body, replayed } = await idempotency.once(memberOf(request), keyed, work);
  if (replayed) void reply.header("Idempotent-Replayed", "true");
  void reply.status(status);
  return body;
}
