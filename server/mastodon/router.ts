import type { WebSocket } from "@fastify/websocket";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerRefusal } from "#server/mastodon/answers.ts";
import { createInput, entriesOf, queryEntries, type Input } from "#server/mastodon/input.ts";
import type { AppCaller } from "#server/features/apps/index.ts";
import { bearerIn } from "#server/features/identity/index.ts";
import type { Features } from "#server/features/index.ts";
import { compressAnswers } from "#server/http/compress.ts";
import { readForm, type Form } from "#server/http/multipart.ts";
import type { Uploads } from "#server/http/uploads.ts";
import { countJson } from "#shared/json-bounds.ts";
import { networkOf } from "#server/platform/networks.ts";
import { covers, type AppScope } from "#shared/app-scopes.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/**
 * Who may make a call: `anybody`, with a token or without; `app`, any token; `member`, a token that a member
 * granted. With `scope`, a token that is sent must have it.
 */
export type Access = {
  who: "anybody" | "app" | "member";
  scope?: AppScope;
  /** its token may be in the address or a subprotocol: browsers can set no other header for a stream */
  streams?: true;
};

export type Call = {
  deps: MastodonDeps;
  request: FastifyRequest;
  reply: FastifyReply;
  /** part of the address */
  part: (name: string) => string;
  input: Input;
  caller: AppCaller | null;
  viewer: Viewer | null;
};

/** The same, by a member. */
export type MemberCall = Call & { viewer: Viewer; caller: AppCaller };

export type MastodonDeps = {
  features: Features;
  publicUrl: string;
  /** where public images are */
  imagesUrl: string;
  uploads: Uploads;
};

declare module "fastify" {
  interface FastifyRequest {
    appCaller: AppCaller | null;
    appForm: Form | null;
    /** for a WebSocket, handled after all checks that refuse */
    appCall?: Call;
  }
  interface FastifyContextConfig {
    appAccess?: Access;
    takesFiles?: boolean;
  }
}

const mostJson = { depth: 8, values: 5000 };

export type MastodonRouter = {
  get: Declare;
  post: Declare;
  put: Declare;
  patch: Declare;
  delete: Declare;
  /** by a member, with this right */
  member: (
    method: "get" | "post" | "put" | "patch" | "delete",
    url: string,
    scope: AppScope,
    handler: (call: MemberCall) => unknown,
    options?: { takesFiles?: boolean; streams?: true },
  ) => void;
  /** a WebSocket of a member; other requests are refused */
  socket: (url: string, handler: (call: MemberCall, socket: WebSocket) => void) => void;
};
type Declare = (url: string, access: Access, handler: (call: Call) => unknown) => void;

/**
 * Turns a scope of the app into the Mastodon client API: parameters from anywhere, tokens of apps and nothing
 * else, errors in its shape, CORS for every origin without credentials. Cookies are ignored.
 */
export function createMastodonRouter(app: FastifyInstance, deps: MastodonDeps): MastodonRouter {
  app.setErrorHandler(answerRefusal);
  readBodies(app, deps.uploads);
  compressAnswers(app);
  app.addHook("onRequest", async (request, reply) => {
    void reply.headers(corsHeaders);
    // Pages of other origins may read these answers.
    reply.raw.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    const access = request.routeOptions.config.appAccess;
    if (!access) return;
    void reply.header("Cache-Control", "private, no-store");
    request.appCaller = await callerOf(deps.features.apps, request, access);
  });

  const of =
    (method: string): Declare =>
    (url, access, handler) =>
      declare(app, deps, { method, url, access, handler });

  return {
    get: of("GET"),
    post: of("POST"),
    put: of("PUT"),
    patch: of("PATCH"),
    delete: of("DELETE"),
    member: (method, url, scope, handler, { takesFiles = false, ...more } = {}) =>
      declare(app, deps, {
        method: method.toUpperCase(),
        url,
        access: { who: "member", scope, ...more },
        handler: (call) => handler(ofMember(call)),
        takesFiles,
      }),
    socket: (url, handler) =>
      app.route({
        method: "GET",
        url,
        exposeHeadRoute: false,
        schema: { hide: true },
        config: { appAccess: { who: "member", streams: true } },
        // Runs after the answer, whose hooks have already run.
        preHandler: async (request, reply) => {
          if (!request.ws) throw refuse("not-found", { message: "This address takes WebSockets." });
          request.appCall = callOf(deps, request, reply);
        },
        wsHandler: (socket, request) => {
          if (request.appCall) handler(ofMember(request.appCall), socket);
        },
        handler: () => undefined,
      }),
  };
}

