import { createRequest, sendResponse } from "@remix-run/node-fetch-server";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { runCall } from "#server/api/declared-calls.ts";
import { formCalls } from "#server/api/form-calls.ts";
import { languageOf } from "#server/http/language.ts";
import { readForm, type Form } from "#server/http/multipart.ts";
import { addressesOf } from "#server/http/count-email-lookups.ts";
import type { Uploads } from "#server/http/uploads.ts";
import { readOrWrite } from "#server/http/replica-reads.ts";
import { compressFor } from "#server/http/compress.ts";
import { logFailure, toRefusal } from "#server/http/errors.ts";
import { originOf, themeOf, timeZoneOf, type PageContext } from "#server/http/page-context.ts";
import { sendPlainPage } from "#server/http/plain-page.ts";
import { allowByHash } from "#server/http/security-headers.ts";
import { clientOf } from "#server/http/request-client.ts";
import { declareCaching } from "#server/http/page-caching.ts";
import { networkOf } from "#server/platform/networks.ts";
import type { Stored } from "#server/features/administration/index.ts";
import type { Features } from "#server/features/index.ts";
import { isRefusal, type Refusal } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageAnswer, Screens } from "#server/screens.ts";
import type { Status } from "#server/platform/status/status.ts";
import { logStorageFault, storageRefusal } from "#server/platform/storage-faults.ts";

type Deps = {
  screens: Screens;
  features: Features;
  status: Status<Stored>;
  publicUrl: string;
  imageBaseUrl: string | null;
  origins: readonly string[];
  uploads: Uploads;
};

/** Every address that no program's route answers is a screen. */
export function pageRoutes(deps: Deps) {
  const { screens } = deps;
  return async (app: FastifyInstance): Promise<void> => {
    // The screens read forms as streams: Fastify leaves bodies alone here.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));

    if (screens.clientDirectory) await serveClient(app, screens.clientDirectory);
    for (const { root, prefix } of screens.languageAssets) await serveClient(app, root, prefix);
    await screens.attach(app);

    // Not TRACE, which a Request cannot carry, nor OPTIONS: no other origin may ask for a page.
    const method = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
    app.route({
      method,
      url: "/*",
      handler: async (request, reply) => {
        reply.hijack();
        await respond(deps, request, reply);
      },
    });
  };
}

async function serveClient(app: FastifyInstance, root: string, prefix = "/"): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    prefix,
    // What sends one file by name is there once.
    decorateReply: prefix === "/",
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes("/assets/");
      const policy = hashed ? "public, max-age=31536000, immutable" : "public, max-age=3600";
      void reply.header("Cache-Control", policy);
      // Apps in a browser, which are pages of other origins, show our icons.
      if (!hashed && path.endsWith(".png")) {
        void reply.header("Cross-Origin-Resource-Policy", "cross-origin");
        void reply.header("Access-Control-Allow-Origin", "*");
      }
    },
  });
}

/** The request as the screens see it: with the address the person used, if it is one of ours. */
function toWebRequest(
  { publicUrl, origins }: Pick<Deps, "publicUrl" | "origins">,
  request: FastifyRequest,
  reply: FastifyReply,
): Request {
  const asked = originOf(request.headers, publicUrl);
  const { protocol, host } = new URL(origins.includes(asked) ? asked : publicUrl);
  const question = createRequest(request.raw, reply.raw, { protocol, host });
  // The origin guard let it pass; React Router would take it for another site's.
  if (question.headers.get("origin") === "null") question.headers.delete("origin");
  // HEAD gets the headers of the page's GET, including those that allow its scripts: Node leaves the body
  // out.
  return question.method === "HEAD" ? new Request(question, { method: "GET" }) : question;
}

async function respond(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { sessions } = deps.features.identity;
  const forms: Form[] = [];
  const cookies: string[] = [];
  try {
    const viewer = await sessions.viewerOf(request.headers, { unread: true });
    const named = countNamed(deps.features, request, viewer);
    const asking = { viewer, forms, cookies, countAddresses: named.count };
    const context = await contextOf(deps, request, asking);
    const asked = { method: request.method, viewer };
    const response = await readOrWrite(sessions, asked, () =>
      deps.screens.respond(toWebRequest(deps, request, reply), context),
    );
    for (const set of cookies) response.headers.append("Set-Cookie", set);
    if (response.headers.getSetCookie().length === 0) {
      for (const renewed of sessions.renewedCookies(viewer)) {
        response.headers.append("Set-Cookie", renewed);
      }
    }
    // A page rendered for a middleware's error lacks its headers.
    const refused = named.refused();
    if (refused?.status === response.status && refused.retryAfter !== undefined) {
      response.headers.set("Retry-After", String(refused.retryAfter));
    }
    allowFormTo(reply, response);
    // For the service worker: whose page this is.
    response.headers.set("Postcard-Viewer", viewer?.id ?? "");
    await send(request, reply, response, deps.screens.languages.length > 1);
  } catch (error) {
    const refusal = toRefusal(error);
    logFailure(request.log, error, refusal, "a page could not be answered");
    sendPlainPage(reply, refusal);
  } finally {
    await Promise.all(forms.map((form) => form.cleanup()));
  }
}

