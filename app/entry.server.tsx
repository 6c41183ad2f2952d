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
import interLatin from "#app/styles/inter/latin.woff2?url";
import { isRefusal } from "#shared/errors.ts";
import { appContext, type PageContext } from "#app/lib/context.server.ts";
import { styleLittleRoom } from "#app/lib/page/little-room.server.ts";
import { beginScripts, waitingLinks, waitingScript } from "#app/lib/page/scripts-last.server.ts";

/** The server gets the bundle's own context key from here: see server/screens.ts. */
export function provideContext(value: PageContext): RouterContextProvider {
  const provider = new RouterContextProvider();
  provider.set(appContext, value);
  return provider;
}

/** For refusals that the server turns into pages: see server/http/refusal-pages.ts. */
export { inLanguage } from "#app/lib/text/refusal-sentences.ts";

/** Where unexpected errors go; set by the server: see server/screens.ts. */
export const errorSink: { report: (error: unknown, path: string) => void } = {
  report: () => undefined,
};

export function handleError(error: unknown, { request }: { request: Request }) {
  // A wrong method or address is the client's mistake, not ours.
  const refused = isRefusal(error) || (isRouteErrorResponse(error) && error.status < 500);
  if (request.signal.aborted || refused) return;
  errorSink.report(error, new URL(request.url).pathname);
}

/**
 * The fonts of every page: as a header, so that they are requested before the page is parsed; they are not
 * scripts.
 */
const fonts = [interLatin, serifLatin]
  .map((href) => `<${href}>; rel=preload; as=font; type="font/woff2"; crossorigin`)
  .join(", ");

/** A page's answer. `html` is its body as a string, since a Response would only copy it on the way out. */
export type PageAnswer = Response & { html?: string };

/**
 * Renders the whole document, then answers: every loader has been awaited before the render starts, so
 * streaming would only add conversions and hide the length from the client. Since nothing is left to wait
 * for, React can render one string, in three quarters of the time of its stream.
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
  const renderMeta = await withLoaderData(routerContext);
  const page = (): ReactNode => {
    // Its data is in renderMeta: an empty stream replaces the one that was read.
    const context = { ...routerContext, renderMeta, serverHandoffStream: new ReadableStream() };
    return <ServerRouter context={context} url={request.url} nonce={nonce} />;
  };
  const html = `<!DOCTYPE html>${renderToString(page())}`;
  if (!html.includes(unfinished)) return answer(status, headers, finished(html, nonce));
  const { html: waited, failed } = await renderAndWait(page(), nonce, (error) =>
    errorSink.report(error, new URL(request.url).pathname),
  );
  return answer(failed ? 500 : status, headers, finished(waited, nonce));
}

/** Each copy of a page that it is put together from would be garbage: these are slices of one. */
function finished(html: string, nonce: string): string {
  const headEnd = html.indexOf("</head>");
  const bodyEnd = html.lastIndexOf("</body>");
  if (headEnd === -1 || bodyEnd === -1) return html;
  return (
    waitingLinks(html.slice(0, headEnd)) +
    styleLittleRoom(nonce) +
    waitingScript(html.slice(headEnd, bodyEnd)) +
    beginScripts(nonce) +
    html.slice(bodyEnd)
  );
}

function answer(status: number, headers: Headers, html: string): PageAnswer {
  return Object.assign(new Response(null, { status, headers }), { html });
}

/**
 * What React writes where a part is pending or failed; what people write is escaped and never looks like
 * this.
 */
const unfinished = "<!--$!-->";

/**
 * The loaders' data for the browser, read from its stream and put where React Router looks first, so that
 * nothing in the page has to wait for a chunk of the stream.
 */
async function withLoaderData(context: EntryContext): Promise<EntryContext["renderMeta"]> {
  const streamCache: NonNullable<NonNullable<EntryContext["renderMeta"]>["streamCache"]> = {};
  const decoder = new TextDecoder();
  let index = 0;
  const append = (done: boolean, value: string) => {
    streamCache[index] = Object.assign(Promise.resolve(), { result: { done, value } });
    index += 1;
  };
  for await (const piece of context.serverHandoffStream ?? []) {
    append(false, decoder.decode(piece, { stream: true }));
  }
  append(true, decoder.decode());
  return { ...context.renderMeta, streamCache };
}

/**
 * For a page with a part that comes later, such as a component whose code is still loading: the stream
 * waits.
 */
async function renderAndWait(page: ReactNode, nonce: string, report: (error: unknown) => void) {
  let failed = false;
  const body = await new Promise<PassThrough>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      // Otherwise a pending part would be hidden at the end of a long page, for a script to move it.
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
