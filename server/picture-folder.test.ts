import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { readConfig } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { forgetPicturesId } from "#server/db/installation-row.ts";
import { claimPictureFolder } from "#server/picture-folder.ts";
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

/** What a server does at its start in this folder. */
function start(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  const config = readConfig({ NODE_ENV: "test", DATA_DIR: dataDir, ...env });
  return claimPictureFolder(config, db, createDiskStore({ dataDir }));
}

const idIn = (folder: string) => join(folder, "pictures.id");
const refused = "the pictures of this database lie in another DATA_DIR";

test("the first folder is the one; another is refused until it is lost", async () => {
  const [first, second] = [newFolder(), newFolder()];
  await start(first);
  const id = readFileSync(idIn(first), "utf8");
  await start(first);
  expect(readFileSync(idIn(first), "utf8")).toBe(id);

  await expect(start(second)).rejects.toThrow(refused);
  expect(existsSync(idIn(second))).toBe(false);
  writeFileSync(idIn(second), "something else\n");
  await expect(start(second)).rejects.toThrow(refused);
  await start(second, s3Environment("http://127.0.0.1:1", "shared"));

  await forgetPicturesId(db);
  await start(second);
  await expect(start(first)).rejects.toThrow(refused);
});

test("a folder put back from a backup is known by its pictures", async () => {
  await forgetPicturesId(db);
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
