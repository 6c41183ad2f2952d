import type { CustomFetch } from "openid-client";
import { problem } from "#shared/providers.ts";

/** No answer of a provider is larger: discovery documents and key sets have a few kilobytes. */
const answerBytes = 512 * 1024;

/**
 * Requests to providers: a redirect is an answer and is not followed; a body is read to its end within the
 * caller's time and no further than `answerBytes`. Throws network-request-failed when the provider is away,
 * too slow, or answers that it cannot answer now (429, 5xx).
 */
export function createBoundedFetch(send: typeof fetch): CustomFetch {
  return async (url, options) => {
    let response: Response;
    let body: Uint8Array<ArrayBuffer>;
    try {
      response = await send(url, { ...options, redirect: "manual" } as RequestInit);
      body = await readBounded(response);
    } catch (error) {
      throw problem("network-request-failed", error);
    }
    const { status, statusText, headers } = response;
    if (status === 429 || status >= 500) {
      const { origin, pathname } = new URL(url);
      const cause = new Error(`${origin}${pathname} answered ${status}`);
      throw problem("network-request-failed", cause);
    }
    return new Response(body.length > 0 ? body : null, { status, statusText, headers });
  };
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // A body abandoned midway is cancelled by the end of the loop.
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > answerBytes) throw new Error(`the answer has more than ${answerBytes} bytes`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
