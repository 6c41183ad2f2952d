import { createServer } from "node:http";
import { createElement } from "react";
import { renderToPipeableStream } from "react-dom/server";
import {
  createRequestHandler,
  ServerRouter,
  type EntryContext,
  type RouterContextProvider,
  type ServerBuild,
} from "react-router";
import { formCalls } from "#server/api/form-calls.ts";
import { sumStorage } from "#server/features/administration/index.ts";
import type { PageContext } from "#server/http/page-context.ts";
import { createStatus } from "#server/platform/status/status.ts";
import { asBrowser, openProduct } from "../product.ts";

/**
 * What the feed page is compared with: Node's own HTTP server that renders the same tree of the same build,
 * with the data of one viewer's page read once at the start; React's stream goes straight to the socket. No
 * session, no database, no loaders, no headers, no log.
 */
type Settings = { databaseUrl: string; dataDir: string; cookie: string };

const { databaseUrl, dataDir, cookie } = JSON.parse(process.env.BENCH ?? "") as Settings;
const url = `http://127.0.0.1:${process.env.PORT}/`;
const nonce = "c29tZSBub25jZSBvZiAyMg==";

const path = new URL("../../build/server/index.js", import.meta.url).href;
const build = (await import(path)) as ServerBuild;
const { provideContext } = build.entry.module as unknown as {
  provideContext: (value: PageContext) => RouterContextProvider;
};
const seen = await captureTree();

const server = createServer((_request, response) => {
  const pieces = seen.handoff;
  const context: EntryContext = {
    ...seen.tree,
    renderMeta: {},
    serverHandoffStream: new ReadableStream({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    }),
  };
  const { pipe } = renderToPipeableStream(createElement(ServerRouter, { context, url, nonce }), {
    nonce,
    onShellReady: () => {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      pipe(response);
    },
    onError: (error) => {
      response.destroy(error as Error);
    },
  });
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send?.({ ready: true }));
process.on("SIGTERM", () => process.exit(0));

/** Lets the screens answer once, up to the point where rendering would begin. */
async function captureTree(): Promise<{ tree: EntryContext; handoff: Uint8Array[] }> {
  const product = openProduct({ connection: { connectionString: databaseUrl }, dataDir });
  const { features, config } = product;
  let captured: EntryContext | null = null;
  const entry = {
    ...build.entry.module,
    default: (_request: Request, _status: number, _headers: Headers, tree: EntryContext) => {
      captured = tree;
      return new Response("");
    },
  };
  const handle = createRequestHandler({ ...build, entry: { module: entry } }, "production");
  const context = provideContext({
    countAddresses: async () => undefined,
    head: false,
    viewer: await features.identity.sessions.viewerOf({ cookie }),
    leaving: null,
    features,
    status: createStatus({
      config,
      db: product.db,
      log: { error: () => {} },
      troubles: features.troubles,
      sumStorage,
    }),
    site: await features.site(),
    client: { ip: "127.0.0.1", userAgent: "bench", cookieHeader: cookie },
    calls: formCalls,
    call: () => Promise.reject(new Error("Nothing is sent here.")),
    readForm: () => Promise.reject(new Error("Nothing is sent here.")),
    languages: [{ tag: "en", name: "English", draft: false }],
    language: "en",
    timeZone: "UTC",
    theme: "light",
    nonce,
    publicUrl: config.publicUrl,
    origin: "",
    imageBaseUrl: "",
  });
  await handle(new Request(url, { headers: asBrowser(cookie) }), context);
  const tree = captured as EntryContext | null;
  if (!tree?.serverHandoffStream) throw new Error("The feed page was not rendered.");
  const handoff: Uint8Array[] = [];
  for await (const piece of tree.serverHandoffStream) handoff.push(piece);
  await product.close();
  return { tree, handoff };
}
