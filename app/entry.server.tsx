import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { renderToPipeableStream } from "react-dom/server";
import { RouterContextProvider, ServerRouter, type EntryContext } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { appContext, type PageContext } from "#app/lib/context.ts";

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
  if (request.signal.aborted || isRefusal(error)) return;
  errorSink.report(error, new URL(request.url).pathname);
}

/**
 * Renders the whole document, then answers: every loader is awaited before the render starts, so
 * streaming would only add conversions (and hide the length from the client).
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const { nonce } = loadContext.get(appContext);
  let finalStatus = status;
  const html = await new Promise<Buffer>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
      {
        nonce,
        onAllReady: () => {
          const body = new PassThrough();
          pipe(body);
          buffer(body).then(resolve, reject);
        },
        onShellError: reject,
        onError: (error) => {
          finalStatus = 500;
          errorSink.report(error, new URL(request.url).pathname);
        },
      },
    );
  });
  return new Response(new Uint8Array(html), { status: finalStatus, headers });
}
