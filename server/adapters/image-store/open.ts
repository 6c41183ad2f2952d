import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import {
  createDiskGuard,
  imageDiskAway,
  type DiskGuard,
} from "#server/adapters/image-store/disk-guard.ts";
import { createImgbbStore } from "#server/adapters/image-store/imgbb.ts";
import { createS3Client } from "#server/adapters/image-store/s3-client.ts";
import { createS3Check } from "#server/adapters/image-store/s3-check.ts";
import { createS3Store } from "#server/adapters/image-store/s3.ts";
import type { ImageStoreSettings } from "#server/adapters/image-store/settings.ts";
import { createFallbackStore } from "#server/adapters/image-store/fallback-store.ts";
import { createDiskFiles } from "#server/adapters/private-files/disk.ts";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { createFallbackFiles } from "#server/adapters/private-files/fallback-files.ts";
import { createS3Files } from "#server/adapters/private-files/s3.ts";
import type { Config } from "#server/config.ts";
import { isRefusal } from "#shared/errors.ts";

type Log = Pick<Logger, "warn" | "error">;
type Deps = { config: Pick<Config, "dataDir" | "imageStore" | "imageStoreFrom">; log: Log };

/** The stores of an installation, and whether they can be used. */
export type ImageStores = {
  /** images of posts and avatars */
  store: ImageStore;
  /** images of messages: only served to the two members of a conversation */
  privateStore: ImageStore;
  /**
   * other files that belong to the installation and not to a single server: archives, uploads in parts,
   * emails
   */
  files: PrivateFiles;
  /** Throws one sentence for the operator if the settings cannot work. */
  check: () => Promise<void>;
  /** Whether images can be read; checked at most every few seconds. */
  isReady: () => Promise<boolean>;
  /**
   * Runs a check of the disk of DATA_DIR, bounded if images are on it: refuses with picture-host-away if it
   * does not answer, and as long as the images' disk doesn't.
   */
  onDisk: <T>(look: () => Promise<T>) => Promise<T>;
};

/** The stores that IMAGE_STORE names and, while images are moved, the ones they come from. */
export function openImageStores({ config, log }: Deps): ImageStores {
  const { dataDir, imageStore, imageStoreFrom } = config;
  const to = openStores(dataDir, imageStore, log);
  if (!imageStoreFrom) return to;
  const from = openStores(dataDir, imageStoreFrom, log);
  return {
    store: createFallbackStore(to.store, from.store),
    privateStore: createFallbackStore(to.privateStore, from.privateStore),
    files: createFallbackFiles(to.files, from.files),
    check: async () => {
      await to.check();
      await from.check();
    },
    isReady: async () => (await to.isReady()) && from.isReady(),
    onDisk: imageStore.kind === "disk" ? to.onDisk : from.onDisk,
  };
}

export function openStores(dataDir: string, settings: ImageStoreSettings, log: Log): ImageStores {
  if (settings.kind === "s3") {
    const onDisk = createDiskFiles({ dataDir });
    const client = createS3Client(settings);
    const tmp = join(dataDir, "tmp");
    const address = `s3://${settings.bucket}/${settings.prefix}`;
    return {
      store: createS3Store({ client, folder: "", tmp, log }),
      privateStore: createS3Store({ client, folder: "private/", tmp, log }),
      files: createFallbackFiles(createS3Files({ client, tmp, address, log }), onDisk),
      ...createS3Check({ client, settings, log }),
      onDisk: (look) => look(),
    };
  }
  const guard = createDiskGuard({ log });
  const privateStore = createDiskStore({ dataDir: join(dataDir, "private"), guard });
  const files = createDiskFiles({ dataDir, guard });
  const onDisk: ImageStores["onDisk"] = (look) =>
    guard.isAway() ? Promise.reject(imageDiskAway()) : guard.run("quick", look);
  const hosted =
    settings.kind === "imgbb"
      ? createImgbbStore({ dataDir, key: settings.key, api: settings.api, log })
      : null;
  return {
    store: hosted ?? createDiskStore({ dataDir, guard }),
    privateStore,
    files,
    check: async () => undefined,
    isReady: hosted ? async () => true : createDiskCheck(join(dataDir, "images"), guard),
    onDisk,
  };
}

/** How often at most a folder is checked, milliseconds; and how long the check may take. */
const lookMs = { every: 5000, patience: 1500 };

function createDiskCheck(folder: string, guard: DiskGuard): () => Promise<boolean> {
  let look: Promise<boolean> | null = null;
  return async () => {
    if (guard.isAway()) return false;
    look ??= guard
      .run("quick", () => stat(folder))
      .then(
        () => true,
        // There may be no images yet.
        (error: unknown) => !isRefusal(error),
      )
      .finally(() => setTimeout(() => (look = null), lookMs.every).unref());
    return Promise.race([look, sleep(lookMs.patience, false, { ref: false })]);
  };
}
