import { openAsBlob } from "node:fs";
import pLimit from "p-limit";
import type { Logger } from "pino";
import { removeOlderThan } from "#server/adapters/image-store/durable-files.ts";
import type { S3Client, S3Object } from "#server/adapters/image-store/s3-client.ts";
import { orAwayWith } from "#server/adapters/image-store/host-away.ts";
import { openObject } from "#server/adapters/image-store/s3-object.ts";
import {
  encodingOf,
  fileOf,
  isImageKey,
  keyPath,
  type ImageStore,
} from "#server/adapters/image-store/image-store.ts";
import { isComplete } from "#server/adapters/image-store/complete-variant.ts";
import { refuse } from "#shared/errors.ts";

type Deps = {
  client: S3Client;
  /** a folder of the client's, with a slash at its end; empty for none */
  folder: string;
  /** where uploaded files are until they are stored */
  tmp: string;
  log: Pick<Logger, "warn" | "error">;
};

/** Simultaneous requests of one put or remove: each holds a connection. */
const requestsAtOnce = 8;

/**
 * Images in a bucket, with the names that they have in DATA_DIR:
 *
 *     images/ab/<key>/<width>.webp   and <width>.avif, <width>.moving.webp
 *     originals/ab/<key>
 *
 * All of it is private: this server alone reads it, and decides who sees what. An object exists whole
 * and durable, or not at all.
 */
export function createS3Store({ client, folder, tmp, log }: Deps): ImageStore {
  const areas = { images: `${folder}images/`, originals: `${folder}originals/` };
  const variantsOf = (key: string) => `${areas.images}${keyPath(key)}/`;
  const originalOf = (key: string) => areas.originals + keyPath(key);
  const limit = pLimit(requestsAtOnce);
  const orAway = orAwayWith(log);

  return {
    put: async (key, { variants, original }) => {
      const type = "application/octet-stream";
      const files = [
        // Read from the disk while it is sent.
        { name: originalOf(key), body: await openAsBlob(original), type },
        ...variants.map(({ width, bytes }) => ({
          name: `${variantsOf(key)}${width}.webp`,
          body: new Blob([new Uint8Array(bytes)]),
          type: "image/webp",
        })),
      ];
      await orAway(
        putAll(client, limit, files, (error) =>
          log.warn({ err: error, key }, "the incomplete upload of an image is left for the sweep"),
        ),
      );
    },
    add: async (key, { width, type, bytes }) => {
      const start = variantsOf(key);
      if (!(await orAway(client.list(start, 1).next())).value?.length) return false;
      const body = new Blob([new Uint8Array(bytes)]);
      const file = { body, type: `image/${encodingOf(type)}` };
      await orAway(client.put(start + fileOf(width, type), file));
      return true;
    },
    open: async (key, width, type = "webp") => {
      if (!isImageKey(key)) return null;
      const name = `${variantsOf(key)}${fileOf(width, type)}`;
      const found = await orAway(openObject(client, name));
      if (!found || isComplete(type, found.head, found.bytes)) return found;
      await found.close();
      throw refuse("picture-damaged", { cause: new Error(`${name} is not whole`) });
    },
    openOriginal: async (key) =>
      isImageKey(key) ? orAway(openObject(client, originalOf(key))) : null,
    remove: async (keys) => {
      const variants = keys.map((key) => limit(namesBelow, client, variantsOf(key)));
      const names = [...keys.map(originalOf), ...(await orAway(Promise.all(variants))).flat()];
      await orAway(client.remove(names));
    },
    list: async function* (before) {
      for (const area of Object.values(areas)) {
        for await (const page of client.list(area)) {
          const found = keysOf(page, area, before);
          if (found.length > 0) yield found;
        }
      }
    },
    // What did not arrive whole is no object: only temporary files here are left.
    clean: (before) => removeOlderThan(tmp, before),
  };
}

type File = { name: string; body: Blob; type: string };

/**
 * All of them, or none: throws the reason of the first failure once the others are removed; `onLeft` is
 * called if they could not be.
 */
async function putAll(
  client: S3Client,
  limit: ReturnType<typeof pLimit>,
  files: readonly File[],
  onLeft: (error: unknown) => void,
): Promise<void> {
  let failed = false;
  const putFile = async ({ name, ...file }: File) => {
    // The first failure decides about all.
    if (failed) return;
    await client.put(name, file).catch((error: unknown) => {
      failed = true;
      throw error;
    });
  };
  const settled = await Promise.allSettled(files.map((file) => limit(putFile, file)));
  const lost = settled.find((one) => one.status === "rejected");
  if (!lost) return;
  await client.remove(files.map(({ name }) => name)).catch(onLeft);
  throw lost.reason as Error;
}

function keysOf(page: readonly S3Object[], area: string, before: Date): string[] {
  const old = page.filter(({ changed }) => changed < before);
  const keys = new Set(old.map(({ name }) => name.slice(area.length).split("/")[1] ?? ""));
  return [...keys].filter(isImageKey);
}

async function namesBelow(client: S3Client, start: string): Promise<string[]> {
  const names: string[] = [];
  for await (const page of client.list(start)) names.push(...page.map(({ name }) => name));
  return names;
}
