import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import type { CallReply } from "#server/api/declared-calls.ts";
import type { Answer } from "#server/features/idempotency/idempotency.ts";
import type { Features } from "#server/features/index.ts";
import { limits } from "#shared/limits.ts";

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

/** Part of the schema of calls that create something; declare `key-reused` among their refusals. */
export const takesKey = {
  headers: idempotencyHeaders,
  answerHeaders: { "Idempotent-Replayed": "`true` for the answer of an earlier request" },
} as const;

/** `body` is what tells one request from another. */
type Asked = Pick<FastifyRequest, "viewer" | "method" | "url" | "body"> & {
  headers: z.output<typeof idempotencyHeaders>;
};
type Reply = CallReply;
type Keys = Pick<Features, "idempotency">;

/** Answers a call with `work`: at most once if its caller sent a key. */
export async function answerOnce<Body>(
  { idempotency }: Keys,
  request: Asked,
  reply: Reply,
  work: () => Promise<Answer<Body>>,
): Promise<Body> {
  const keyed = keyedFrom(request);
  if (!keyed) return sendAnswer(reply, await work());
  const answer = await idempotency.once(memberOf(request), keyed, work);
  return sendAnswer(reply, answer, answer.replayed);
}

/** Work whose slow part, `prepare`, is done before a connection is taken for the rest. */
type Prepared<Ready, Body> = {
  prepare: () => Promise<Ready>;
  work: (ready: Ready) => Promise<Answer<Body>>;
  /** where an equal request was faster */
  drop: (ready: Ready) => Promise<void>;
};

/** The same for work with a slow part, which is skipped if the answer is already known. */
export async function answerPreparedOnce<Ready, Body>(
  features: Keys,
  request: Asked,
  reply: Reply,
  { prepare, work, drop }: Prepared<Ready, Body>,
): Promise<Body> {
  const keyed = keyedFrom(request);
  const earlier = keyed && (await features.idempotency.find<Body>(memberOf(request), keyed));
  if (earlier) return sendAnswer(reply, earlier, true);
  const ready = await prepare();
  let used = false;
  try {
    return await answerOnce(features, request, reply, () => {
      used = true;
      return work(ready);
    });
  } finally {
    if (!used) await drop(ready);
  }
}

function keyedFrom({ headers, method, url, body }: Asked) {
  const key = headers["idempotency-key"];
  return key ? { key, call: `${method} ${url}`, payload: body } : null;
}

function sendAnswer<Body>(reply: Reply, { status, body }: Answer<Body>, replayed = false): Body {
  if (replayed) void reply.header("Idempotent-Replayed", "true");
  void reply.status(status);
  return body;
}
