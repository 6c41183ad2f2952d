import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFolder } from "#server/platform/backup/folder.ts";
import {
  beginInspection,
  endInspection,
  readKnownFolder,
} from "#server/platform/backup/folder.queries.ts";
import { inspectFolder, markName } from "#server/platform/backup/inspect-folder.ts";
import { emptyBackup, newFolder, sourceInstallation } from "#server/test/backups.ts";
import { openClient, query } from "#server/test/query.ts";

type SourceInstallation = Awaited<ReturnType<typeof sourceInstallation>>;

/** Runs an inspection as its process does, and returns what operators read then. */
async function looked(here: SourceInstallation, path: string) {
  const client = await openClient(here.connection);
  const known = await readKnownFolder(client, path);
  await beginInspection(client, path);
  await endInspection(client, path, await inspectFolder(path, known));
  return readFolder(here.db, path);
}

test("the first backup marks its folder, and a folder that lost its disk gets nothing", async () => {
  const here = await sourceInstallation();
  await here.member();
  const disk = join(newFolder(), "backups");
  const { manifest, name } = await here.back(disk);
  expect(readFileSync(join(disk, markName), "utf8").trim()).toBe(manifest.installation);
  expect(await looked(here, disk)).toMatchObject({ list: [{ name }], trouble: "" });

  renameSync(disk, `${disk}.away`);
  mkdirSync(disk);
  const sentence = `There is no mark of ours (${markName}) in ${disk}. Is the disk mounted?`;
  await expect(here.back(disk)).rejects.toThrow(sentence);
  expect(readdirSync(disk)).toEqual([]);
  // what is on the disk is still shown
  expect(await looked(here, disk)).toMatchObject({
    list: [{ name }],
    trouble: expect.stringContaining(sentence),
  });
  // nor where the folder is gone as well
  rmSync(disk, { recursive: true });
  await expect(here.back(disk)).rejects.toThrow(sentence);
  expect(existsSync(disk)).toBe(false);

  // its disk is mounted again
  renameSync(`${disk}.away`, disk);
  await here.back(disk);
  expect((await looked(here, disk))?.trouble).toBe("");

  // a new disk needs --new-folder
  rmSync(disk, { recursive: true });
  mkdirSync(disk);
  await here.back(disk, { newFolder: true });
  expect((await looked(here, disk))?.trouble).toBe("");
});

test("backups from before there were marks make a folder known, by an inspection and by the next backup", async () => {
  const here = await sourceInstallation();
  const disk = newFolder();
  const { manifest } = await here.back(disk);
  rmSync(join(disk, markName));
  await query(here.db, "delete from backup_folders");
  expect((await looked(here, disk))?.trouble).toBe("");
  renameSync(disk, `${disk}.away`);
  mkdirSync(disk);
  await expect(here.back(disk)).rejects.toThrow("Is the disk mounted?");
  rmSync(disk, { recursive: true });
  renameSync(`${disk}.away`, disk);
  await here.back(disk);
  expect(readFileSync(join(disk, markName), "utf8").trim()).toBe(manifest.installation);
});

test("a folder with the mark or the backups of another Postcard gets nothing", async () => {
  const [here, other] = [await sourceInstallation(), await sourceInstallation()];
  const disk = newFolder();
  const { folder } = await other.back(disk);
  rmSync(folder, { recursive: true });
  await expect(here.back(disk)).rejects.toThrow("holds backups of another Postcard");
  await expect(here.back(disk, { newFolder: true })).rejects.toThrow("another Postcard");
});

test("an inspection without an answer is reported after ten seconds, and the backups found before stay", async () => {
  const here = await sourceInstallation();
  const disk = newFolder();
  emptyBackup(disk, new Date());
  expect(await readFolder(here.db, disk)).toBeNull();
  await looked(here, disk);
  const client = await openClient(here.connection);
  await beginInspection(client, disk);
  const list = (await readFolder(here.db, disk))?.list;
  expect(list).toHaveLength(1);
  expect((await readFolder(here.db, disk))?.trouble).toBe("");
  await query(
    here.db,
    `update backup_folders set look_began_at = look_began_at - interval '11 s',
       looked_at = looked_at - interval '11 s'`,
  );
  // nor is that undone by another one that begins, and hangs as well
  await beginInspection(client, disk);
  expect(await readFolder(here.db, disk)).toEqual({
    list,
    continuousDrill: null,
    trouble: "The backup folder does not answer.",
  });
  expect((await looked(here, disk))?.trouble).toBe("");
});
