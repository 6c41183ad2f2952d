import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "#server/config.ts";
import { imageTables } from "#server/features/administration/index.ts";
import { useBucket } from "#server/platform/backup/bucket-files.ts";
import { readFolder } from "#server/platform/backup/folder.ts";
import { endInspection, readKnownFolder } from "#server/platform/backup/folder.queries.ts";
import { inspectFolder } from "#server/platform/backup/inspect-folder.ts";
import { readDeletions } from "#server/platform/backup/deletions.ts";
import { removeExpired } from "#server/platform/backup/retention.ts";
import { openSession } from "#server/platform/db/dump.ts";
import { afterFile } from "#server/test/after-file.ts";
import { restoreTarget, sourceInstallation } from "#server/test/backups.ts";
import { query } from "#server/test/query.ts";
import { startS3Server } from "#server/test/s3-server.ts";

const bucket = await startS3Server();
afterFile(bucket.stop);

/** An installation with three images, whose backups are in a folder of the bucket. */
async function town(folder: string) {
  const here = await sourceInstallation();
  const { dataDir } = here.source;
  const config = readConfig({ NODE_ENV: "test", DATA_DIR: dataDir, ...bucket.backups(folder) });
  if (config.backupDir === null || !config.backupBucket) throw new Error("There is no bucket.");
  useBucket(config.backupBucket, dataDir);
  const ada = await here.member("Ada Lovelace");
  await here.photoPost(ada, "A set", ["One", "Two"]);
  return { here, ada, path: config.backupDir, drafts: join(dataDir, "backup-drafts") };
}

const puts = () => bucket.asked.filter((asked) => asked.startsWith("PUT "));
const images = () => puts().filter((asked) => asked.includes("/pictures/o/pictures/originals"));
const objects = (folder: string) =>
  existsSync(join(bucket.directory, "pictures", folder))
    ? readdirSync(join(bucket.directory, "pictures", folder), { recursive: true })
    : [];

test("a bucket takes backups with each image once, and gives them back", async () => {
  const { here, ada, path, drafts } = await town("o");
  expect(path).toBe("s3://pictures/o");
  bucket.asked.length = 0;
  const first = await here.back(path);
  expect(first.folder).toBe(join("s3://pictures/o", first.name).replace("s3:/", "s3://"));
  expect(images()).toHaveLength(3);
  expect(readdirSync(drafts)).toEqual([]);

  await here.photoPost(ada, "Later");
  bucket.asked.length = 0;
  const second = await here.back(path);
  expect(images()).toHaveLength(1);
  expect(second.manifest.pictures.count).toBe(4);

  const client = await openSession(here.connection);
  afterFile(() => client.end());
  const look = await inspectFolder(path, await readKnownFolder(client, path));
  expect(look).toMatchObject({ state: "ready", isOurs: true });
  await endInspection(client, path, look);
  const seen = await readFolder(here.db, path);
  expect(seen?.list.map(({ name }) => name)).toEqual([second.name, first.name]);

  const there = await restoreTarget();
  const restored = await there.restore(path);
  expect(restored).toMatchObject({ folder: second.folder, pictures: 4, skipped: [] });
  expect(readdirSync(join(there.dataDir, "originals"), { recursive: true }).length).toBeGreaterThan(
    4,
  );
  const old = await restoreTarget();
  expect(await old.restore(first.folder)).toMatchObject({ pictures: 3, skipped: [] });
});

test("old backups in a bucket go with the images that no other one names", async () => {
  const { here, ada, path } = await town("retention");
  const post = await here.photoPost(ada, "For a moment");
  const first = await here.back(path);
  await here.posts.remove(ada, ada.username, post.number);
  await query(here.db, "delete from posts where deleted_at is not null");
  const second = await here.back(path);
  expect(await removeExpired(path, imageTables)).toEqual([first.name]);
  const left = objects("retention").map(String);
  expect(left.some((name) => name.startsWith(first.name))).toBe(false);
  expect(left.some((name) => name.startsWith(second.name))).toBe(true);
  const there = await restoreTarget();
  expect(await there.restore(path)).toMatchObject({ folder: second.folder, skipped: [] });
});

test("whatever a bucket refuses half way leaves no backup there, and says so in a sentence", async () => {
  const { here, path } = await town("faults");
  for (const [fault, sentence] of [
    [{ status: 403 }, /doesn't allow these keys/],
    [{ status: 507 }, /is full/],
    [{ status: 503 }, /fails at the moment/],
    ["broken", /can't be reached/],
  ] as const) {
    bucket.fails = (asked) => (/^PUT .*database/.test(asked) ? fault : null);
    await expect(here.back(path)).rejects.toThrow(sentence);
    bucket.fails = () => null;
    expect(objects("faults").filter((name) => /\.gz/.test(String(name)))).toEqual([]);
    await expect((await restoreTarget()).restore(path)).rejects.toThrow("There is no backup in");
  }
  // The process was killed before it could remove what it had put.
  bucket.fails = (asked) =>
    /^PUT .*manifest.json.sha256/.test(asked) || asked.startsWith("POST ") ? { status: 403 } : null;
  await expect(here.back(path)).rejects.toThrow(/403/);
  bucket.fails = () => null;
  expect(objects("faults").map(String).some((name) => name.endsWith("manifest.json"))).toBe(false);
});

test("another installation's bucket, and one without our mark, get nothing", async () => {
  const { here, path } = await town("marked");
  const other = await sourceInstallation();
  await other.member();
  await here.back(path);
  await expect(other.back(path)).rejects.toThrow("holds backups of another Postcard");
});

test("a list of those who are gone for good grows in a bucket", async () => {
  const { here, path } = await town("deletions");
  await here.back(path);
  expect(await readDeletions(path)).toEqual({ accounts: new Set(), unreadable: 0 });
});
