import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { claimPicturesId, somePictureKeys } from "#server/db/installation-row.ts";

/** Pictures that are looked for where a folder does not say whose it is. */
const sample = 20;

/**
 * Keeps two servers of one database from writing pictures to two disks, where half of them would be
 * missing at either: the database remembers the DATA_DIR that has its pictures, by an id in a file
 * there. A folder that was put back from a backup without the file is known by the pictures in it.
 * Throws one sentence. Pictures in a bucket are everybody's.
 */
export async function claimPictureFolder(
  config: Pick<Config, "dataDir" | "imageStore" | "imageStoreFrom">,
  db: Database,
  store: Pick<ImageStore, "openOriginal">,
): Promise<void> {
  const { dataDir, imageStore, imageStoreFrom } = config;
  if ([imageStore, imageStoreFrom].every((each) => each === null || each.kind === "s3")) return;
  const file = join(dataDir, "pictures.id");
  const here = existsSync(file) ? readFileSync(file, "utf8").trim() : null;
  const own = here !== null && isUuid(here) ? here : randomUUID();
  const claimed = await claimPicturesId(db, own);
  if (claimed === here) return;
  if (claimed !== own && !(await hasPictures(db, store))) {
    throw new Error(
      `IMAGE_STORE is ${imageStore.kind}, but the pictures of this database lie in another DATA_DIR: ` +
        `start with that folder, or keep pictures in a bucket that all servers share. If that folder ` +
        `is lost, run "npm run admin -- use-data-dir".`,
    );
  }
  writeFileSync(file, `${claimed}\n`, { mode: 0o600 });
}

/** Whether pictures of this database lie here, a few that came later than a backup aside. */
async function hasPictures(
  db: Database,
  store: Pick<ImageStore, "openOriginal">,
): Promise<boolean> {
  const keys = await somePictureKeys(db, sample);
  let found = 0;
  for (const key of keys) {
    const original = await store.openOriginal(key);
    if (!original) continue;
    await original.close();
    found += 1;
  }
  return found > keys.length / 2;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
