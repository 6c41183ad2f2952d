import { createHash } from "node:crypto";
import { pino } from "pino";
import { inject } from "vitest";
import { openStores, type ImageStores } from "#server/adapters/image-store/open.ts";
import type { ImageStoreSettings } from "#server/adapters/image-store/settings.ts";
import { readConfig } from "#server/config.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the S3 server in a run with TEST_IMAGE_STORE=s3; null if images are on disk. */
    s3: string | null;
  }
}

/** For tests that read the files themselves. */
export const imagesOnDisk = () => inject("s3") === null;

/** An operator's settings for a folder in the bucket of a server at `endpoint` (see s3-server.ts). */
export function s3Environment(endpoint: string, folder: string) {
  return {
    IMAGE_STORE: `s3://pictures/${folder}?endpoint=${endpoint}&region=eu-west-1`,
    // s3rver's only account
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
  };
}

/** Variables that make a separate process use this run's image store for a data folder. */
export function storeEnvironment(dataDir: string): Record<string, string> {
  const endpoint = inject("s3");
  if (endpoint === null) return {};
  const folder = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  return s3Environment(endpoint, folder);
}

export function storeSettings(dataDir: string): ImageStoreSettings {
  return readConfig({ NODE_ENV: "test", ...storeEnvironment(dataDir) }).imageStore;
}

/** The image stores of a data folder: on disk, or in a bucket if the run uses one. */
export function testStores(dataDir: string): ImageStores {
  return openStores(dataDir, storeSettings(dataDir), pino({ level: "silent" }));
}
