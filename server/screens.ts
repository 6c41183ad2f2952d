import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";
import { withRefusalPages } from "#server/http/refusal-pages.ts";
import type { PageContext } from "#server/http/page-context.ts";

/** The screens as the server uses them: a function from a request to an answer. */
export type Screens = {
  /** where the browser's built files are; null if Vite serves them */
  clientDirectory: string | null;
  /** serves the browser's files in development */
  attach: (app: FastifyInstance) => Promise<void>;
  respond: (request: Request, context: PageContext) => Promise<PageAnswer>;
  /** the first segments of their addresses, including "" */
  names: ReadonlySet<string>;
  close: () => Promise<void>;
};

/** A Response with the page's body beside it as text; other answers are a Response only. */
export type PageAnswer = Response & { html?: string };

type ReportError = (error: unknown, path: string) => void;

/** What app/entry.server.tsx exports besides its default. */
type EntryModule = {
  provideContext: (value: PageContext) => RouterContextProvider;
  errorSink: { report: ReportError };
};

/**
 * Loads the built screens from `root`/build.
 * @throws when they were never built
 */
export async function loadBuiltScreens(root: string, report: ReportError): Promise<Screens> {
  const build = (await import(
    pathToFileURL(join(root, "build/server/index.js")).href
  )) as ServerBuild;
  const entry = build.entry.module as unknown as EntryModule;
  entry.errorSink.report = report;
  const handle = createRequestHandler(withRefusalPages(build, report), "production");
  return {
    clientDirectory: join(root, "build/client"),
    attach: async () => undefined,
    respond: (request, context) => handle(request, entry.provideContext(context)),
    names: namesIn(build),
    close: async () => undefined,
  };
}

function namesIn({ routes }: ServerBuild): ReadonlySet<string> {
  return new Set(Object.values(routes).map((route) => route?.path?.split("/", 1)[0] ?? ""));
}

/** Loads the screens from app/ through Vite in this process, so that edits show at once. */
export async function loadDevelopmentScreens(root: string, report: ReportError): Promise<Screens> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    root,
    server: { middlewareMode: true },
    appType: "custom",
  });
  const loadBuild = async () =>
    (await vite.ssrLoadModule("virtual:react-router/server-build")) as ServerBuild;
  return {
    clientDirectory: null,
    attach: async (app) => {
      app.addHook("onRequest", (request, reply, done) => {
        vite.middlewares(request.raw, reply.raw, done);
      });
    },
    respond: async (request, context) => {
      const build = await loadBuild();
      const entry = build.entry.module as unknown as EntryModule;
      entry.errorSink.report = report;
      const handle = createRequestHandler(withRefusalPages(build, report), "development");
      return handle(request, entry.provideContext(context));
    },
    // Requests in development are not counted.
    names: new Set(),
    close: () => vite.close(),
  };
}
