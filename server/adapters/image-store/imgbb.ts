import { randomUUID } from "node:crypto";
import { appendFile, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import pLimit from "p-limit";
import type { Logger } from "pino";
import { z } from "zod";
import { hostAway } from "#server/adapters/image-store/host-away.ts";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import {
  makeFolderDurably,
  namesIn,
  orMissing,
  syncToDisk,
  pathsOlderThan,
  writeDurably,
} from "#server/adapters/image-store/durable-files.ts";
import {
  isImageKey,
  keyPath,
  type ByteRange,
  type ImageStore,
  type OpenVariant,
} from "#server/adapters/image-store/image-store.ts";
import { refuse } from "#shared/errors.ts";

type Deps = {
  dataDir: string;
  /** the host's key for its API; leaves this server in requests to the host only */
  key: string;
  /** where the API is, without a slash at the end */
  api: string;
  log: Pick<Logger, "warn" | "error">;
};

/** The address of one variant at the host, and the page on which a person can delete it. */
type Hosted = { url: string; deleteUrl: string | null; bytes?: number | undefined };
/** By width in pixels. */
type Manifest = Record<string, Hosted>;

const patienceMs = { upload: 30_000, read: 15_000 };
const uploadsAtOnce = 3;

/** The part of the host's answer that we use (api.imgbb.com, "Example response"). */
const answer = z.object({
  success: z.literal(true),
  data: z.object({
    // the file as it was sent; display_url may be a smaller copy of it
    url: z.url().optional(),
    display_url: z.url(),
    delete_url: z.string().optional(),
  }),
});
const manifestShape = z.record(
  z.string(),
  // `bytes` is missing if an older version stored it
  z.object({
    url: z.string(),
    deleteUrl: z.string().nullable(),
    bytes: z.number().int().optional(),
  }),
);

/**
 * Variants at the image host imgbb.com, originals (which nobody may see) and what was stored before
 * in DATA_DIR:
 *
 *     hosted/ab/<key>.json    the address of each variant at the host
 *     hosted/to-delete.txt    the host's pages for deleting what Postcard no longer shows
 *
 * Images keep our addresses and pass through this server: the host never sees a visitor and
 * nobody sees the host's addresses (docs/decisions/0154).
 */
export function createImgbbStore(deps: Deps): ImageStore {
  const { dataDir } = deps;
  const disk = createDiskStore({ dataDir });
  const limit = pLimit(uploadsAtOnce);
  return {
    put: async (key, { variants, original }) => {
      const uploads = variants.map(({ width, bytes }) =>
        limit(async () => [String(width), await upload(deps, `${key}-${width}`, bytes)] as const),
      );
      const settled = await Promise.allSettled(uploads);
      const done = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const manifest: Manifest = Object.fromEntries(done);
      try {
        const failed = settled.find((one) => one.status === "rejected");
        if (failed) throw hostAway(deps.log, failed.reason);
        // The original, and the folder by which the sweep finds files that no row names.
        await disk.put(key, { variants: [], original });
        await writeManifest(dataDir, key, manifest);
      } catch (error) {
        await forget(dataDir, manifest);
        await disk.remove([key]);
        throw error;
      }
    },
    add: disk.add,
    open: async (key, width, type = "webp") => {
      if (!isImageKey(key)) return null;
      // Additional variants stay here: the host takes no AVIF, and may remove animation.
      if (type !== "webp") return disk.open(key, width, type);
      const found = (await manifestFor(dataDir, key))?.[String(width)];
      // Stored before the host was chosen, or added later.
      return found ? fetchFromHost(deps, found, { key, width }) : disk.open(key, width);
    },
    openOriginal: disk.openOriginal,
    remove: async (keys) => {
      for (const key of keys) {
        const manifest = isImageKey(key) ? await manifestFor(dataDir, key) : null;
        if (manifest) {
          await forget(dataDir, manifest);
          await rm(manifestOf(dataDir, key), { force: true });
        }
      }
      await disk.remove(keys);
    },
    list: async function* (before) {
      yield* disk.list(before);
      for (const prefix of await namesIn(join(dataDir, "hosted"))) {
        const paths = await pathsOlderThan(join(dataDir, "hosted", prefix), before);
        const keys = paths.map((path) => basename(path, ".json")).filter(isImageKey);
        if (keys.length > 0) yield keys;
      }
    },
    clean: disk.clean,
  };
}

const manifestOf = (dataDir: string, key: string) =>
  join(dataDir, "hosted", `${keyPath(key)}.json`);

async function writeManifest(dataDir: string, key: string, manifest: Manifest): Promise<void> {
  const path = manifestOf(dataDir, key);
  const draft = join(dataDir, "tmp", `${randomUUID()}.manifest`);
  await makeFolderDurably(dirname(path));
  await makeFolderDurably(dirname(draft));
  await writeDurably(draft, Buffer.from(JSON.stringify(manifest)));
  await rename(draft, path);
  await syncToDisk(dirname(path));
}

async function manifestFor(dataDir: string, key: string): Promise<Manifest | null> {
  const text = await orMissing(readFile(manifestOf(dataDir, key), "utf8"));
  return text === null ? null : manifestShape.parse(JSON.parse(text));
}

/** The host has no documented way to delete: a person finds its pages in this list. */
async function forget(dataDir: string, manifest: Manifest): Promise<void> {
  const pages = Object.values(manifest).flatMap(({ deleteUrl }) => deleteUrl ?? []);
  if (pages.length === 0) return;
  const hosted = join(dataDir, "hosted");
  await makeFolderDurably(hosted);
  const lines = pages.map((page) => `${page}\n`).join("");
  await appendFile(join(hosted, "to-delete.txt"), lines, { mode: 0o600 });
}

async function upload({ api, key }: Deps, name: string, bytes: Buffer): Promise<Hosted> {
  const form = new FormData();
  form.set("image", new Blob([new Uint8Array(bytes)], { type: "image/webp" }), `${name}.webp`);
  form.set("name", name);
  const response = await fetch(`${api}/1/upload?key=${encodeURIComponent(key)}`, {
    method: "POST",
    body: form,
    redirect: "error",
    signal: AbortSignal.timeout(patienceMs.upload),
  });
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(`the image host answered ${response.status}`);
  const { data } = answer.parse(body);
  const url = data.url ?? data.display_url;
  if (!mayBeRead(url, api)) throw new Error("the image host answered with an unexpected address");
  return { url, deleteUrl: data.delete_url ?? null, bytes: bytes.length };
}

async function fetchFromHost(
  deps: Deps,
  { url, bytes }: Hosted,
  about: { key: string; width: number },
): Promise<OpenVariant | null> {
  const response = await fetch(url, {
    redirect: "error",
    headers: { "Accept-Encoding": "identity" },
    signal: AbortSignal.timeout(patienceMs.read),
  }).catch((error: unknown) => {
    throw hostAway(deps.log, error);
  });
  if (response.ok && response.body) {
    const variant = await opened(response);
    if (bytes === undefined || bytes === variant.bytes) return variant;
    await variant.close();
    throw refuse("picture-damaged", {
      cause: new Error(`${about.key}: the host sent a different length`),
    });
  }
  await response.body?.cancel();
  if (response.status === 404 || response.status === 410) {
    deps.log.warn(about, "the image host has lost an image");
    return null;
  }
  throw hostAway(deps.log, new Error(`the image host answered ${response.status}`));
}

/** The host's answer, as a stream of a known size. */
async function opened(response: Response): Promise<OpenVariant> {
  const declared = Number(response.headers.get("content-length") ?? Number.NaN);
  const body = response.body as unknown as ReadableStream<Uint8Array>;
  if (Number.isInteger(declared) && !response.headers.has("content-encoding")) {
    return {
      bytes: declared,
      read: (range) => Readable.from(range ? part(body, range) : body),
      close: () => body.cancel(),
    };
  }
  const whole = Buffer.from(await response.arrayBuffer());
  return {
    bytes: whole.length,
    read: ({ start = 0, end = whole.length - 1 } = {} as ByteRange) =>
      Readable.from([whole.subarray(start, end + 1)]),
    close: async () => undefined,
  };
}

/** The bytes of a range; leaving the loop ends the request. */
async function* part(body: AsyncIterable<Uint8Array>, { start, end }: ByteRange) {
  let at = 0;
  for await (const chunk of body) {
    const from = Math.max(0, start - at);
    const to = Math.min(chunk.length, end + 1 - at);
    if (from < to) yield chunk.subarray(from, to);
    at += chunk.length;
    if (at > end) return;
  }
}

/** An address that we fetch later: https, or the configured host. */
function mayBeRead(url: string, api: string): boolean {
  const { protocol, origin, username } = new URL(url);
  return username === "" && (protocol === "https:" || origin === new URL(api).origin);
}