/** Counts the emails by which a page names accounts; `refused` is why there were too many. */
function countNamed({ search }: Features, { ip }: FastifyRequest, viewer: Viewer | null) {
  let refused: Refusal | undefined;
  return {
    count: (named: Record<string, string | undefined>) =>
      search.countAddresses(viewer, ip, addressesOf(viewer, named)).catch((error: unknown) => {
        if (isRefusal(error)) refused = error;
        throw error;
      }),
    refused: () => refused,
  };
}

type Asking = Pick<PageContext, "viewer" | "countAddresses"> & {
  /** takes the forms that the page reads */
  forms: Form[];
  /** takes the cookies that calls of its forms set */
  cookies: string[];
};

async function contextOf(
  { screens, features, status, publicUrl, imageBaseUrl, uploads }: Deps,
  request: FastifyRequest,
  { viewer, countAddresses, forms, cookies }: Asking,
): Promise<PageContext> {
  const { ip, headers } = request;
  const { cookie } = headers;
  return {
    viewer,
    leaving: viewer ? null : await features.identity.recovery.leavingOf({ cookie }),
    features,
    calls: formCalls,
    call: (call, sent) =>
      runCall(call, features, { viewer, ip, headers }, sent, (set) => cookies.push(set)),
    status,
    site: await features.site(),
    countAddresses,
    client: clientOf(request),
    head: request.method === "HEAD",
    readForm: async (webRequest, bounds) => {
      const from = viewer?.id ?? networkOf(ip);
      const asked = { readPast: true, from, ...bounds };
      const form = await readForm(webRequest, uploads, asked).catch((error: unknown) => {
        const fault = storageRefusal(error);
        if (fault) logStorageFault(request.log, fault);
        throw error;
      });
      forms.push(form);
      const { address, chatId, conversationId } = form.fields;
      await countAddresses({ address, chatId, conversationId });
      return form;
    },
    languages: screens.languages,
    language: languageOf(headers, screens.languages, viewer),
    timeZone: timeZoneOf(cookie),
    theme: themeOf(cookie),
    nonce: request.nonce,
    publicUrl,
    origin: originOf(headers, publicUrl),
    imageBaseUrl: imageBaseUrl ?? "",
  };
}

/** The one page whose form may lead elsewhere: to an app's redirect address, once it was checked. */
function allowFormTo(reply: FastifyReply, { headers }: PageAnswer): void {
  const target = headers.get("Postcard-Form-Target");
  headers.delete("Postcard-Form-Target");
  const policy = reply.raw.getHeader("Content-Security-Policy");
  if (target === null || typeof policy !== "string") return;
  const wider = policy.replace("form-action 'self'", `form-action 'self' ${target}`);
  reply.raw.setHeader("Content-Security-Policy", wider);
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: PageAnswer,
  byLanguage: boolean,
) {
  const { headers } = response;
  // answered already: the server stops
  if (reply.raw.headersSent) return;
  const shared = declareCaching(request, response, byLanguage);
  const html =
    shared && response.html !== undefined
      ? allowByHash(response.html, request.nonce, reply.raw)
      : response.html;
  const compressible = /^text\/|json|javascript|xml/.test(headers.get("Content-Type") ?? "");
  const nothing = html === undefined && !response.body;
  if (nothing || !compressible || headers.has("Content-Encoding")) {
    return sendResponse(reply.raw, response);
  }
  const whole =
    html === undefined ? Buffer.from(await response.arrayBuffer()) : Buffer.from(html, "utf8");
  const { body, encoding } = await compressFor(request.headers["accept-encoding"], whole);
  if (encoding) headers.set("Content-Encoding", encoding);
  headers.append("Vary", "Accept-Encoding");
  headers.set("Content-Length", String(body.length));
  for (const [name, value] of headers) {
    if (name !== "set-cookie") reply.raw.setHeader(name, value);
  }
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) reply.raw.setHeader("Set-Cookie", cookies);
  reply.raw.statusCode = response.status;
  await new Promise<void>((resolve) => {
    reply.raw.once("close", resolve);
    reply.raw.end(body, () => resolve());
  });
}
