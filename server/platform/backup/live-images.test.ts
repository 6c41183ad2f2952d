import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findCorruptImages } from "#server/platform/backup/live-images.ts";
import { openBackup } from "#server/platform/backup/manifest.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { flipBit, newFolder, sourceInstallation } from "#server/test/backups.ts";
import { imagesOnDisk } from "#server/test/image-stores.ts";
import { filesBelow } from "#server/test/traces.ts";

test.skipIf(!imagesOnDisk())(
  "the drill names images that are corrupt in the server's store, and none that was deleted meanwhile",
  async () => {
    const here = await sourceInstallation();
    const ada = await here.member();
    await here.photoPost(ada, "stays");
    const goes = await here.photoPost(ada, "goes");
    await here.photoPost(ada, "whole");
    const { folder } = await here.back(newFolder());
    const look = async (most: number, before: readonly string[] = []) =>
      findCorruptImages(await openBackup(folder), {
        imageTables,
        stores: here,
        db: here.db,
        before,
        most,
      });
    expect(await look(100)).toEqual([]);

    await here.posts.remove(ada, ada.username, goes.number);
    expect(await look(100), "deleted with its post").toEqual([]);

    const names = (await filesBelow(here.folder)).map((path) => path.slice(here.folder.length + 1));
    const original = names.find((name) => /^originals\/..\//.test(name)) ?? "";
    const variant = names.find(
      (name) => /^images\/..\//.test(name) && !name.includes(original.split("/")[2] ?? "-"),
    );
    // The same length, with one byte changed.
    flipBit(join(here.folder, original));
    rmSync(join(here.folder, variant ?? "none"));
    const found = await look(100);
    expect(found.toSorted()).toEqual([original, variant].toSorted());
    // Files found before are checked again, whichever images are chosen.
    expect((await look(0, found)).toSorted()).toEqual(found.toSorted());
    expect(await look(0)).toEqual([]);
    flipBit(join(here.folder, original));
    expect(await look(0, found)).toEqual([variant]);
  },
);
