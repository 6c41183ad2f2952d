import { createHash, randomUUIDv7 } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { CountedAttempt } from "#server/features/limits/index.ts";
import { inDecodeQueue, type Turn } from "#server/features/posts/images/decode-queue.ts";
import { renderInDecoder } from "#server/features/posts/images/decoder.ts";
import type { PhotoDetails } from "#server/features/posts/images/exif.ts";
import type { RenderedImage } from "#server/features/posts/images/render.ts";
import { logStorageFault, storageRefusal } from "#server/platform/storage-faults.ts";
import { isRefusal, refuse, type RefusalCode } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

/** An image whose files are stored durably and which no row names yet. */
export type ReceivedImage = {
  id: string;
  key: string;
  /** upright, pixels */
  width: number;
  height: number;
  /** widths of the stored variants, ascending */
  widths: number[];
  thumbhash: Buffer;
  /** of what a square crops from the long side, percent at the beginning */
  focus: number;
  /** of the original */
  bytes: number;
  mediaType: string;
  /** of an animated image */
  frames: number | null;
  /** the width in which it moves, pixels */
  movingWidth: number | null;
  details: PhotoDetails;
};

/** Refusals from the first bytes: no work was done, so they count against nobody. */
export const cheapRefusals: ReadonlySet<string> = new Set<RefusalCode>([
  "picture-type",
  "picture-too-heavy",
  "picture-too-large",
]);

export type Receiving = {
  store: ImageStore;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Counts one of a member's attempts to have an image decoded; refuses with too-many-attempts. */
  countFailure?: (accountId: string) => Promise<CountedAttempt>;
};

export type Render = (path: string, turn: Turn) => Promise<RenderedImage>;

export const renderStill: Render = (path, turn) =>
  renderInDecoder("renderImage", path, turn, { moving: false });
export const renderAnimated: Render = (path, turn) =>
  renderInDecoder("renderImage", path, turn, { moving: true });

/**
 * Decodes a file, renders its variants and stores both. `sender` is who shares the decoder with others: an
 * account's id, or a visitor's network. Throws the refusals of the decoder, refuse("picture-too-heavy") over
 * 25 MB, and refuse("disk-full") or refuse("disk-read-only") when nothing more can be stored.
 */
export async function receive(
  { store, log }: Receiving,
  file: { path: string },
  sender: string,
  render: Render = renderStill,
): Promise<ReceivedImage> {
  const { size: bytes } = await stat(file.path);
  if (bytes > limits.imageBytes) throw refuse("picture-too-heavy");
  const id = randomUUIDv7();
  const { variants, moving, ...rendered } = await inDecodeQueue(sender, (turn) =>
    render(file.path, turn),
  );
  const key = await contentAddress(id, file.path);
  await storeFiles(store, key, { variants, moving, original: file.path }).catch(
    (error: unknown) => {
      const fault = storageRefusal(error);
      if (fault) logStorageFault(log, fault);
      throw fault ?? error;
    },
  );
  const widths = variants.map(({ width }) => width);
  const { frames = null, file: moves } = moving ?? {};
  return { id, key, bytes, widths, ...rendered, frames, movingWidth: moves?.width ?? null };
}

/** All of its files, or none: the moving one comes last. */
async function storeFiles(
  store: ImageStore,
  key: string,
  { moving, ...still }: Pick<RenderedImage, "variants" | "moving"> & { original: string },
): Promise<void> {
  await store.put(key, still);
  if (!moving?.file) return;
  try {
    await store.add(key, { ...moving.file, type: "moving" });
  } catch (error) {
    await store.remove([key]);
    throw error;
  }
}

/** The same for a member's own upload, with a limit on files that cannot be read. */
export function receiveFrom(
  deps: Receiving,
  accountId: string,
  file: { path: string },
  render: Render = renderStill,
): Promise<ReceivedImage> {
  return receive(deps, file, accountId, async (path, turn) => {
    // Counted during its turn: a member has one at a time, so no other failure comes between.
    const tried = await deps.countFailure?.(accountId);
    try {
      const rendered = await render(path, turn);
      await tried?.refund();
      return rendered;
    } catch (error) {
      if (isRefusal(error) && cheapRefusals.has(error.code)) await tried?.refund();
      throw error;
    }
  });
}

/**
 * The first 128 bits of sha256(id ‖ original). The id makes it unguessable and gives every row files of its
 * own, so that deleting one never affects another (decision 0015).
 */
export async function contentAddress(id: string, path: string): Promise<string> {
  const hash = createHash("sha256").update(id);
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex").slice(0, 32);
}
