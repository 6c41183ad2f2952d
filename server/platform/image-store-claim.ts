import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { ImageStoreSettings } from "#server/adapters/image-store/settings.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import {
  claimImageStore,
  claimImageStoreId,
  readInstallation,
} from "#server/platform/db/installation-row.ts";

/** How many images are looked for when a folder does not say which database it belongs to. */
const sample = 20;

type Stores = Pick<Config, "dataDir" | "imageStore" | "imageStoreFrom">;
type StoredImages = {
  store: Pick<ImageStore, "openOriginal">;
  /** content addresses of some of the images that rows refer to */
  someKeys: (db: Database, most: number) => Promise<string[]>;
};

/**
 * Prevents two servers of one database from storing images in two stores, where each would miss half of
 * them: the database remembers the bucket, or that images are in a DATA_DIR and, by an id in a file there,
 * in which one. With IMAGE_STORE_FROM the store they are moved to is remembered from then on. A store that
 * does not say which database it belongs to is recognized by the images in it, unless it is to be used
 * `anew`. Throws one sentence.
 */
export async function claimConfiguredStore(
  config: Stores,
  db: Database,
  images: StoredImages,
  { anew = false } = {},
): Promise<void> {
  await claimStore(config, db, images, anew);
  const used = [config.imageStore, config.imageStoreFrom];
  const usesFolder = used.some((each) => each !== null && each.kind !== "s3");
  if (usesFolder) await claimFolder(config, db, images);
}

const folder = "folder";

/** Buckets are identified by name and prefix: servers may reach them at different addresses. */
const storeName = (store: ImageStoreSettings): string =>
  store.kind === "s3" ? `s3://${store.bucket}/${store.prefix}` : folder;

async function claimStore(
  { imageStore, imageStoreFrom }: Stores,
  db: Database,
  images: StoredImages,
  anew: boolean,
): Promise<void> {
  const to = storeName(imageStore);
  const { picturesAt, picturesId } = await readInstallation(db);
  const asks = !anew && picturesAt === null && (to !== folder || picturesId === null);
  if (asks) {
    // A bucket that is briefly unavailable prevents no start: the next start checks it.
    const found = await imageShare(db, images).catch(() => "unknown" as const);
    if (found === "unknown") return;
    if (found !== null && found <= 0.5) throw new Error(sentence(imageStore, "somewhere else"));
  }
  const claimed = await claimImageStore(db, to, imageStoreFrom ? storeName(imageStoreFrom) : to);
  if (claimed === to) return;
  throw new Error(sentence(imageStore, claimed === folder ? "in a DATA_DIR" : `in ${claimed}`));
}

function sentence(store: ImageStoreSettings, where: string): string {
  const is = store.kind === "s3" ? storeName(store) : store.kind;
  const wanted = where.startsWith("in s3:")
    ? "set IMAGE_STORE to that bucket, with its keys, as at the other servers"
    : where === "in a DATA_DIR"
      ? "unset IMAGE_STORE and start with that folder"
      : "set IMAGE_STORE to where they lie";
  return (
    `IMAGE_STORE is ${is}, but the pictures of this database lie ${where}: ${wanted}. To move them, ` +
    `set IMAGE_STORE_FROM to where they lie; if they are lost, run "npm run admin -- use-data-dir".`
  );
}

async function claimFolder({ dataDir, imageStore }: Stores, db: Database, images: StoredImages) {
  const file = join(dataDir, "pictures.id");
  const here = existsSync(file) ? readFileSync(file, "utf8").trim() : null;
  const own = here !== null && isId(here) ? here : randomUUID();
  const claimed = await claimImageStoreId(db, own);
  if (claimed === here) return;
  if (claimed !== own && ((await imageShare(db, images)) ?? 0) <= 0.5) {
    throw new Error(
      `IMAGE_STORE is ${imageStore.kind}, but the pictures of this database lie in another DATA_DIR: ` +
        `start with that folder, or keep pictures in a bucket that all servers share. If that folder ` +
        `is lost, run "npm run admin -- use-data-dir".`,
    );
  }
  writeFileSync(file, `${claimed}\n`, { mode: 0o600 });
}

/**
 * The share of some images of this database that is stored here: a few may be newer than a backup. Null
 * without images.
 */
async function imageShare(db: Database, { store, someKeys }: StoredImages): Promise<number | null> {
  const keys = await someKeys(db, sample);
  if (keys.length === 0) return null;
  let found = 0;
  for (const key of keys) {
    const original = await store.openOriginal(key);
    if (!original) continue;
    await original.close();
    found += 1;
  }
  return found / keys.length;
}
