import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { readConfig } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { forgetImageStore } from "#server/platform/db/installation-row.ts";
import { sampleImageKeys } from "#server/features/administration/index.ts";
import { claimConfiguredStore } from "#server/platform/image-store-claim.ts";
import { afterFile } from "#server/test/after-file.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures } from "#server/test/factories.ts";
import { s3Environment } from "#server/test/image-stores.ts";

let db: Database;
beforeAll(async () => {
  ({ db } = await freshDatabase());
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "postcard-pictures-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a server does when it starts in this folder. */
function start(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  const config = readConfig({ NODE_ENV: "test", DATA_DIR: dataDir, ...env });
  return claimConfiguredStore(config, db, {
    store: createDiskStore({ dataDir }),
    someKeys: sampleImageKeys,
  });
}

const bucket = (name: string) => s3Environment("http://127.0.0.1:1", name);
/** Images are moved from there: a former bucket has the keys of the new one. */
const movedFrom = (to: Record<string, string>, from: Record<string, string> | "disk") => ({
  ...to,
  IMAGE_STORE_FROM: from === "disk" ? "disk" : (from["IMAGE_STORE"] ?? ""),
});

const idIn = (folder: string) => join(folder, "pictures.id");
const refused = "the pictures of this database lie in another DATA_DIR";

test("the first folder is the valid one; another is refused until the first is given up as lost", async () => {
  const [first, second] = [newFolder(), newFolder()];
  await start(first);
  const id = readFileSync(idIn(first), "utf8");
  await start(first);
  expect(readFileSync(idIn(first), "utf8")).toBe(id);

  await expect(start(second)).rejects.toThrow(refused);
  expect(existsSync(idIn(second))).toBe(false);
  writeFileSync(idIn(second), "something else\n");
  await expect(start(second)).rejects.toThrow(refused);

  await forgetImageStore(db);
  await start(second);
  await expect(start(first)).rejects.toThrow(refused);
});

test("a folder restored from a backup is recognized by its images", async () => {
  await forgetImageStore(db);
  const [first, restored, empty] = [newFolder(), newFolder(), newFolder()];
  await start(first);
  const stores = {
    store: createDiskStore({ dataDir: restored }),
    privateStore: createDiskStore({ dataDir: join(restored, "private") }),
  };
  await testFeatures(db, { stores }).member();
  await expect(start(empty)).rejects.toThrow(refused);
  await start(restored);
  expect(readFileSync(idIn(restored), "utf8")).toBe(readFileSync(idIn(first), "utf8"));
});

test("a server with a disk does not join one with a bucket, nor one with another bucket, and the error says what to set", async () => {
  await forgetImageStore(db);
  const none = await freshDatabase();
  db = none.db;
  const [first, second] = [newFolder(), newFolder()];
  await start(first, bucket("shared"));
  await start(second, bucket("shared"));
  await expect(start(second)).rejects.toThrow(
    "IMAGE_STORE is disk, but the pictures of this database lie in s3://pictures/shared/: set IMAGE_STORE to that bucket, with its keys, as at the other servers.",
  );
  await expect(start(second, bucket("other"))).rejects.toThrow("lie in s3://pictures/shared/");
  const imgbb = { IMAGE_STORE: "imgbb", IMGBB_KEY: "key" };
  await expect(start(second, imgbb)).rejects.toThrow("IMAGE_STORE is imgbb, but");
  expect(existsSync(idIn(second))).toBe(false);
  // The bucket is gone for good.
  await forgetImageStore(db);
  await start(second);
  await expect(start(first, bucket("shared"))).rejects.toThrow(
    "lie in a DATA_DIR: unset IMAGE_STORE and start with that folder",
  );
});

test("moving images claims the destination, in both directions", async () => {
  ({ db } = await freshDatabase());
  const [first, other] = [newFolder(), newFolder()];
  await start(first);
  const there = movedFrom(bucket("new"), "disk");
  await start(first, there);
  await expect(start(other, there), "its disk has none of them").rejects.toThrow(refused);
  await expect(start(first)).rejects.toThrow("lie in s3://pictures/new/");
  // to another bucket
  await start(first, movedFrom(bucket("newer"), bucket("new")));
  await expect(start(first, bucket("new"))).rejects.toThrow("lie in s3://pictures/newer/");
  await start(other, bucket("newer"));
  // and onto a disk, which belongs to one server
  const back = movedFrom({ ...bucket("newer"), IMAGE_STORE: "disk" }, bucket("newer"));
  await start(other, back);
  await start(other);
  await expect(start(first, back)).rejects.toThrow(refused);
});

test("an older installation is recognized by where its images are", async () => {
  ({ db } = await freshDatabase());
  const [full, empty] = [newFolder(), newFolder()];
  const stores = {
    store: createDiskStore({ dataDir: full }),
    privateStore: createDiskStore({ dataDir: join(full, "private") }),
  };
  await testFeatures(db, { stores }).member();
  await expect(start(empty)).rejects.toThrow(
    "lie somewhere else: set IMAGE_STORE to where they lie",
  );
  await start(full);
  await expect(start(empty, bucket("late"))).rejects.toThrow("lie in a DATA_DIR");
});
