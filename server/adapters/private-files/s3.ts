import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, openAsBlob } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import { syncToDisk } from "#server/adapters/image-store/durable-files.ts";
import type { S3Client } from "#server/adapters/image-store/s3-client.ts";
import { orAwayWith } from "#server/adapters/image-store/s3-away.ts";
import { openObject } from "#server/adapters/image-store/s3-object.ts";
import {
  checkedName,
  type KeptFile,
  type OpenFile,
  type PrivateFiles,
} from "#server/adapters/private-files/private-files.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { freeBytesIn } from "#server/free-bytes.ts";

type Deps = {
  client: S3Client;
  /** where files of this machine lie while they are worked on */
  tmp: string;
  /** the bucket and its folder, as an operator writes them */
  address: string;
  log: Pick<Logger, "warn" | "error">;
  freeBytes?: (folder: string) => Promise<number>;
};

/** Beside the pictures of messages. */
const folder = "private/";
const objectOf = (name: string) => `${folder}${checkedName(name)}`;
/** What is larger goes in parts of this size, bytes: one request each, and up to 10,000 of them. */
const partBytes = 16 * 1024 * 1024;
/** Above the heaviest photo, which then is one request. */
const mostAtOnce = 2 * partBytes;
const type = "application/octet-stream";
const away =
  "We can't save or read files right now because our storage isn't responding. Please try again soon.";

/** Private files in a bucket, below `private/`, under the names that they have in DATA_DIR. */
export function createS3Files({
  client,
  tmp,
  address,
  log,
  freeBytes = freeBytesIn,
}: Deps): PrivateFiles {
  const orAway = orAwayWith(log, away);

  const put: PrivateFiles["put"] = async (name, source) => {
    const object = objectOf(name);
    if (typeof source !== "string") {
      const body = new Blob([new Uint8Array(source)]);
      const md5 = createHash("md5").update(source).digest("base64");
      return orAway(client.put(object, { body, md5, type }));
    }
    // read from the disk while it is sent
    const body = await openAsBlob(source);
    if (body.size <= mostAtOnce) {
      const hash = createHash("md5");
      await pipeline(createReadStream(source), hash);
      await orAway(client.put(object, { body, md5: hash.digest("base64"), type }));
    } else {
      await orAway(client.putInParts(object, { body, type, partBytes }));
    }
    await rm(source, { force: true });
  };

  const open: PrivateFiles["open"] = (name) => orAway(openObject(client, objectOf(name)));

  async function fetchTo(path: string, found: OpenFile): Promise<void> {
    const draft = join(tmp, `${randomUUID()}.fetched`);
    try {
      await mkdir(tmp, { recursive: true, mode: 0o700 });
      // A full disk would stop more than this.
      if ((await freeBytes(tmp)) - found.bytes < limits.uploads.keptFree) {
        await found.close();
        throw refuse("disk-full", { retryAfter: 300 });
      }
      await pipeline(found.read(), createWriteStream(draft, { mode: 0o600 }));
      if ((await stat(draft)).size !== found.bytes) throw new Error("A file came in part.");
      await syncToDisk(draft);
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Fetched to this machine once for as long as it is wanted here again. */
  const local: PrivateFiles["local"] = async (name) => {
    const found = await open(name);
    if (!found) return null;
    const path = join(tmp, name.replaceAll("/", "."));
    const here = await stat(path).catch(() => null);
    if (here?.size === found.bytes) await found.close();
    else await fetchTo(path, found);
    return {
      path,
      release: async ({ again } = { again: false }) => {
        if (!again) await rm(path, { force: true });
      },
    };
  };

  async function* list(start: string): AsyncGenerator<KeptFile[]> {
    const pages = client.list(folder + start);
    for (;;) {
      const { done, value } = await orAway(pages.next());
      if (done) return;
      if (value.length === 0) continue;
      yield value.map(({ name, changed }) => ({ name: name.slice(folder.length), changed }));
    }
  }

  return {
    folder: null,
    put,
    open,
    local,
    remove: async (names) => {
      if (names.length > 0) await orAway(client.remove(names.map(objectOf)));
    },
    list,
    placeOf: (name) => `${address}${objectOf(name)}`,
  };
}
