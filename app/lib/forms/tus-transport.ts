import { toCallError } from "#app/lib/api-client.ts";

export type FinishedUpload = {
  imageId: string;
  /** it was sent animated, but is too large to be animated */
  still?: boolean | undefined;
};

type Sending = {
  url: string | undefined;
  /** what the server is told as it begins: in ASCII */
  metadata?: Readonly<Record<string, string>> | undefined;
  signal: AbortSignal;
  onUrl: (url: string) => void;
  onAcknowledged: (fraction: number) => void;
};

/** The used part of the answer of GET /api/uploads/:id. */
export type UploadStatus =
  | { state: "arriving" | "preparing" }
  | ({ state: "ready" } & FinishedUpload)
  | { state: "refused"; error: { code: string; message: string } };

/** How bytes get there; all reject with call errors. */
export type Transport = {
  /** Sends what has not arrived. Resolves with the upload's address when all has. */
  send: (file: Blob, sending: Sending) => Promise<string>;
  see: (url: string, signal: AbortSignal) => Promise<UploadStatus>;
  remove: (url: string) => Promise<void>;
};

const endpoint = "/api/uploads";
/** A connection that stalls for this long counts as broken, milliseconds. */
const silenceMs = 30_000;

/**
 * Parts are a twentieth of a file: a proxy that forwards only complete parts loses no more than that with
 * the connection. Without one in between, an incomplete part is stored too.
 */
const partsOf = ({ size }: Blob) => Math.max(128 * 1024, Math.ceil(size / 20));

/**
 * Sends a file in parts, by the tus protocol 1.0, from the offset that the server reports. Retries nothing
 * itself: the caller does, with the address that `onUrl` received.
 */
export const sendParts: Transport["send"] = async (
  file,
  { url, metadata, signal, onUrl, onAcknowledged },
) => {
  const begun = url
    ? await ask("HEAD", url, { signal })
    : await ask("POST", endpoint, {
        signal,
        headers: {
          "Upload-Length": String(file.size),
          ...(metadata && { "Upload-Metadata": encoded(metadata) }),
        },
      });
  const address = url ?? pathOf(header(begun, "Location"));
  onUrl(address);
  let offset = url ? offsetOf(begun) : 0;
  onAcknowledged(offset / file.size);
  while (offset < file.size) {
    const answer = await ask("PATCH", address, {
      signal,
      headers: {
        "Upload-Offset": String(offset),
        "Content-Type": "application/offset+octet-stream",
      },
      body: file.slice(offset, offset + partsOf(file)),
    });
    const accepted = offsetOf(answer);
    // It would be sent forever.
    if (accepted <= offset) throw toCallError(500, null);
    offset = accepted;
    onAcknowledged(offset / file.size);
  }
  return address;
};

const encoded = (metadata: Readonly<Record<string, string>>): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${btoa(value)}`)
    .join();

type Asking = { signal: AbortSignal; headers?: Record<string, string>; body?: Blob };

/** By XMLHttpRequest, because fetch does not report whether an upload still moves. */
function ask(method: string, url: string, { signal, headers, body }: Asking) {
  return new Promise<XMLHttpRequest>((resolve, reject) => {
    const request = new XMLHttpRequest();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = () => {
      clearTimeout(silence);
      silence = setTimeout(() => give(toCallError(0, null)), silenceMs);
    };
    function over(): void {
      clearTimeout(silence);
      signal.removeEventListener("abort", stop);
    }
    function give(error: Error): void {
      over();
      reject(error);
      request.abort();
    }
    const stop = () => give(signal.reason as Error);

    request.addEventListener("load", () => {
      over();
      if (request.status >= 200 && request.status < 300) return resolve(request);
      const refusal = toCallError(request.status, parse(request.responseText));
      const retryAfter = Number(request.getResponseHeader("Retry-After")) || 0;
      reject(Object.assign(refusal, { retryAfter }));
    });
    request.addEventListener("error", () => give(toCallError(0, null)));
    request.upload.addEventListener("progress", restartTimer);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop);
    request.open(method, url);
    const all = { Accept: "application/json", "Tus-Resumable": "1.0.0", ...headers };
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
    restartTimer();
    request.send(body ?? null);
  });
}

/** Throws for an answer of another protocol: the proxy that gave it may be gone the next time. */
function header(answer: XMLHttpRequest, name: string): string {
  const value = answer.getResponseHeader(name);
  if (value === null) throw toCallError(500, null);
  return value;
}

function offsetOf(answer: XMLHttpRequest): number {
  const offset = Number(header(answer, "Upload-Offset"));
  if (!Number.isSafeInteger(offset) || offset < 0) throw toCallError(500, null);
  return offset;
}

const pathOf = (url: string) => new URL(url, location.href).pathname;

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
