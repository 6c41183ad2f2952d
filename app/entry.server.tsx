import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ReactNode } from "react";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import {
  isRouteErrorResponse,
  RouterContextProvider,
  ServerRouter,
  type EntryContext,
} from "react-router";
import serifLatin from "@fontsource/instrument-serif/files/instrument-serif-latin-400-italic.woff2?url";
import interLatin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import { isRefusal } from "#shared/errors.ts";
import { appContext, type PageContext } from "#app/lib/context.server.ts";
import { scriptsLast } from "#app/lib/page/scripts-last.server.ts";

/** The server reaches the bundle's own context key through this: see server/screens.ts. */
export function provideContext(value: PageContext): RouterContextProvider {
  const provider = new RouterContextProvider();
  provider.set(appContext, value);
  return provider;
}

/** Told by the server where unexpected errors go: see server/screens.ts. */
export const errorSink: { report: (error: unknown, path: string) => void } = {
  report: () => undefined,
};

export function handleError(error: unknown, { request }: { request: Request }) {
  // A wrong method or address is the client's mistake, not ours.
  const refused = isRefusal(error) || (isRouteErrorResponse(error) && error.status < 500);
  if (request.signal.aborted || refused) return;
  errorSink.report(error, new URL(request.url).pathname);
}

/** The fonts of every page: as a header they are asked for before the page is read, and are no script. */
const fonts = [interLatin, serifLatin]
  .map((href) => `<${href}>; rel=preload; as=font; type="font/woff2"; crossorigin`)
  .join(", ");

/** A page's answer: `html` is its body, which a Response would only copy around on its way out. */
export type PageAnswer = Response & { html?: string };

/**
 * Renders the whole document, then answers: every loader is awaited before the render starts, so
 * streaming would only add conversions and hide the length from the client. Since nothing is left
 * to wait for, React can write one string, in three quarters of the time of its stream.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<PageAnswer> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.append("Link", fonts);
  const { nonce } = loadContext.get(appContext);
  const renderMeta = await withHandoffAtHand(routerContext);
  const page = (): ReactNode => {
    // Its data is in renderMeta: an empty one stands in for the stream that was read.
    const context = { ...routerContext, renderMeta, serverHandoffStream: new ReadableStream() };
    return <ServerRouter context={context} url={request.url} nonce={nonce} />;
  };
  const html = `<!DOCTYPE html>${renderToString(page())}`;
  if (!html.includes(unfinished)) return answer(status, headers, scriptsLast(html, nonce));
  const { html: waited, failed } = await renderAndWait(page(), nonce, (error) =>
    errorSink.report(error, new URL(request.url).pathname),
  );
  return answer(failed ? 500 : status, headers, scriptsLast(waited, nonce));
}

function answer(status: number, headers: Headers, html: string): PageAnswer {
  return Object.assign(new Response(null, { status, headers }), { html });
}

/** What React writes where a part waits or failed; what people write is escaped and never is this. */
const unfinished = "<!--$!-->";

/**
 * The loaders' data for the browser, read from its stream into the place where React Router looks
 * for it first: so nothing of the page has to wait for a piece of the stream.
 */
async function withHandoffAtHand(context: EntryContext): Promise<EntryContext["renderMeta"]> {
  const streamCache: NonNullable<NonNullable<EntryContext["renderMeta"]>["streamCache"]> = {};
  const decoder = new TextDecoder();
  let index = 0;
  const keep = (done: boolean, value: string) => {
    streamCache[index] = Object.assign(Promise.resolve(), { result: { done, value } });
    index += 1;
  };
  for await (const piece of context.serverHandoffStream ?? []) {
    keep(false, decoder.decode(piece, { stream: true }));
  }
  keep(true, decoder.decode());
  return { ...context.renderMeta, streamCache };
}

/** For a page with a part that comes later, as one whose code is read first: the stream waits. */
async function renderAndWait(page: ReactNode, nonce: string, report: (error: unknown) => void) {
  let failed = false;
  const body = await new Promise<PassThrough>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      // Else a part that waited stands hidden at the end of a long page, for a script to move it.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => resolve(pipe(new PassThrough())),
      onShellError: reject,
      onError: (error) => {
        failed = true;
        report(error);
      },
    });
  });
  return { html: await text(body), failed };
}
