import type { FastifyReply, FastifyRequest } from "fastify";
import { logFailure, toRefusal } from "#server/http/errors.ts";
import type { RefusalCode } from "#shared/errors.ts";

/** OAuth's error code for a refusal (RFC 6749, sections 4.1.2.1 and 5.2). */
const oauthErrors: Partial<Record<RefusalCode, string>> = {
  "app-unknown": "invalid_client",
  "app-redirect": "invalid_redirect_uri",
  "app-scope": "invalid_scope",
  "app-code": "invalid_grant",
  "app-request": "invalid_request",
  "input-invalid": "invalid_request",
  "app-token": "invalid_token",
};

/** Refusals of what was sent, which Mastodon answers with 422. */
const unprocessable: ReadonlySet<RefusalCode> = new Set([
  "input-invalid",
  "post-empty",
  "picture-unknown",
  "too-many-pictures",
  "self-follow",
  "self-block",
  "self-report",
  "comment-gone",
  "post-changed",
  "edit-too-late",
  "email-in-use",
  "username-taken",
]);

/** Mastodon looks for what is changed among its caller's own: others' status is not found, though it is there. */
const notFound: ReadonlySet<RefusalCode> = new Set(["not-found", "not-yours"]);

const ownWords: Partial<Record<RefusalCode, string>> = {
  "not-found": "Record not found",
  "not-yours": "Record not found",
  "sign-in-required": "This method requires an authenticated user",
};

/** Errors of the Mastodon API: `{ error }`, and for OAuth `{ error, error_description }`. */
export function answerRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toRefusal(error);
  logFailure(request.log, error, refusal);
  const { code, status, message, fields, retryAfter } = refusal;
  const isOauth = request.url.startsWith("/oauth/");
  const [words = message] = code === "input-invalid" && fields ? Object.values(fields) : [];
  const sentence = ownWords[code] ?? (words === "required*" ? "Validation failed" : words);
  const oauth = isOauth ? oauthErrors[code] : undefined;
  if (refusal.status === 413) void reply.removeHeader("connection");
  if (retryAfter !== undefined) void reply.header("Retry-After", retryAfter);
  if (status === 401) void reply.header("WWW-Authenticate", 'Bearer realm="Postcard"');
  void reply
    .header("Cache-Control", "no-store")
    .status(isOauth ? status : statusOf(code, status))
    .send(oauth ? { error: oauth, error_description: sentence } : { error: sentence });
}

function statusOf(code: RefusalCode, usual: number): number {
  if (notFound.has(code)) return 404;
  return unprocessable.has(code) ? 422 : usual;
}

/** The `Link` header of a list: the next and the previous page (docs.joinmastodon.org/api/guidelines). */
export function linkPages(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    publicUrl,
    next,
    prev,
  }: {
    publicUrl: string;
    next: Record<string, string> | null;
    prev: Record<string, string> | null;
  },
): void {
  const [path = "", query = ""] = request.url.split("?", 2);
  const otherParams = new URLSearchParams(query);
  for (const name of ["max_id", "min_id", "since_id"]) otherParams.delete(name);
  const links = [
    [next, "next"],
    [prev, "prev"],
  ] as const;
  const entries = links.flatMap(([added, rel]) => {
    if (!added) return [];
    const all = new URLSearchParams([...otherParams, ...Object.entries(added)]);
    return [`<${publicUrl}${path}?${all.toString()}>; rel="${rel}"`];
  });
  if (entries.length > 0) void reply.header("Link", entries.join(", "));
}
