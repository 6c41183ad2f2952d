import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { copyNewImages } from "#server/platform/backup/chain-images.ts";
import { listedSince, together } from "#server/platform/backup/listed-images.ts";
import { newFolder, restoreTarget, sourceInstallation } from "#server/test/backups.ts";
import { openClient, query } from "#server/test/query.ts";
import { filesBelow } from "#server/test/traces.ts";

/** What a disk says of a bad sector. */
const badSector = () =>
  Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" });

const fail = () => Promise.reject(badSector());

/** A store whose disk cannot read some originals beyond their first bytes. */
const worn = (store: ImageStore, isBad: (key: string) => boolean): ImageStore => ({
  ...store,
  openOriginal: async (key) => {
    const found = await store.openOriginal(key);
    if (!found || !isBad(key)) return found;
    async function* cut() {
      yield Buffer.from("some");
      await found?.close();
      throw badSector();
    }
    return { ...found, read: () => Readable.from(cut()) };
  },
});

test("one image that its disk cannot read is reported, and does not prevent a backup; a disk that reads none does", async () => {
  const here = await sourceInstallation();
  const ada = await here.member();
  for (let post = 0; post < 21; post += 1) await here.photoPost(ada);
  const images = await query<{ key: string }>(here.db, "select key from images order by id");
  const bad = images[0]?.key;
  here.source.stores = { ...here, store: worn(here.store, (key) => key === bad) };
  const into = newFolder();
  const taken = await here.back(into);
  expect(taken.faulty).toMatchObject([{ key: bad, missing: ["original"] }]);
  expect(taken.images).toMatchObject({ count: images.length, copied: taken.images.files });
  expect(await filesBelow(join(into, "pictures", "tmp"))).toEqual([]);
  const there = await restoreTarget();
  expect(await there.restore(into)).toMatchObject({ skipped: [bad] });
  // it is copied once it can be read
  here.source.stores = here;
  expect((await here.back(into)).images.copied).toBe(1);

  here.source.stores = { ...here, store: worn(here.store, () => true) };
  await expect(here.back(newFolder())).rejects.toThrow("The disk of the images cannot read them");
});

test("what came while no image could be read is copied by the continuous backup once it can be", async () => {
  const here = await sourceInstallation();
  const ada = await here.member();
  await here.photoPost(ada);
  const client = await openClient(here.connection);
  const folder = newFolder();
  const copy = (store: ImageStore) =>
    copyNewImages({
      client,
      imageTables,
      stores: { ...here, store },
      directory: folder,
      folders: [folder],
      seen: "0",
      onPage: async () => {},
    });
  await expect(copy({ ...here.store, open: fail, openOriginal: fail })).rejects.toThrow(
    "cannot read them",
  );
  await copy(here.store);
  const listed = [];
  for await (const image of listedSince(folder, imageTables)) listed.push(image);
  expect(together(listed)).toMatchObject({ missing: [] });
  expect(together(listed).files.length).toBeGreaterThan(1);
});
