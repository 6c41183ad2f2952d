import { createHash } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import type { Logger } from "pino";
import { removeUntouchedIn } from "#server/adapters/image-store/durable-files.ts";
import type { S3Client } from "#server/adapters/image-store/s3-client.ts";
import { orAwayWith } from "#server/adapters/image-store/s3-away.ts";
import { openObject } from "#server/adapters/image-store/s3-object.ts";
import {
  encodingOf,
  fileOf,
  isImageKey,
  type ImageStore,
} from "#server/adapters/image-store/image-store.ts";
import { isWhole } from "#server/adapters/image-store/whole-variant.ts";
import { refuse } from "#shared/errors.ts";

type Deps = {
  client: S3Client;
  /** a folder of the client's, with a slash at its end; empty for none */
  folder: string;
  /** where files lie that people send, until they are kept */
  tmp: string;
  log: Pick<Logger, "warn" | "error">;
};

/** Requests of one put or remove that are on their way at once: each holds a connection. */
const requestsAtOnce = 8;

/**
 * Pictures in a bucket, under the names that they have in DATA_DIR:
 *
 *     images/ab/<key>/<width>.webp   and <width>.avif, <width>.moving.webp
 *     originals/ab/<key>
 *
 * All of it is private: this server alone reads it, and says who sees what. An object is there whole
 * and durable, or not at all.
 */
export function createS3Store({ client, folder, tmp, log }: Deps): ImageStore {
  const images = `${folder}images/`;
  const originals = `${folder}originals/`;
  const variantsOf = (key: string) => `${images}${safe(key).slice(0, 2)}/${key}/`;
  const originalOf = (key: string) => `${originals}${safe(key).slice(0, 2)}/${key}`;
  const limit = pLimit(requestsAtOnce);
  const orAway = orAwayWith(log);

  const put: ImageStore["put"] = async (key, { variants, original }) => {
    const files = [
      {
        name: originalOf(key),
        // Read from the disk while it is sent.
        body: await openAsBlob(original),
        md5: await md5Of(original),
        type: "application/octet-stream",
      },
      ...variants.map(({ width, bytes }) => ({
        name: `${variantsOf(key)}${width}.webp`,
        body: new Blob([new Uint8Array(bytes)]),
        md5: createHash("md5").update(bytes).digest("base64"),
        type: "image/webp",
      })),
    ];
    let failed = false;
    const keep = async ({ name, ...file }: (typeof files)[number]) => {
      // The first that fails decides about all.
      if (failed) return;
      await client.put(name, file).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    };
    const settled = await Promise.allSettled(files.map((file) => limit(keep, file)));
    const lost = settled.find((one) => one.status === "rejected");
    if (!lost) return;
    await client.remove(files.map(({ name }) => name)).catch((error: unknown) => {
      log.warn({ err: error, key }, "what was sent of a picture is left for the sweep");
    });
    await orAway(Promise.reject(lost.reason as Error));
  };

  const add: ImageStore["add"] = async (key, { width, type, bytes }) => {
    const start = variantsOf(key);
    const { value: kept = [] } = await orAway(client.list(start, 1).next());
    if (kept.length === 0) return false;
    const md5 = createHash("md5").update(bytes).digest("base64");
    const body = new Blob([new Uint8Array(bytes)]);
    const name = `${start}${fileOf(width, type)}`;
    await orAway(client.put(name, { body, md5, type: `image/${encodingOf(type)}` }));
    return true;
  };

  const open: ImageStore["open"] = async (key, width, type = "webp") => {
    if (!isImageKey(key)) return null;
    const name = `${variantsOf(key)}${fileOf(width, type)}`;
    const found = await orAway(openObject(client, name));
    if (!found || isWhole(type, found.head, found.bytes)) return found;
    await found.close();
    throw refuse("picture-damaged", { cause: new Error(`${name} is not whole`) });
  };

  const namesBelow = async (start: string) => {
    const names: string[] = [];
    for await (const page of client.list(start)) names.push(...page.map(({ name }) => name));
    return names;
  };

  const remove: ImageStore["remove"] = async (keys) => {
    const folders = keys.map(variantsOf);
    const variants = folders.map((folder) => limit(namesBelow, folder));
    const names = [...keys.map(originalOf), ...(await orAway(Promise.all(variants))).flat()];
    await orAway(client.remove(names));
  };

  async function* list(before: Date): AsyncGenerator<string[]> {
    for (const area of [images, originals]) {
      for await (const page of client.list(area)) {
        const old = page.filter(({ changed }) => changed < before);
        const keys = new Set(old.map(({ name }) => name.slice(area.length).split("/")[1] ?? ""));
        const found = [...keys].filter(isImageKey);
        if (found.length > 0) yield found;
      }
    }
  }

  return {
    put,
    add,
    open,
    openOriginal: async (key) =>
      isImageKey(key) ? orAway(openObject(client, originalOf(key))) : null,
    remove,
    list,
    // What did not arrive whole is no object: only files that came here are left.
    clean: (before) => removeUntouchedIn(tmp, before),
  };
}

function safe(key: string): string {
  if (!isImageKey(key)) throw new Error("A picture's key must be 32 hexadecimal digits.");
  return key;
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash("md5");
  await pipeline(createReadStream(path), hash);
  return hash.digest("base64");
}
