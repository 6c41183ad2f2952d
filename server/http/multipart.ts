import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { byteCount } from "#server/http/byte-counts.ts";
import type { UploadLane, Uploads } from "#server/http/uploads.ts";
import { UrlencodedParser } from "#server/http/urlencoded.ts";
import { linger } from "#server/http/unread-bodies.ts";
import type { ReceivedUpload } from "#server/features/types.ts";
import { shortageRefusal, storageRefusal } from "#server/storage-faults.ts";
import { isRefusal, refuse, type Refusal, type RefusalCode } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

export type Form = {
  /** the last value of every field */
  fields: Record<string, string>;
  /** every field, in the order in which they came */
  entries: [name: string, value: string][];
  /** by field name; an empty file input (no name, no bytes) is no file */
  files: Record<string, ReceivedUpload>;
  /** null where none came; refuses a file that could not be kept and was read past, see `readPast` */
  file: (name: string) => ReceivedUpload | null;
  /** several files of one field, in their order, or why one could not be kept, see `several` */
  all: (name: string) => (ReceivedUpload | Refusal)[];
  /** removes the temporary files; call it in `finally`, as often as you like */
  cleanup: () => Promise<void>;
};

/** A request as programs' routes have it, or as screens have it. */
export type FormRequest = (Readable & { headers: IncomingHttpHeaders }) | Request;

export type Bounds = {
  /** None unless said: files in a form that needs none are passed over, and nothing is written. */
  maxFiles?: number;
  /** One field may bring several; of more than `maxFiles` the first are taken. */
  several?: boolean;
  /** whose files are counted together: an account, or a visitor's network */
  from?: string;
  lane?: UploadLane;
  fileBytes?: number;
  /** what a file over `fileBytes` is refused with */
  tooHeavy?: RefusalCode;
  /** milliseconds without a byte after which the sender is given up */
  idleMs?: number;
  /**
   * A file over `fileBytes`, or one that there is no room for, does not end the reading: its bytes
   * are thrown away, the words behind it still arrive, and the form's `file()` refuses. For people,
   * who get their words back.
   */
  readPast?: boolean;
};

type Fail = (error: unknown) => void;
type Body = Readable | ReadableStream<Uint8Array>;
type Chunks = AsyncIterator<Uint8Array, unknown>;

/** A caption far over its limit still arrives, so that its feature can answer in its own words. */
const fieldLimits = { fields: 60, fieldNameSize: 100, fieldSize: 1024 * 1024 };
const allFieldsBytes = 2 * fieldLimits.fieldSize;
/**
 * Empty file inputs come as files too, so the parser's own count is only the outer fence. Parts count that are
 * neither field nor file, too: an empty one is 15 bytes and costs as much as 2 kB of text.
 */
const partLimits = { files: 50, parts: 110, headerPairs: 20, headerSize: 2 * 1024 };
/** What the parser is given at once: it does not stop within. */
const pieceBytes = 8 * 1024;

/**
 * Reads a form (multipart or urlencoded): fields into memory, files onto disk, both bounded.
 *
 * Throws refuse("picture-too-heavy"), or `tooHeavy`, as soon as a file passes `fileBytes` (25 MB;
 * with `readPast` only for forms of more than 100 MB), and
 * refuse("too-large") for more or longer fields than any form of ours has, and
 * refuse("form-broken") for whatever does not arrive whole: no boundary, an aborted request, two
 * files in one field. A disk that keeps nothing more is storageRefusal's, and a system without another open
 * file shortageRefusal's. Whether files may come at
 * all is asked before any byte is read, and refused as `uploads` refuses (with `readPast` by the
 * form's `file()`). It leaves nothing on disk when it throws.
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
      isRefusal(error) ? error : (faultOfOurs(error) ?? refuse("form-broken", { cause: error })),
    );
  };

  const idle = setTimeout(() => fail(new Error("The sender fell silent")), idleMs);
  let collected: ReturnType<typeof collectParts> | undefined;
  let room: Room | null = null;
  try {
    const announced = byteCount("Content-Length", header(request, "content-length"));
    if (announced !== null && announced > mostBytes) throw refuse(tooHeavy);
    const parser = openParser(header(request, "content-type"), fileBytes);
    room = maxFiles > 0 ? await roomFor(uploads, bounds, announced) : null;
    collected = collectParts({ ...uploads, room, maxFiles, several, tooHeavy, readPast, fail });
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
    if (room && "end" in room) room.end();
  }
}

/** What the sender has nothing to do with. */
const faultOfOurs = (error: unknown): Refusal | null =>
  storageRefusal(error) ?? shortageRefusal(error);

/** Where files may go, or why they may not, which the form's `file()` says. */
type Room = Awaited<ReturnType<Uploads["admit"]>> | { refusal: Refusal };

