import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import type { Parts, UploadKey } from "#server/features/posts/uploads/parts.ts";
import { storageRefusal } from "#server/platform/storage-faults.ts";
import { withTemporaryFile } from "#server/platform/temporary-file.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

/** An object, and the bytes of the file that it has: from the first, up to but excluding the last. */
type Part = { name: string; from: number; to: number };

const startOf = ({ accountId, id }: UploadKey) => `uploads/${accountId}.${id}/`;

/**
 * One object per request: `uploads/<account>.<id>/<from>-<to>`. They never change, and may overlap where two
 * servers received the same bytes: what has arrived is as far as they reach without a gap.
 */
export function createStoredParts({ files, tmp }: { files: PrivateFiles; tmp: string }): Parts {
  async function namesOf(key: UploadKey): Promise<string[]> {
    const names: string[] = [];
    for await (const batch of files.list(startOf(key))) {
      names.push(...batch.map(({ name }) => name));
    }
    return names;
  }

  /** Refuses with disk-full and disk-read-only, and with picture-host-away. */
  const append: Parts["append"] = async (key, from, chunks) => {
    if ((await namesOf(key)).length >= limits.uploads.parts) {
      const message = `A photo can come in ${limits.uploads.parts} parts at most. Send it again in larger ones.`;
      throw refuse("input-invalid", { message });
    }
    return withTemporaryFile(tmp, "part", async (path) => {
      const { bytes, failure } = await receive(path, chunks);
      if (bytes > 0) await files.put(nameOf(startOf(key), from, from + bytes), path);
      if (failure) throw failure.reason;
      return from + bytes;
    }).catch((error: unknown) => {
      throw storageRefusal(error) ?? error;
    });
  };

  /** Each byte from the first object that has it. */
  async function* bytesOf(key: UploadKey): AsyncGenerator<Buffer> {
    for (const { name, from, to, start } of reaching(await namesOf(key))) {
      const file = await files.open(name);
      if (!file) throw new Error("A part of an upload is gone.");
      const range = { start: start - from, end: to - from - 1 };
      yield* file.read(start > from ? range : undefined) as AsyncIterable<Buffer>;
    }
  }

  const list: Parts["list"] = async (accountId = "") => {
    const found = new Map<string, UploadKey>();
    for await (const batch of files.list(`uploads/${accountId}`)) {
      for (const { name } of batch) {
        const [account, id] = name.split("/")[1]?.split(".") ?? [];
        if (account && id) found.set(`${account}.${id}`, { accountId: account, id });
      }
    }
    return [...found.values()];
  };

  return {
    size: async (key) => reaching(await namesOf(key)).at(-1)?.to ?? 0,
    append,
    copyTo: (key, path) => pipeline(bytesOf(key), createWriteStream(path, { mode: 0o600 })),
    remove: async (key) => {
      const { accountId, id } = key;
      // the file it had on a disk, before there was a bucket
      await files.remove([...(await namesOf(key)), `uploads/${accountId}.${id}`]);
    },
    list,
  };
}

/** Writes what arrives to a file; if the sender disconnects, what had arrived. */
async function receive(path: string, chunks: AsyncIterable<Buffer>) {
  const handle = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      await handle.appendFile(chunk);
      bytes += chunk.length;
    }
    return { bytes, failure: null };
  } catch (reason) {
    await handle.truncate(bytes);
    return { bytes, failure: { reason } };
  } finally {
    await handle.close();
  }
}

const digits = 10;
const nameOf = (start: string, from: number, to: number) =>
  `${start}${[from, to].map((at) => String(at).padStart(digits, "0")).join("-")}`;

/** Those that follow each other without a gap, and from where on each is needed. */
function reaching(names: readonly string[]): (Part & { start: number })[] {
  const parts = names.flatMap((name): Part[] => {
    const [, from, to] = /\/(\d+)-(\d+)$/.exec(name) ?? [];
    return from && to ? [{ name, from: Number(from), to: Number(to) }] : [];
  });
  const found: (Part & { start: number })[] = [];
  let start = 0;
  for (const part of parts.toSorted((one, other) => one.from - other.from)) {
    if (part.from > start) break;
    if (part.to <= start) continue;
    found.push({ ...part, start });
    start = part.to;
  }
  return found;
}
