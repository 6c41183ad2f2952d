import { randomUUID } from "node:crypto";
import { createWriteStream, openAsBlob } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import { syncToDisk } from "#server/adapters/image-store/durable-files.ts";
import type { S3Client } from "#server/adapters/image-store/s3-client.ts";
import { orAwayWith } from "#server/adapters/image-store/host-away.ts";
import { openObject } from "#server/adapters/image-store/s3-object.ts";
import {
  checkedName,
  type OpenFile,
  type PrivateFiles,
} from "#server/adapters/private-files/private-files.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";

type Deps = {
  client: S3Client;
  /** where local copies are while they are used */
  tmp: string;
  /** the bucket and its folder, as an operator writes them */
  address: string;
  log: Pick<Logger, "warn" | "error">;
  freeBytes?: (folder: string) => Promise<number>;
};

/** Beside the images of messages. */
const folder = "private/";
const objectOf = (name: string) => `${folder}${checkedName(name)}`;
/** Anything larger is sent in parts of this size, bytes: one request each, and up to 10,000 of them. */
const partBytes = 16 * 1024 * 1024;
/** Above the heaviest photo, which is therefore one request. */
const mostAtOnce = 2 * partBytes;
const type = "application/octet-stream";
const away =
  "We can't save or read files right now because our storage isn't responding. Please try again soon.";

/** Private files in a bucket, below `private/`, under the names that they have in DATA_DIR. */
export function createS3Files(deps: Deps): PrivateFiles {
  const { client, tmp, address, log } = deps;
  const orAway = orAwayWith(log, away);
  const open: PrivateFiles["open"] = (name) => orAway(openObject(client, objectOf(name)));
  return {
    folder: null,
    put: async (name, source) => {
      const object = objectOf(name);
      if (typeof source !== "string") {
        return orAway(client.put(object, { body: new Blob([new Uint8Array(source)]), type }));
      }
      // read from the disk while it is sent
      const body = await openAsBlob(source);
      if (body.size <= mostAtOnce) await orAway(client.put(object, { body, type }));
      else await orAway(client.putInParts(object, { body, type, partBytes }));
      await rm(source, { force: true });
    },
    open,
    /** Downloaded to this machine once for as long as it is needed here again. */
    local: async (name) => {
      const found = await open(name);
      if (!found) return null;
      const path = join(tmp, name.replaceAll("/", "."));
      const here = await stat(path).catch(() => null);
      if (here?.size === found.bytes) await found.close();
      else await fetchTo(deps, path, found);
      return {
        path,
        release: async ({ again } = { again: false }) => {
          if (!again) await rm(path, { force: true });
        },
      };
    },
    remove: async (names) => {
      if (names.length > 0) await orAway(client.remove(names.map(objectOf)));
    },
    list: async function* (start) {
      const pages = client.list(folder + start);
      for (;;) {
        const { done, value } = await orAway(pages.next());
        if (done) return;
        if (value.length === 0) continue;
        yield value.map(({ name, changed }) => ({ name: name.slice(folder.length), changed }));
      }
    },
    locate: (name) => `${address}${objectOf(name)}`,
  };
}

async function fetchTo({ tmp, freeBytes = freeBytesIn }: Deps, path: string, found: OpenFile) {
  const draft = join(tmp, `${randomUUID()}.fetched`);
  try {
    await mkdir(tmp, { recursive: true, mode: 0o700 });
    // A full disk would stop more than this.
    if ((await freeBytes(tmp)) - found.bytes < limits.uploads.reserve) {
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
