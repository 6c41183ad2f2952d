import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { openStores } from "#server/adapters/image-store/open.ts";
import type { ImageStoreSettings } from "#server/adapters/image-store/settings.ts";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { readConfig } from "#server/config.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { checkImages } from "#server/features/administration/index.ts";
import { afterFile } from "#server/test/after-file.ts";
import { restoreTarget, newFolder, silent, sourceInstallation } from "#server/test/backups.ts";
import { startS3Server } from "#server/test/s3-server.ts";

const bucket = await startS3Server();
afterFile(bucket.stop);
const inBucket = (folder: string): ImageStoreSettings =>
  readConfig({ NODE_ENV: "test", ...bucket.environment(folder) }).imageStore;

async function town(imageStore: ImageStoreSettings) {
  const here = await sourceInstallation(imageStore);
  const ada = await here.member("Ada Lovelace");
  await here.photoPost(ada, "A set", ["One", "Two"]);
  await here.photoPost(await here.member("Bob Moore"), "Another");
  return here;
}

/** Restores into an empty folder and database, and compares every image with its row. */
async function restored(from: string, imageStore: ImageStoreSettings) {
  const there = await restoreTarget();
  const where = { ...there.config, imageStore };
  const { skipped } = await restoreBackup(from, where, there.options);
  const db = createDatabase({
    connection: there.connection,
    log: { warn: () => {}, error: console.error },
  });
  const stores = openStores(there.dataDir, imageStore, silent);
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => void faults.push(fault);
  const checked = await checkImages({ db, ...stores }, { onFault });
  await db.close();
  return { skipped, checked, faults };
}

test.each([
  ["a bucket", "another bucket", inBucket("from-1"), inBucket("to-1")],
  ["a bucket", "the disk", inBucket("from-2"), { kind: "disk" as const }],
  ["the disk", "a bucket", { kind: "disk" as const }, inBucket("to-3")],
])("a backup of images in %s is restored to %s", async (_from, _to, from, to) => {
  const here = await town(from);
  const into = newFolder();
  const taken = await here.back(into);
  expect(taken.faulty).toEqual([]);
  const { count } = taken.manifest.pictures;
  // three of posts, and the avatars of two people
  expect(count).toBe(5);
  expect(await restored(into, to)).toEqual({ skipped: [], checked: count, faults: [] });

  // Only what is new is fetched again.
  const gets = () => bucket.asked.filter((asked) => /^GET .*originals\//.test(asked)).length;
  bucket.asked.length = 0;
  await here.photoPost(await here.member("Grace Hopper"), "New");
  const second = await here.back(into);
  expect(second.images.copied).toBeGreaterThan(0);
  if (from.kind === "s3") expect(gets()).toBeLessThanOrEqual(2);
});

test("a bucket that goes away leaves no backup, and the next one is complete", async () => {
  const here = await town(inBucket("away"));
  const into = newFolder();
  bucket.fails = (asked) => (/^GET .*originals\//.test(asked) ? { status: 503 } : null);
  await expect(here.back(into)).rejects.toThrow(/\.$/);
  expect(readdirSync(into).filter((name) => name.startsWith("20"))).toEqual([]);
  bucket.fails = () => null;
  const taken = await here.back(into);
  expect(taken.faulty).toEqual([]);
  expect(await restored(into, inBucket("back"))).toMatchObject({ checked: 5, faults: [] });
});
