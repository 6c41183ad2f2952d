import type { IncomingMessage, ServerResponse } from "node:http";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifySchemaCompiler,
  RawServerDefault,
  RouteOptions,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { addDocument } from "#server/api/document.ts";
import { addImagePasses } from "#server/api/image-passes.ts";
import { refusalSchemas } from "#server/api/refusals.ts";
import type { Features } from "#server/features/index.ts";
import { compressAnswers } from "#server/http/compress.ts";
import { countJson } from "#shared/json-bounds.ts";
import { outages, refuse, type RefusalCode } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import type { Viewer } from "#shared/views.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** the signed-in member, on the routes for programs */
    viewer: Viewer | null;
  }
  interface FastifyContextConfig {
    /** `member`: a visitor is refused with sign-in-required before anything is read */
    access?: "anybody" | "member";
    /** what this call refuses with, beyond the refusals of every call */
    refusals?: readonly RefusalCode[];
    /** the status of its success, where it declares a single one */
    answersWith?: number | undefined;
  }
  interface FastifySchema {
    /** one line: what the call does. Every call has one, or `hide` */
    summary?: string;
    description?: string;
    tags?: readonly string[];
    consumes?: readonly string[];
    /** its name in generated clients; made from its method and address if missing */
    operationId?: string;
    /** headers of its successful answers: by name, with a description */
    answerHeaders?: Readonly<Record<string, string>>;
    security?: readonly Record<string, readonly string[]>[];
    /** not in the document */
    hide?: boolean;
  }
}

/** Where calls are declared: handlers get what their route's zod schemas make of a request. */
export type Calls = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

type Deps = {
  features: {
    identity: { sessions: Pick<Features["identity"]["sessions"], "viewerOf" | "renewedCookies"> };
    imagePasses: Pick<Features["imagePasses"], "issue">;
  };
  publicUrl: string;
};

/**
 * Turns a scope of the app into one for calls. A route declared in it says once, in zod, what it takes and
 * answers (`schema`), who may call it and what it refuses with (`config`); from that come the check of what
 * is sent (400 naming the field), the types of its handler, the OpenAPI document and what the tests compare
 * its answers with.
 *
 * JSON.stringify writes answers as they are (docs/decisions/0034). The tests check every answer against the
 * document (server/test/app.ts).
 */
export async function addCalls(calls: Calls, deps: Deps): Promise<void> {
  calls.setValidatorCompiler(checkPart);
  calls.setSerializerCompiler(() => JSON.stringify);
  readJsonBodies(calls);

  calls.addHook("onRequest", async (request, reply) => {
    const { access, answersWith } = request.routeOptions.config;
    if (access === undefined) return;
    if (answersWith) void reply.status(answersWith);
    void reply.header("Cache-Control", "private, no-store");
    request.viewer = await deps.features.identity.sessions.viewerOf(request.headers);
    if (access === "member" && !request.viewer) throw refuse("sign-in-required");
  });
  addImagePasses(calls, deps.features.imagePasses);
  // Calls by the scripts of a page prolong the browser's session, as opening a page does.
  calls.addHook("onSend", async ({ viewer, headers }, reply, payload) => {
    const storable = !String(reply.getHeader("Cache-Control")).includes("no-store");
    if (headers.authorization || storable || reply.hasHeader("Set-Cookie")) return payload;
    for (const cookie of deps.features.identity.sessions.renewedCookies(viewer)) {
      void reply.header("Set-Cookie", cookie);
    }
    return payload;
  });
  compressAnswers(calls);
  calls.addHook("onRoute", completeDeclaration);
  await addDocument(calls, deps);
}

/** One part of a request, after its schema parsed it. */
const checkPart: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data: unknown) => {
    try {
      return { value: parseInput(schema, data) };
    } catch (error) {
      return { error: error as Error };
    }
  };

/** For a call whose body is a stream that the form reader bounds and reads. */
export const checkAllButBody: FastifySchemaCompiler<z.ZodType> = (part) =>
  part.httpPart === "body" ? () => true : checkPart(part);

/** The caller of a route with `access: "member"`. */
export function memberOf(request: Pick<FastifyRequest, "viewer">): Viewer {
  if (!request.viewer) throw refuse("sign-in-required");
  return request.viewer;
}

/** A document of 5 MB, the largest body there is, has some 200,000 values, six deep. */
const mostJson = { depth: 32, values: 300_000 };

/** `DELETE` and `PUT` need no body, but many clients send an empty one as JSON. */
function readJsonBodies(calls: Calls): void {
  const parse = calls.getDefaultJsonParser("error", "error");
  calls.removeContentTypeParser(["application/json", "text/plain"]);
  calls.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const json = body as Buffer;
    if (json.length === 0) return done(null, undefined);
    // a parser takes half a second for five million brackets, and blocks everybody else
    if (typeof countJson(json, mostJson) !== "number") return done(refuse("json-too-complex"));
    void parse(request, json.toString(), done);
  });
}

const unsafe = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Adds what follows from a route's declaration: its refusals and who may call it. */
function completeDeclaration(route: RouteOptions): void {
  const { schema, config, url, method } = route;
  if (schema?.hide) return;
  if (!schema?.summary || !schema.tags || !schema.response || !config?.access) {
    throw new Error(
      `${String(method)} ${url} must declare its summary, tags, response and access, or hide.`,
    );
  }
  const member = config.access === "member";
  const codes: RefusalCode[] = ["too-many-attempts", "internal", ...outages];
  if (schema.params) codes.push("address-too-long");
  if (member) codes.push("sign-in-required");
  if (member && unsafe.has(String(method))) codes.push("too-many-writes");
  // A body that a call doesn't need is parsed all the same, and can be malformed.
  if (unsafe.has(String(method))) {
    codes.push("wrong-origin", "input-invalid", "json-too-complex", "too-large", "media-type");
  } else if (schema.params || schema.querystring || schema.headers) {
    codes.push("input-invalid");
  }
  codes.push(...(config.refusals ?? []));
  const statuses = Object.keys(schema.response).map(Number);
  route.config = { ...config, answersWith: statuses.length === 1 ? statuses[0] : undefined };
  route.schema = {
    ...schema,
    operationId: schema.operationId ?? operationIdOf(String(method), url),
    response: { ...schema.response, ...refusalSchemas(codes) },
    // `{}`: signing in is optional, but a signed-in caller is recognised
    security: [...(member ? [] : [{}]), { session: [] }, { bearer: [] }],
  };
}

/** `GET /api/users/:email` → getUsersByEmail. */
function operationIdOf(method: string, url: string): string {
  const words = url
    .replace(/^\/api\//, "")
    .split(/[/-]/)
    .map((part) =>
      part.replace(/^:/, "by-").replace(/(?:^|-)(\w)/g, (_, first) => first.toUpperCase()),
    );
  return method.toLowerCase() + words.join("");
}
