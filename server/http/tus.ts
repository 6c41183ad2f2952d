import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { DataStore, Server, Upload, type Locker } from "@tus/server";
import { isId } from "#server/platform/db/ids.ts";
import type { Features } from "#server/features/index.ts";
import { isRefusal, refuse, type Refusal } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Uploads = Pick<Features["resumableUploads"], "begin" | "find" | "append" | "count" | "remove">;

type Metadata = Record<string, string | null>;

type Given = { viewer: Viewer; uploads: Uploads; locks: Locker; path: string };

/** The headers of the library's answers that belong to the protocol. CORS, cookies and caching are ours. */
const protocolHeaders = [
  "Location",
  "Tus-Resumable",
  "Upload-Expires",
  "Upload-Length",
  "Upload-Offset",
];

/** How long a request that is asked to stop may go on, milliseconds. */
const drainMs = 500;
/** After so long without a byte a sender is given up: it holds a slot that others wait for. */
const idleMs = 60_000;

/**
 * Answers one request of the tus protocol (https://tus.io/protocols/resumable-upload, 1.0.0) for one member:
 * this server knows only their own uploads. Refusals are thrown, as everywhere.
 */
export async function answerTus(
  request: IncomingMessage,
  { viewer, uploads, locks, path }: Given,
): Promise<{ status: number; headers: Record<string, string> }> {
  let failure: unknown = null;
  let came = 0;
  const idle = setTimeout(() => request.destroy(), idleMs).unref();
  const onBytes = (bytes: number) => {
    came += bytes;
    idle.refresh();
  };
  const server = new Server({
    path,
    relativeLocation: true,
    datastore: storeOf(viewer, uploads),
    locker: locks,
    lockDrainTimeout: drainMs,
    maxSize: limits.imageBytes,
    namingFunction: ({ headers }, metadata) =>
      uploads.begin(viewer, Number(headers.get("upload-length")), wantedBy(metadata)),
    onResponseError: (_request, error) => {
      failure = error;
      return undefined;
    },
  });
  const answer = await server
    .handleWeb(toWebRequest(request, onBytes))
    .finally(() => clearTimeout(idle));
  const id = request.url?.split("?")[0]?.split("/").at(-1) ?? "";
  if (came > 0 && isId(id)) await uploads.count(viewer, id, came);
  if (failure) throw toRefusal(failure);
  if (!answer.ok) throw refuse("input-invalid", { message: (await answer.text()).trim() });
  const headers = protocolHeaders.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { status: answer.status, headers: Object.fromEntries(headers) as Record<string, string> };
}

/** What an upload is begun for, by its `Upload-Metadata`. */
function wantedBy({ album, batch, import: id }: Metadata = {}) {
  if (album) return { album, ...(batch && { batch }) };
  return id ? { import: id } : null;
}

/** The rows and files of a member's uploads, in the interface of the library. */
function storeOf(viewer: Viewer, uploads: Uploads): DataStore {
  return Object.assign(new DataStore(), {
    extensions: ["creation", "termination", "expiration"],
    // begun when it was named
    create: async (upload: Upload) => upload,
    remove: (id: string) => uploads.remove(viewer, id),
    write: (chunks: Readable, id: string, offset: number) =>
      uploads.append(viewer, id, offset, chunks),
    getExpiration: () => limits.uploads.unfinishedHours * 60 * 60 * 1000,
    getUpload: async (id: string) => {
      const { bytes, offset, over, touched } = await uploads.find(viewer, id);
      // Finished uploads expire with their image, which the feature takes care of.
      const since = over ? new Date() : touched;
      return new Upload({ id, size: bytes, offset, creation_date: since.toISOString() });
    },
  });
}

function toWebRequest(request: IncomingMessage, onBytes: (bytes: number) => void): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string") headers.set(name, value);
  }
  const { method = "GET" } = request;
  const url = new URL(request.url ?? "/", "http://localhost");
  const hasBody = method === "PATCH" || method === "POST";
  async function* counted() {
    for await (const chunk of request.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      onBytes(chunk.length);
      yield chunk;
    }
  }
  return new Request(url, {
    method,
    headers,
    ...(hasBody && { body: ReadableStream.from(counted()), duplex: "half" }),
  } as RequestInit);
}

/** The library throws a status with a line in its own words. */
function toRefusal(error: unknown): unknown {
  if (isRefusal(error)) return error;
  const { status_code: status, body = "" } = error as { status_code?: number; body?: string };
  if (status === undefined) return error;
  return refusalOf(status, body.trim());
}

function refusalOf(status: number, message: string): Refusal {
  if (status === 404 || status === 410) return refuse("not-found");
  if (status === 409) return refuse("upload-offset");
  if (status === 413) return refuse("too-large");
  // another request did not stop in time, or this one was asked to stop
  if (status === 500 || /aborted/i.test(message)) return refuse("busy", { retryAfter: 1 });
  return refuse("input-invalid", { message });
}
