import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { createImgbbStore } from "#server/adapters/image-store/imgbb.ts";
import type { Config } from "#server/config.ts";

type Deps = { config: Pick<Config, "dataDir" | "imageStore" | "imgbb">; log: Pick<Logger, "warn"> };

/** The image store that IMAGE_STORE names. */
export function openImageStore({ config: { dataDir, imageStore, imgbb }, log }: Deps): ImageStore {
  if (imageStore === "imgbb" && imgbb) return createImgbbStore({ dataDir, ...imgbb, log });
  return createDiskStore({ dataDir });
}
