import { Readable } from "node:stream";
import type { Logger } from "pino";
import type {
  AddedVariant,
  ImageStore,
  OpenVariant,
} from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import { inDecodeQueue } from "#server/features/posts/images/decode-queue.ts";
import { renderInDecoder } from "#server/features/posts/images/decoder.ts";
import { findSize } from "#server/features/posts/images/served-images.queries.ts";
import { withOriginal } from "#server/features/posts/images/with-original.ts";
import type { CountedAttempt } from "#server/features/limits/index.ts";
import { logStorageFault, storageRefusal } from "#server/platform/storage-faults.ts";
import { largeSize } from "#shared/large-images.ts";

type Deps = {
  db: Database;
  store: Pick<ImageStore, "open" | "openOriginal" | "add">;
  log: Pick<Logger, "warn" | "error">;
  dataDir: string;
  /** Counts one that must be rendered; refuses with too-many-attempts. */
  count: (sender: string) => Promise<CountedAttempt>;
};

/**
 * Images with all of their original's pixels: rendered when somebody first zooms in that far, and stored
 * among the variants, so that they are deleted with the image. No row names them: if the store has lost one,
 * or never got it, it is rendered again.
 */
export function createLargeImages(deps: Deps) {
  const { store, count } = deps;
  const underWay = new Map<string, Promise<Buffer | null>>();

  /**
   * Opens it; `sender`, an account's id or a visitor's network, is whose turn at the decoder it takes. The
   * caller has checked that the image may be seen. Null where the original is gone.
   */
  async function open(
    key: string,
    width: number,
    sender: () => Promise<string>,
  ): Promise<OpenVariant | null> {
    const stored = await store.open(key, width);
    if (stored) return stored;
    const bytes = await (underWay.get(key) ?? begin(key, await sender()));
    return bytes && inMemory(bytes);
  }

  /** Counts against the first one who asks; the others wait for the same result. */
  async function begin(key: string, sender: string): Promise<Buffer | null> {
    await count(sender);
    const rendered = underWay.get(key) ?? render(deps, key, sender);
    underWay.set(key, rendered);
    return rendered.finally(() => underWay.delete(key));
  }

  return { open };
}

async function render(deps: Deps, key: string, sender: string): Promise<Buffer | null> {
  const { db, log } = deps;
  const size = await sizeOf(db, key);
  if (!size) return null;
  const bytes = await withOriginal(deps, key, (path) =>
    inDecodeQueue(sender, (turn) => renderInDecoder("renderLarge", path, turn, size)),
  ).catch((error: unknown) => {
    throw storageRefusal(error) ?? error;
  });
  if (!bytes) {
    log.error({ key }, "the original of an image is missing: see check-pictures");
    return null;
  }
  // Deleted meanwhile: nothing of it is stored.
  if (!(await sizeOf(db, key))) return null;
  await storeVariant(deps, key, { width: size.width, type: "webp", bytes });
  return bytes;
}

async function sizeOf(db: Database, key: string) {
  const size = await findSize(db, key);
  return size && largeSize(size);
}

/** When the store is full the image is shown anyway: it is rendered again another time. */
async function storeVariant({ store, log }: Deps, key: string, variant: AddedVariant) {
  try {
    await store.add(key, variant);
  } catch (error) {
    const fault = storageRefusal(error);
    if (fault) logStorageFault(log, fault);
    else log.warn({ err: error, key }, "a large image was rendered but not stored");
  }
}

function inMemory(bytes: Buffer): OpenVariant {
  return {
    bytes: bytes.length,
    read: ({ start = 0, end = bytes.length - 1 } = { start: 0, end: bytes.length - 1 }) =>
      Readable.from([bytes.subarray(start, end + 1)]),
    close: async () => undefined,
  };
}
