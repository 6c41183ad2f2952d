import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { finished, pipeline } from "node:stream/promises";
import type { Uploads } from "#server/http/uploads.ts";
import { UrlencodedParser } from "#server/http/urlencoded.ts";
import type { ReceivedUpload } from "#server/features/types.ts";
import { shortageRefusal, storageRefusal } from "#server/platform/storage-faults.ts";
import { isRefusal, refuse, type Refusal, type RefusalCode } from "#shared/errors.ts";

export type Form = {
  /** the last value of every field */
  fields: Record<string, string>;
  /** every field, in the order in which they came */
  entries: [name: string, value: string][];
  /** by field name; an empty file input (no name, no bytes) is no file */
  files: Record<string, ReceivedUpload>;
  /** null where none came; refuses for a file that could not be stored and was skipped, see `readPast` */
  file: (name: string) => ReceivedUpload | null;
  /** several files of one field, in their order, or why one could not be stored, see `several` */
  all: (name: string) => (ReceivedUpload | Refusal)[];
  /** removes the temporary files; call it in `finally`, as often as you like */
  cleanup: () => Promise<void>;
};

/** A caption far over its limit still arrives, so that its feature can refuse it in its own words. */
export const fieldLimits = { fields: 60, fieldNameSize: 100, fieldSize: 1024 * 1024 };
export const allFieldsBytes = 2 * fieldLimits.fieldSize;

/** A failure that the sender didn't cause. */
export const serverFault = (error: unknown): Refusal | null =>
  storageRefusal(error) ?? shortageRefusal(error);

/** Where files may go, or why they may not, which the form's `file()` throws. */
export type UploadSlot = Awaited<ReturnType<Uploads["admit"]>> | { refusal: Refusal };

export type Parser = BusboyInstance | UrlencodedParser;

export type Fail = (error: unknown) => void;

type Collecting = {
  folder: string;
  /** null where the form takes no files */
  slot: UploadSlot | null;
  maxFiles: number;
  several: boolean;
  tooHeavy: RefusalCode;
  readPast: boolean;
  fail: Fail;
};

/** A file as it arrives; its refusal is set while it is skipped. */
type Part = { field: string | undefined; upload?: ReceivedUpload; refusal?: Refusal };

/**
 * Collects what a parser finds in a form: fields in memory, files in their folder, until they are cleaned up.
 */
export function collectParts(collecting: Collecting) {
  const { folder, slot, maxFiles, several, tooHeavy, readPast, fail } = collecting;
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

  function addField(name: string | undefined, value: string, cutName: boolean, cut: boolean) {
    fieldChars += value.length;
    const tooLong = cutName || cut || (name?.length ?? 0) > fieldLimits.fieldNameSize;
    if (tooLong || fieldChars > allFieldsBytes) fail(refuse("too-large"));
    else if (name === undefined) fail(new Error("A field without a name"));
    else entries.push([name, value]);
  }

  async function storeFile(
    part: Part,
    file: BusboyFileStream,
    filename: string,
    mediaType: string,
  ) {
    const { field } = part;
    const path = join(folder, `${randomUUID()}.upload`);
    paths.push(path);
    if (!(await writePart(collecting, part, file, path))) return;
    const bytes = file.bytesRead;
    if (filename === "" && bytes === 0) return rm(path, { force: true });
    if (field === undefined || (!several && ofField(parts, field).length > 0)) {
      throw new Error("A file without a name, or a second one in its field");
    }
    if (parts.filter(({ upload }) => upload).length === maxFiles) {
      throw new Error("One file too many");
    }
    part.upload = { path, bytes, filename, mediaType };
  }

  function addFile(part: Part, file: BusboyFileStream, filename: string, mediaType: string): void {
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
    const done = storeFile(part, file, filename, mediaType);
    writing.push(done);
    done.catch(fail);
  }

  return {
    form: () => formOf({ entries, parts, cleanup }),
    written: () => Promise.all(writing),
    abandon: async () => {
      for (const stream of streams) stream.destroy(new Error("The form was given up"));
      await Promise.allSettled(writing);
      await cleanup();
    },
    listen: (parser: Parser) => {
      const tooMany = () => fail(refuse("too-large"));
      parser.on("error", fail);
      parser.on("field", addField);
      parser.once("fieldsLimit", tooMany);
      if (parser instanceof UrlencodedParser) return;
      // the types promise more than a hostile part has: it may lack both names
      type Given = string | undefined;
      parser.on("file", (field: Given, file, filename: Given, _encoding, mediaType) => {
        if (slot) addFile({ field }, file, filename ?? "", mediaType);
        else file.resume();
      });
      parser.once("filesLimit", tooMany);
      parser.once("partsLimit", tooMany);
    },
  };
}

const ofField = (parts: readonly Part[], name: string) =>
  parts.flatMap(({ field, upload, refusal }) => (field === name ? (refusal ?? upload ?? []) : []));

type Collected = Pick<Form, "entries" | "cleanup"> & { parts: readonly Part[] };

const formOf = ({ entries, parts, cleanup }: Collected): Form => ({
  fields: Object.fromEntries(entries),
  entries,
  files: Object.fromEntries(
    parts
      .toReversed()
      .flatMap(({ field = "", upload }) => (upload ? [[field, upload] as const] : [])),
  ),
  file: (name) => {
    const [first] = ofField(parts, name);
    if (isRefusal(first)) throw first;
    return first ?? null;
  },
  all: (name) => ofField(parts, name),
  cleanup,
});

/** Writes a file as it arrives; false if it was refused and skipped, and nothing of it is stored. */
async function writePart(collecting: Collecting, part: Part, file: BusboyFileStream, path: string) {
  const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
  try {
    await once(target, "open");
  } catch (error) {
    const fault = serverFault(error);
    if (!collecting.readPast || !fault) throw error;
    part.refusal = fault;
    file.resume();
    await finished(file);
    return false;
  }
  await pipeline(file, (source) => admitted(collecting, part, source), target).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === "ENOSPC" ? refuse("disk-full", { cause: error }) : error;
    },
  );
  // The rest of it was thrown away: half an image is useless.
  if (part.refusal) await rm(path, { force: true });
  return !part.refusal;
}

/** Lets through what there is room for; the rest is skipped, or fails. */
async function* admitted(
  { slot, readPast, fail }: Collecting,
  part: Part,
  source: AsyncIterable<Buffer>,
) {
  for await (const chunk of source) {
    if (part.refusal) continue;
    try {
      if (slot && "refusal" in slot) throw slot.refusal;
      await slot?.wrote(chunk.length);
    } catch (error) {
      if (!readPast || !isRefusal(error)) {
        // set before the stream that ends here reports that it was cut off
        fail(error);
        throw error;
      }
      part.refusal = error;
      continue;
    }
    yield chunk;
  }
}