/** JSON at once; forms as streams, once it is known who sends them. */
function readBodies(app: FastifyInstance, uploads: Uploads): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => {
    const json = body as Buffer;
    if (json.length === 0) return done(null, undefined);
    if (typeof countJson(json, mostJson) !== "number") return done(refuse("json-too-complex"));
    try {
      done(null, JSON.parse(json.toString()) as unknown);
    } catch (cause) {
      done(refuse("input-invalid", { message: "This is not JSON.", cause }));
    }
  });
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.addHook("preValidation", async (request) => {
    const type = request.headers["content-type"] ?? "";
    if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type)) return;
    const from = request.appCaller?.viewer?.id ?? networkOf(request.ip);
    const maxFiles = request.routeOptions.config.takesFiles ? 2 : 0;
    request.appForm = await readForm(request.raw, uploads, { maxFiles, from });
  });
  app.addHook("onResponse", async ({ appForm }) => appForm?.cleanup());
}

async function callerOf(
  apps: Pick<Features["apps"], "callerOf">,
  request: FastifyRequest,
  { who, scope, streams }: Access,
): Promise<AppCaller | null> {
  const token = bearerIn(request.headers.authorization) ?? (streams ? tokenBeside(request) : null);
  const caller = token === null ? null : await apps.callerOf(token);
  if (token !== null && !caller) throw refuse("app-token");
  if (who === "anybody" && !caller) return null;
  if (!caller) throw refuse("app-token");
  if (who === "member" && !caller.viewer) throw refuse("sign-in-required");
  if (scope && !covers(caller.scopes, scope)) throw refuse("app-right");
  return caller;
}

type Declared = {
  method: string;
  url: string;
  access: Access;
  handler: (call: Call) => unknown;
  takesFiles?: boolean;
};

function declare(
  app: FastifyInstance,
  deps: MastodonDeps,
  { method, url, access, handler, takesFiles = false }: Declared,
): void {
  app.route({
    method,
    url,
    exposeHeadRoute: false,
    schema: { hide: true },
    config: { appAccess: access, takesFiles },
    handler: async (request, reply) => {
      try {
        return await handler(callOf(deps, request, reply));
      } finally {
        // onResponse is not called for a client that disconnected.
        await request.appForm?.cleanup();
      }
    },
  });
}

function callOf(deps: MastodonDeps, request: FastifyRequest, reply: FastifyReply): Call {
  const params = request.params as Record<string, string>;
  const caller = request.appCaller;
  const part = (name: string) => params[name] ?? "";
  const input = inputOf(request);
  const { viewer = null } = caller ?? {};
  return { deps, request, reply, part, input, caller, viewer };
}

function ofMember(call: Call): MemberCall {
  const { viewer, caller } = call;
  if (!viewer || !caller) throw refuse("app-token");
  return { ...call, viewer, caller };
}

/** docs.joinmastodon.org/methods/streaming: in the query, or as the only subprotocol that is asked for. */
function tokenBeside({ query, headers }: FastifyRequest): string | null {
  const { access_token: inQuery } = query as Record<string, string | string[] | undefined>;
  const token = [inQuery].flat()[0] ?? headers["sec-websocket-protocol"];
  return token || null;
}

function inputOf({ url, body, appForm }: FastifyRequest): Input {
  const sent = appForm ? appForm.entries : entriesOf(body);
  return createInput([...queryEntries(url), ...sent], appForm?.files);
}

const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Link, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset",
};

/** The answer to a browser's preflight request. */
export const preflightHeaders = {
  ...corsHeaders,
  "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key",
  "Access-Control-Max-Age": "7200",
};
