import { join } from "node:path";
import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { createImgbbStore } from "#server/adapters/image-store/imgbb.ts";
import { createS3Client } from "#server/adapters/image-store/s3-client.ts";
import { createS3Check } from "#server/adapters/image-store/s3-check.ts";
import { createS3Store } from "#server/adapters/image-store/s3.ts";
import type { ImageStoreSettings } from "#server/adapters/image-store/settings.ts";
import { readingBoth } from "#server/adapters/image-store/reading-both.ts";
import { createDiskFiles } from "#server/adapters/private-files/disk.ts";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { readingBothFiles } from "#server/adapters/private-files/reading-both.ts";
import { createS3Files } from "#server/adapters/private-files/s3.ts";
import type { Config } from "#server/config.ts";

type Log = Pick<Logger, "warn" | "error">;
type Deps = { config: Pick<Config, "dataDir" | "imageStore" | "imageStoreFrom">; log: Log };

/** The stores of an installation, and whether they can be used. */
export type ImageStores = {
  /** pictures of posts and people */
  store: ImageStore;
  /** pictures of messages: nothing there is served to others than their two members */
  privateStore: ImageStore;
  /** what else belongs to the installation and to no single server: archives, parts, letters */
  files: PrivateFiles;
  /** Throws one sentence for the operator where what is set cannot work. */
  check: () => Promise<void>;
  /** Whether pictures can be read; asked at most every few seconds. */
  isReady: () => Promise<boolean>;
};

/** The stores that IMAGE_STORE names, and while pictures are moved the ones they come from. */
export function openImageStores({ config, log }: Deps): ImageStores {
  const { dataDir, imageStore, imageStoreFrom } = config;
  const to = openStores(dataDir, imageStore, log);
  if (!imageStoreFrom) return to;
  const from = openStores(dataDir, imageStoreFrom, log);
  return {
    store: readingBoth(to.store, from.store),
    privateStore: readingBoth(to.privateStore, from.privateStore),
    files: readingBothFiles(to.files, from.files),
    check: async () => {
      await to.check();
      await from.check();
    },
    isReady: async () => (await to.isReady()) && from.isReady(),
  };
}

export function openStores(dataDir: string, settings: ImageStoreSettings, log: Log): ImageStores {
  const onDisk = createDiskFiles({ dataDir });
  if (settings.kind === "s3") {
    const client = createS3Client(settings);
    const tmp = join(dataDir, "tmp");
    const address = `s3://${settings.bucket}/${settings.prefix}`;
    return {
      store: createS3Store({ client, folder: "", tmp, log }),
      privateStore: createS3Store({ client, folder: "private/", tmp, log }),
      files: readingBothFiles(createS3Files({ client, tmp, address, log }), onDisk),
      ...createS3Check({ client, settings, log }),
    };
  }
  const store =
    settings.kind === "imgbb"
      ? createImgbbStore({ dataDir, key: settings.key, api: settings.api, log })
      : createDiskStore({ dataDir });
  return {
    store,
    privateStore: createDiskStore({ dataDir: join(dataDir, "private") }),
    files: onDisk,
    check: async () => undefined,
    isReady: async () => true,
  };
}
