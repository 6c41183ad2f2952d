import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "#server/config.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { useBucket } from "#server/platform/backup/bucket-files.ts";
import {
  append,
  lengthOf,
  readEnd,
  readText,
  remove,
  removeAll,
} from "#server/platform/backup/files.ts";
import { readFolder } from "#server/platform/backup/folder.ts";
import { endInspection, readKnownFolder } from "#server/platform/backup/folder.queries.ts";
import { inspectFolder } from "#server/platform/backup/inspect-folder.ts";
import { removeExpired } from "#server/platform/backup/retention.ts";
import { afterFile } from "#server/test/after-file.ts";
import { restoreTarget, sourceInstallation } from "#server/test/backups.ts";
import { openClient } from "#server/test/query.ts";
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
/** The names of the objects in a folder, as files of the server. */
const objects = (folder: string): string[] =>
  readdirSync(join(bucket.directory, "pictures", folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith("_object"))
    .map((entry) =>
      relative(join(bucket.directory, "pictures", folder), join(entry.parentPath, entry.name)),
    )
    .toSorted();
const imagesIn = (folder: string) => objects(folder).filter((name) => name.startsWith("pictures/"));

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

  const client = await openClient(here.connection);
  const look = await inspectFolder(path, await readKnownFolder(client, path));
  expect(look).toMatchObject({ state: "ready", isOurs: true });
  await endInspection(client, path, look);
  const folder = await readFolder(here.db, path);
  expect(folder?.list.map(({ name }) => name)).toEqual([second.name, first.name]);

  // Each object that is read breaks off once.
  const seen = new Set<string>();
  bucket.fails = (asked) => {
    const isFirst = !seen.has(asked);
    seen.add(asked);
    return isFirst && /^GET .*\.gz$/.test(asked) ? "cut" : null;
  };
  const there = await restoreTarget();
  const restored = await there.restore(path);
  bucket.fails = () => null;
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
  const all = imagesIn("retention");
  await here.posts.remove(ada, ada.username, post.number);
  const second = await here.back(path);
  expect(imagesIn("retention")).toEqual(all);
  expect(await removeExpired(path, imageTables)).toEqual([first.name]);
  expect(objects("retention").filter((name) => name.startsWith(first.name))).toEqual([]);
  expect(imagesIn("retention").length).toBeLessThan(all.length);
  const there = await restoreTarget();
  const { folder, pictures, skipped } = await there.restore(path);
  expect({ folder, pictures, skipped }).toEqual({
    folder: second.folder,
    pictures: 3,
    skipped: [],
  });
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
    expect(objects("faults").filter((name) => /\.gz/.test(name))).toEqual([]);
    await expect((await restoreTarget()).restore(path)).rejects.toThrow("There is no backup in");
  }
  // Not even what was put may be removed, as after a process that was killed.
  bucket.fails = (asked) => (/^PUT .*sha256|^POST /.test(asked) ? { status: 403 } : null);
  await expect(here.back(path)).rejects.toThrow(/doesn't allow these keys/);
  bucket.fails = () => null;
  const half = objects("faults").find((name) => name.startsWith("20"));
  expect((await inspectFolder(path, null)).backups).toEqual([]);
  const { name } = await here.back(path);
  const left = objects("faults").filter((other) => other.startsWith("20"));
  expect(left.filter((other) => !other.startsWith(name))).toEqual([]);
  expect(half).toBeDefined();
});

test("a list that grows in a bucket is read as one, and adding to it writes no more than its last part", async () => {
  const { path } = await town("lists");
  const list = `${path}/continuous/wal.jsonl`;
  expect([await readText(list), await lengthOf(list), await readEnd(list, 10)]).toEqual([
    null,
    null,
    "",
  ]);
  const lines = Array.from({ length: 12 }, (_, at) => `${at} ${"é".repeat(40_000)}\n`);
  for (const line of lines) await append(list, line);
  const whole = lines.join("");
  expect(await readText(list)).toBe(whole);
  expect(await lengthOf(list)).toBe(Buffer.byteLength(whole));
  expect(whole.endsWith(await readEnd(list, 50_000))).toBe(true);
  expect((await readEnd(list, 150_000)).length).toBeGreaterThanOrEqual(150_000);
  // 80 kB each: the fourth makes a part long
  const parts = objects("lists").map((name) => /wal\.jsonl(\.\d+)?/.exec(name)?.[0] ?? name);
  expect(parts.toSorted()).toEqual(["wal.jsonl", "wal.jsonl.000001", "wal.jsonl.000002"]);
  // its neighbours are others' lists
  await append(`${path}/continuous/wal.jsonl.gz.jsonl`, "x\n");
  expect(await readText(list)).toBe(whole);
  await remove(list);
  expect(await readText(list)).toBe(null);
  expect(await readText(`${path}/continuous/wal.jsonl.gz.jsonl`)).toBe("x\n");
});

test("a bucket of another installation, and one that lost its mark, get nothing", async () => {
  const { here, path } = await town("marked");
  await here.back(path);
  const other = await sourceInstallation();
  await other.member();
  await expect(other.back(path)).rejects.toThrow("holds backups of another Postcard");
  const client = await openClient(here.connection);
  await endInspection(client, path, await inspectFolder(path, await readKnownFolder(client, path)));
  await removeAll(path);
  await expect(here.back(path)).rejects.toThrow("There is no mark of ours");
});
