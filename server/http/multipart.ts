import { Busboy } from "@fastify/busboy";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { byteCount } from "#server/http/byte-counts.ts";
import {
  allFieldsBytes,
  collectParts,
  serverFault,
  fieldLimits,
  type Fail,
  type Form,
  type Parser,
  type UploadSlot,
} from "#server/http/form-parts.ts";
import type { UploadLane, Uploads } from "#server/http/uploads.ts";
import { UrlencodedParser } from "#server/http/urlencoded.ts";
import { linger } from "#server/http/unread-bodies.ts";
import { isRefusal, refuse, type RefusalCode } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

export type { Form } from "#server/http/form-parts.ts";

/** A request as the routes for programs have it, or as screens have it. */
export type FormRequest = (Readable & { headers: IncomingHttpHeaders }) | Request;

export type Bounds = {
  /** None unless set: files in a form that needs none are skipped, and nothing is written. */
  maxFiles?: number;
  /** One field may have several; if there are more than `maxFiles`, the first are taken. */
  several?: boolean;
  /** whose files are counted together: an account, or a visitor's network */
  from?: string;
  lane?: UploadLane;
  fileBytes?: number;
  /** the refusal of a file over `fileBytes` */
  tooHeavy?: RefusalCode;
  /** milliseconds without a byte after which the sender is given up */
  idleMs?: number;
  /**
   * A file over `fileBytes`, or one for which there is no room, does not end the reading: its bytes are
   * thrown away, the fields after it still arrive, and the form's `file()` refuses. For people, who get their
   * words back.
   */
  readPast?: boolean;
};

type Body = Readable | ReadableStream<Uint8Array>;
type Chunks = AsyncIterator<Uint8Array, unknown>;

/**
 * Empty file inputs come as files too, so the parser's own limit is only the outermost one. Parts that are
 * neither field nor file count, too: an empty one is 15 bytes and costs as much as 2 kB of text.
 */
const partLimits = { files: 50, parts: 110, headerPairs: 20, headerSize: 2 * 1024 };
/** How much the parser is given at once: it does not stop in between. */
const pieceBytes = 8 * 1024;

/**
 * Reads a form (multipart or urlencoded): fields into memory, files onto disk, both bounded.
 *
 * Throws refuse("picture-too-heavy"), or `tooHeavy`, as soon as a file passes `fileBytes` (25 MB; with
 * `readPast` only for forms of more than 100 MB), and refuse("too-large") for more or longer fields than any
 * form of ours has, and refuse("form-broken") for what does not arrive whole: no boundary, an aborted
 * request, two files in one field. A full disk is refused as storageRefusal says, and a system that can't
 * open more files as shortageRefusal says. `uploads` decides before any byte is read whether files may come
 * at all, and refuses (with `readPast` by the form's `file()`). It leaves nothing on disk when it throws.
 *
 * A form that takes no files makes no folder.
 */
export async function readForm(
  request: FormRequest,
  uploads: Uploads,
  bounds: Bounds = {},
): Promise<Form> {
  const { maxFiles = 0, fileBytes = limits.imageBytes, idleMs = 60_000 } = bounds;
  const { readPast = false, several = false } = bounds;
  const body = request instanceof Request ? request.body : request;
  if (!body) throw refuse("form-broken");
  const chunks = open(body);
  const tooHeavy = maxFiles > 0 ? (bounds.tooHeavy ?? "picture-too-heavy") : "too-large";
  const allFiles = maxFiles * fileBytes + 4 * allFieldsBytes;
  const withFiles = readPast ? Math.max(linger.bytes, allFiles) : allFiles;
  const mostBytes = maxFiles > 0 ? withFiles : 4 * allFieldsBytes;

  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  let failed = false;
  const fail: Fail = (error) => {
    failed = true;
    failure.reject(
      isRefusal(error) ? error : (serverFault(error) ?? refuse("form-broken", { cause: error })),
    );
  };

  const idle = setTimeout(() => fail(new Error("The sender fell silent")), idleMs);
  let collected: ReturnType<typeof collectParts> | undefined;
  let slot: UploadSlot | null = null;
  try {
    const announced = byteCount("Content-Length", header(request, "content-length"));
    if (announced !== null && announced > mostBytes) throw refuse(tooHeavy);
    const parser = openParser(header(request, "content-type"), fileBytes);
    slot = maxFiles > 0 ? await slotFor(uploads, bounds, announced) : null;
    collected = collectParts({ ...uploads, slot, maxFiles, several, tooHeavy, readPast, fail });
    collected.listen(parser);
    const feeding = feed(chunks, parser, (bytes) => {
      idle.refresh();
      if (bytes > mostBytes) fail(refuse("too-large"));
      return !failed;
    });
    await Promise.race([feeding, failure.promise]);
    await Promise.race([collected.written(), failure.promise]);
    return collected.form();
  } catch (error) {
    fail(error);
    void letFinish(body, chunks);
    await collected?.abandon();
    return await failure.promise;
  } finally {
    clearTimeout(idle);
    if (slot && "end" in slot) slot.end();
  }
}

async function slotFor(
  uploads: Uploads,
  bounds: Bounds,
  announced: number | null,
): Promise<UploadSlot> {
  const { from = "", lane = "pictures", readPast = false } = bounds;
  return uploads.admit({ lane, from, announced }).catch((error: unknown) => {
    if (readPast && isRefusal(error)) return { refusal: error };
    throw error;
  });
}

/** Leaving a Node stream's iterator would destroy its socket, and the answer with it. */
function open(body: Body): Chunks {
  return "iterator" in body ? (body.iterator({ destroyOnReturn: false }) as Chunks) : body.values();
}

function header(request: FormRequest, name: "content-type" | "content-length"): string {
  const { headers } = request;
  return (headers instanceof Headers ? headers.get(name) : headers[name]) ?? "";
}

function openParser(contentType: string, fileBytes: number): Parser {
  if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType))
    return new UrlencodedParser(fieldLimits);
  const limits = { ...fieldLimits, ...partLimits, fileSize: fileBytes };
  try {
    return new Busboy({ headers: { "content-type": contentType }, limits });
  } catch (cause) {
    // no boundary, or not multipart
    throw refuse("form-broken", { cause });
  }
}

async function feed(chunks: Chunks, parser: Parser, goOn: (bytesSoFar: number) => boolean) {
  const finished = new Promise<void>((resolve) => parser.once("finish", resolve));
  let bytes = 0;
  for (;;) {
    const next = await chunks.next();
    if (next.done) break;
    for (let at = 0; at < next.value.byteLength; at += pieceBytes) {
      const piece = next.value.subarray(at, at + pieceBytes);
      bytes += piece.byteLength;
      if (!goOn(bytes)) return;
      if (!parser.write(piece)) await new Promise((resolve) => parser.once("drain", resolve));
    }
  }
  parser.end();
  await finished;
}

/** Reads on and discards, within bounds: closing at once would break the connection before our answer. */
async function letFinish(body: Body, chunks: Chunks): Promise<void> {
  const until = Date.now() + linger.ms;
  let bytes = 0;
  try {
    while (bytes < linger.bytes && Date.now() < until) {
      const next = await chunks.next();
      if (next.done) return;
      bytes += next.value.byteLength;
    }
    await chunks.return?.();
    if ("destroy" in body) body.destroy();
  } catch {
    // the sender left: nobody waits for an answer
  }
}
