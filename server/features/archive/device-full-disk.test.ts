import { existsSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { testApp } from "#server/test/app.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { deviceOf } from "#server/test/device-imports.ts";
import { everyPage } from "#server/test/factories.ts";
import { imagesOnDisk } from "#server/test/image-stores.ts";
import { scene } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { keysIn } from "#server/test/traces.ts";
import { until } from "#server/test/until.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features: on, call } = await testApp(db);
let photo: Buffer;

/** Of images and parts of uploads; the database has a switch of its own. */
let filesFull = false;

beforeAll(async () => {
  photo = await (await scene(48, 32)).jpeg().toBuffer();
});
beforeEach(() => {
  const put = on.store.put.bind(on.store);
  vi.spyOn(on.store, "put").mockImplementation((...given) => {
    if (!filesFull) return put(...given);
    return Promise.reject(Object.assign(new Error("no space left"), { code: "ENOSPC" }));
  });
});
afterEach(() => setFull(false, { database: true }));

function setFull(full: boolean, { database }: { database: boolean }): void {
  filesFull = full;
  if (database) db.setFull(full);
}

/** What a part of an upload is written to while the disk is full, where the machine has such a device. */
const fullDevice = "/dev/full";
const mayBeFull = existsSync(fullDevice) && imagesOnDisk();

async function callOnDisk(...given: Parameters<typeof call>) {
  const [viewer, method, url] = given;
  if (!filesFull || method !== "PATCH" || !mayBeFull || !viewer) return call(...given);
  const folder = join(on.folder, "uploads");
  const part = join(folder, `${viewer.id}.${url.split("/").at(-1)}`);
  await mkdir(folder, { recursive: true });
  await symlink(fullDevice, part);
  try {
    return await call(...given);
  } finally {
    await rm(part);
  }
}

async function bring(through: typeof call, viewer: Viewer, keys: number[]): Promise<void> {
  const device = deviceOf({ call: through }, viewer, photo);
  const known = new Set(await device.known(keys));
  const id = await device.begin({ posts: keys.length - known.size });
  for (const key of keys.filter((each) => !known.has(each))) {
    const pictures = [{ imageId: await device.send(id) }];
    const time = Date.UTC(2015, 6, key);
    expect(await device.post(id, { key, time, caption: `${key}`, pictures })).toBe("taken");
  }
  expect(await device.end(id, {})).toBe("done");
}

test.each([
  ["for files and the database", { database: true }, [1, 2]],
  ["for files alone", { database: false }, [1]],
])(
  "an import goes on after a disk that was full %s, wherever that was, and brings everything once",
  async (_, where, keys) => {
    /** From this call on. */
    let place = 0;
    for (let cut = true; cut;) {
      place += 1;
      const [ada] = (await insertAccounts(db, 1)) as [Viewer];
      // Signed in before.
      expect((await call(ada, "GET", "/api/feed")).statusCode).toBe(200);
      let calls = 0;
      const onFullDisk: typeof call = async (...given) => {
        calls += 1;
        if (calls === place) setFull(true, where);
        const answer = await callOnDisk(...given);
        if (answer.statusCode !== 507) return answer;
        expect(answer.json()).toMatchObject({ error: { code: "disk-full" } });
        throw new Error("the disk is full");
      };
      cut = await bring(onFullDisk, ada, keys).then(
        () => false,
        (error: Error) => {
          if (error.message === "the disk is full") return true;
          throw error;
        },
      );
      setFull(false, where);
      if (cut) await bring(call, ada, keys);
      const photos = await everyPage((cursor) => on.posts.photosOf(ada, ada.id, cursor));
      const brought = photos.map(({ caption }) => caption).toSorted();
      expect(brought, `${place}`).toEqual(keys.map(String));
      expect(await on.imports.latest(ada), `${place}`).toMatchObject({
        state: "done",
        done: keys.length,
      });
      const unused = "select id from images where account_id = $1 and claimed_at is null";
      await until(async () => {
        await on.deviceImports.sweep();
        return (await query(db, unused, [ada.id])).length === 0;
      });
    }
    // Until the last upload at least: an import has two calls before, an upload three and its post one.
    expect(place).toBeGreaterThan(4 * keys.length);
    expect(await reconcileCounters(db)).toEqual([]);
    const stored = new Set(await keysIn(on.store));
    const named = await query<{ key: string }>(db, "select key from images");
    expect(named.filter(({ key }) => !stored.has(key))).toEqual([]);
  },
);
