import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import type { InlineConfig, ViteDevServer } from "vite";
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";
import { messagesIn } from "../messages/plugin.ts";
import { messagesOf } from "../messages/read.ts";
import { sourceLanguage } from "../scripts/lib/languages.mjs";
import { withRefusalPages } from "#server/http/refusal-pages.ts";
import type { PageContext } from "#server/http/page-context.ts";
import type { OfferedLanguage } from "#shared/languages.ts";

/** The screens as the server uses them: a function from a request to an answer. */
export type Screens = {
  /** where the browser's built files are; null if Vite serves them */
  clientDirectory: string | null;
  /** where those of each other language are, and how their addresses begin */
  languageAssets: readonly { root: string; prefix: string }[];
  /** what they are offered in; the first is for who asks for none of them */
  languages: readonly OfferedLanguage[];
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
  /** a sentence of ours in the language of these screens */
  inLanguage: (sentence: string) => string;
};

const englishAlone: readonly string[] = [sourceLanguage];

/**
 * Loads the built screens from `root`/build: English at once, every other language when somebody first asks for it.
 * @throws when they were never built
 */
export async function loadBuiltScreens(
  root: string,
  report: ReportError,
  languages = englishAlone,
): Promise<Screens> {
  const loaded = new Map<string, ReturnType<typeof loadLanguage>>();
  const load = (language: string) => {
    const known = loaded.get(language);
    if (known) return known;
    const loading = loadLanguage(root, language, report);
    loaded.set(language, loading);
    loading.catch(() => loaded.delete(language));
    return loading;
  };
  const { build } = await load(sourceLanguage);
  const others = languages.filter((language) => language !== sourceLanguage);
  return {
    clientDirectory: join(root, "build/client"),
    languageAssets: others.map((language) => {
      const prefix = `/assets/${language}/`;
      return { root: join(root, "build/languages", language, "client", prefix), prefix };
    }),
    languages: languages.map(offered),
    attach: async () => undefined,
    respond: async (request, context) => (await load(context.language)).respond(request, context),
    names: namesIn(build),
    close: async () => undefined,
  };
}

/** The file of a language's build; whether it is there is another question. */
export function builtScreens(root: string, language: string): string {
  const folder = language === sourceLanguage ? "build" : join("build/languages", language);
  return join(root, folder, "server/index.js");
}

async function loadLanguage(root: string, language: string, report: ReportError) {
  const file = builtScreens(root, language);
  const build = (await import(pathToFileURL(file).href)) as ServerBuild;
  return { build, respond: respondWith(build, report, "production") };
}

/** How a build answers: loaders get its own context, and refusals are said in its language. */
function respondWith(
  build: ServerBuild,
  report: ReportError,
  mode: "production" | "development",
): Screens["respond"] {
  const entry = build.entry.module as unknown as EntryModule;
  entry.errorSink.report = report;
  const handle = createRequestHandler(withRefusalPages(build, report, entry.inLanguage), mode);
  return (request, context) => handle(request, entry.provideContext(context));
}

function offered(language: string): OfferedLanguage {
  const { name, state } = messagesOf(language, "language.json");
  return { tag: language, name: String(name), draft: state === "draft" };
}

function namesIn({ routes }: ServerBuild): ReadonlySet<string> {
  return new Set(Object.values(routes).map((route) => route?.path?.split("/", 1)[0] ?? ""));
}

/** Loads the screens from app/ through Vite in this process, so that edits show at once. */
export async function loadDevelopmentScreens(
  root: string,
  languages: readonly string[],
  report: ReportError,
): Promise<Screens> {
  const { createServer } = await import("vite");
  const servers = new Map<string, ViteDevServer>();
  for (const [index, language] of languages.entries()) {
    servers.set(language, await createServer(developmentOptions(root, language, index)));
  }
  const [first] = servers.values();
  const serverOf = (language: string | undefined) => servers.get(language ?? "") ?? first;
  return {
    clientDirectory: null,
    languageAssets: [],
    languages: languages.map(offered),
    attach: async (app) => {
      app.addHook("onRequest", (request, reply, done) => {
        const language = /^\/assets\/([\w-]+)\//.exec(request.url)?.[1] ?? sourceLanguage;
        serverOf(language)?.middlewares(request.raw, reply.raw, done);
      });
    },
    respond: async (request, context) => {
      const server = serverOf(context.language);
      const build = await server?.ssrLoadModule("virtual:react-router/server-build");
      return respondWith(build as ServerBuild, report, "development")(request, context);
    },
    // Requests in development are not counted.
    names: new Set(),
    close: async () => void (await Promise.all([...servers.values()].map((one) => one.close()))),
  };
}

/** Each language has a server of its own, whose files have addresses of their own. */
function developmentOptions(root: string, language: string, index: number): InlineConfig {
  const common = { root, appType: "custom" } as const;
  if (language === sourceLanguage) return { ...common, server: { middlewareMode: true } };
  return {
    ...common,
    base: `/assets/${language}/`,
    cacheDir: join("node_modules/.vite-languages", language),
    plugins: [messagesIn(language)],
    server: { middlewareMode: true, ws: { port: 24_679 + index } },
  };
}