async function roomFor(uploads: Uploads, bounds: Bounds, announced: number | null): Promise<Room> {
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

type Parser = BusboyInstance | UrlencodedParser;

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

async function feed(
  chunks: Chunks,
  parser: Parser,
  goOn: (bytesSoFar: number) => boolean,
): Promise<void> {
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

type Collecting = {
  folder: string;
  /** null where the form takes no files */
  room: Room | null;
  maxFiles: number;
  several: boolean;
  tooHeavy: RefusalCode;
  readPast: boolean;
  fail: Fail;
};

/** A file as it arrives; its refusal is set while it is read past. */
type Part = { field: string | undefined; upload?: ReceivedUpload; refusal?: Refusal };

function collectParts(collecting: Collecting) {
  const { folder, room, maxFiles, several, tooHeavy, readPast, fail } = collecting;
  const fields = new Map<string, string>();
  const entries: [string, string][] = [];
  /** in their order */
  const parts: Part[] = [];
  const streams: BusboyFileStream[] = [];
  const paths: string[] = [];
  const writing: Promise<void>[] = [];
  let fieldChars = 0;

  const cleanup = async () => {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  };

  function keepField(name: string | undefined, value: string, cutName: boolean, cut: boolean) {
    fieldChars += value.length;
    const tooLong = cutName || cut || (name?.length ?? 0) > fieldLimits.fieldNameSize;
    if (tooLong || fieldChars > allFieldsBytes) fail(refuse("too-large"));
    else if (name === undefined) fail(new Error("A field without a name"));
    else {
      fields.set(name, value);
      entries.push([name, value]);
    }
  }

  /** What there is room for; the rest is read past, or fails. */
  async function* kept(part: Part, source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      if (part.refusal) continue;
      try {
        if (room && "refusal" in room) throw room.refusal;
        await room?.wrote(chunk.length);
      } catch (error) {
        if (!readPast || !isRefusal(error)) {
          // said before the stream that ends here says that it was cut off
          fail(error);
          throw error;
        }
        part.refusal = error;
        continue;
      }
      yield chunk;
    }
  }

  async function keepFile(part: Part, file: BusboyFileStream, filename: string, mediaType: string) {
    const { field } = part;
    const path = join(folder, `${randomUUID()}.upload`);
    paths.push(path);
    const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
    try {
      await once(target, "open");
    } catch (error) {
      const fault = faultOfOurs(error);
      if (!readPast || !fault) throw error;
      part.refusal = fault;
      file.resume();
      return finished(file);
    }
    await pipeline(file, (source) => kept(part, source), target).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code === "ENOSPC" ? refuse("disk-full", { cause: error }) : error;
      },
    );
    // The rest of it was thrown away: half a picture is none.
    if (part.refusal) return rm(path, { force: true });
    const bytes = file.bytesRead;
    if (filename === "" && bytes === 0) return rm(path, { force: true });
    if (field === undefined || (!several && found(field).length > 0)) {
      throw new Error("A file without a name, or a second one in its field");
    }
    if (uploads().length === maxFiles) throw new Error("One file too many");
    part.upload = { path, bytes, filename, mediaType };
  }

  const tooMany = () => fail(refuse("too-large"));
  const uploads = () => parts.flatMap(({ upload }) => upload ?? []);
  const found = (name: string) =>
    parts.flatMap(({ field, upload, refusal }) =>
      field === name ? (refusal ?? upload ?? []) : [],
    );

  return {
    form: (): Form => ({
      fields: Object.fromEntries(fields),
      entries,
      files: Object.fromEntries(
        parts
          .toReversed()
          .flatMap(({ field = "", upload }) => (upload ? [[field, upload] as const] : [])),
      ),
      file: (name) => {
        const [first] = found(name);
        if (isRefusal(first)) throw first;
        return first ?? null;
      },
      all: found,
      cleanup,
    }),
    written: () => Promise.all(writing),
    abandon: async () => {
      for (const stream of streams) stream.destroy(new Error("The form was given up"));
      await Promise.allSettled(writing);
      await cleanup();
    },
    listen: (parser: Parser) => {
      parser.on("error", fail);
      parser.on("field", keepField);
      if (parser instanceof UrlencodedParser) return void parser.once("fieldsLimit", tooMany);
      // the types promise more than a hostile part keeps: it may have neither name
      type Given = string | undefined;
      parser.on("file", (field: Given, file, filename: Given, _encoding, mediaType) => {
        if (!room) return void file.resume();
        const part: Part = { field };
        parts.push(part);
        if (several && parts.length > maxFiles) {
          part.refusal = refuse("too-many-pictures");
          return void file.resume();
        }
        streams.push(file);
        // an error event without a listener would end the process
        file.on("error", fail);
        file.once("limit", () => {
          if (readPast) part.refusal = refuse(tooHeavy);
          else fail(refuse(tooHeavy));
        });
        const done = keepFile(part, file, filename ?? "", mediaType);
        writing.push(done);
        done.catch(fail);
      });
      parser.once("fieldsLimit", tooMany);
      parser.once("filesLimit", tooMany);
      parser.once("partsLimit", tooMany);
    },
  };
}

/** Reads on and forgets, within bounds: closing at once would cut the line before our answer. */
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
