import { randomUUIDv7 } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { sql } from "#server/platform/db/sql.ts";
import type { NewImage } from "#server/features/posts/images/images.queries.ts";
import type { Database } from "#server/platform/db/database.ts";
import { countDecodes } from "#server/features/posts/images/decode-queue.ts";
import { createImages, type Images } from "#server/features/posts/images/images.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import { asWebp, bombPng, plain, scene } from "#server/test/images.ts";
import { heicOf } from "#server/test/heic.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let dataDir: string;
let photo: string;
let store: ImageStore;
let images: Images;
let ana: Viewer;
let bea: Viewer;

beforeAll(async () => {
  ana = await member(db, "ana");
  bea = await member(db, "bea");
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postcard-images-"));
  photo = join(dataDir, "photo.jpg");
  await writeFile(photo, await (await scene(200, 150)).jpeg().toBuffer());
  store = createDiskStore({ dataDir });
  images = createImages({ db, store, log });
});
afterEach(async () => {
  await db.query(sql`delete from images`);
  await rm(dataDir, { recursive: true, force: true });
});

async function member(db: Database, name: string): Promise<Viewer> {
  const id = randomUUIDv7();
  const email = `${name}@example.org`;
  const account = { id, username: name, email, email_as_typed: email };
  await db.query(sql`insert into accounts ${sql.row(account)}`);
  const names = { name, firstName: "", secondName: "" };
  return {
    id,
    username: name,
    email,
    avatar: null,
    emailVerified: true,
    sessionId: randomUUIDv7(),
    ...names,
  };
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.code;
  }
}

const rows = () => db.query<NewImage & { claimed_at: Date | null }>(sql`select * from images`);
const stored = async (key: string) => {
  const [variant, original] = [await store.open(key, 160), await store.openOriginal(key)];
  await variant?.close();
  await original?.close();
  return [variant !== null, original !== null];
};
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

async function makeOld(key: string): Promise<void> {
  for (const area of ["images", "originals"]) {
    await utimes(join(dataDir, area, key.slice(0, 2), key), hoursAgo(2), hoursAgo(2));
  }
}

describe("an image that a member uploads", () => {
  test("has a row, its variants and its original, and waits to be used", async () => {
    const { imageId, picture } = await images.upload(ana, { path: photo });
    expect(picture).toMatchObject({ width: 200, height: 150, widths: [160, 200], alt: "" });
    const [row] = await rows();
    expect(row).toMatchObject({
      account_id: ana.id,
      id: imageId,
      key: picture.key,
      width: 200,
      height: 150,
      widths: [160, 200],
      media_type: "image/jpeg",
      claimed_at: null,
    });
    expect(row?.thumbhash.toString("base64")).toBe(picture.thumbhash);
    expect(await stored(picture.key)).toEqual([true, true]);
    const kept = await store.openOriginal(picture.key);
    expect((await buffer(kept!.read())).length).toBe(row?.bytes);
  });

  test("uploaded twice is two images, and removing one leaves the other", async () => {
    const first = await images.upload(ana, { path: photo });
    const second = await images.upload(ana, { path: photo });
    expect(second.picture.key).not.toBe(first.picture.key);
    await images.removeFiles([first.picture.key]);
    expect(await stored(first.picture.key)).toEqual([false, false]);
    expect(await stored(second.picture.key)).toEqual([true, true]);
  });

  test("that cannot be read creates nothing", async () => {
    await writeFile(photo, "not an image");
    expect(await refusalOf(images.upload(ana, { path: photo }))).toBe("picture-type");
    expect(await rows()).toEqual([]);
    expect((await readdir(dataDir)).toSorted()).toEqual(["photo.jpg"]);
  });

  test("over 25 MB is refused even when it did not come through a form", async () => {
    await writeFile(photo, Buffer.alloc(25 * 1024 * 1024 + 1));
    expect(await refusalOf(images.receive({ path: photo }, bea.id))).toBe("picture-too-heavy");
  });
});

describe("claiming", () => {
  test("works once, for the member who uploaded it", async () => {
    const { imageId } = await images.upload(ana, { path: photo });
    expect(await refusalOf(images.claim(bea.id, [imageId]))).toBe("picture-unknown");
    await images.claim(ana.id, [imageId]);
    expect((await rows())[0]?.claimed_at).toBeInstanceOf(Date);
    expect(await refusalOf(images.claim(ana.id, [imageId]))).toBe("picture-unknown");
  });

  test.each(["", "x", "../1", randomUUIDv7(), "00000000-0000-0000-0000-00000000000g"])(
    "of %j is refused without a database error",
    async (id) => expect(await refusalOf(images.claim(ana.id, [id]))).toBe("picture-unknown"),
  );

  test("is undone with its transaction", async () => {
    const { imageId } = await images.upload(ana, { path: photo });
    const failing = db.transaction(async () => {
      await images.claim(ana.id, [imageId]);
      throw new Error("the post could not be written");
    });
    await expect(failing).rejects.toThrow("could not be written");
    await images.claim(ana.id, [imageId]);
  });
});

test("a received image that does not come into use is removed again", async () => {
  const received = await images.receive({ path: photo }, bea.id);
  expect(await stored(received.key)).toEqual([true, true]);
  expect(await rows()).toEqual([]);
  await images.discard(received);
  expect(await stored(received.key)).toEqual([false, false]);
});

describe("the sweep", () => {
  test("removes uploads unused for an hour and leaves used and new ones", async () => {
    const [old, used, fresh] = [
      await images.upload(ana, { path: photo }),
      await images.upload(ana, { path: photo }),
      await images.upload(ana, { path: photo }),
    ];
    await images.claim(ana.id, [used.imageId]);
    for (const { imageId, picture } of [old, used]) {
      await makeOld(picture.key);
      await db.query(sql`update images set created_at = ${hoursAgo(2)} where id = ${imageId}`);
    }
    expect(await images.sweep()).toEqual({ unclaimed: 1, orphans: 0 });
    expect((await rows()).map(({ id }) => id).toSorted()).toEqual(
      [used.imageId, fresh.imageId].toSorted(),
    );
    expect(await stored(old.picture.key)).toEqual([false, false]);
    expect(await stored(used.picture.key)).toEqual([true, true]);
    expect(await stored(fresh.picture.key)).toEqual([true, true]);
  });

  test("removes old files without a row and half-written ones, and leaves new ones", async () => {
    const [old, young] = [
      await images.receive({ path: photo }, bea.id),
      await images.receive({ path: photo }, bea.id),
    ];
    await makeOld(old.key);
    const leftover = join(dataDir, "tmp", "left.upload");
    await writeFile(leftover, "half");
    await utimes(leftover, hoursAgo(2), hoursAgo(2));
    expect((await images.sweep()).orphans).toBeGreaterThan(0);
    expect(await stored(old.key)).toEqual([false, false]);
    expect(await stored(young.key)).toEqual([true, true]);
    expect(await readdir(join(dataDir, "tmp"))).toEqual([]);
  });

  test("removes nothing when most of the store is unknown: a wrong database", async () => {
    const variants = [{ width: 160, bytes: asWebp("x") }];
    const keys = Array.from({ length: 101 }, (_, n) => n.toString(16).padStart(32, "0"));
    for (const key of keys) await store.put(key, { variants, original: photo });
    const removed = await images.sweep(new Date(Date.now() + 2 * 3_600_000));
    expect(removed.orphans).toBe(0);
    expect(await stored(keys[0]!)).toEqual([true, true]);
  });
});

describe("under load", () => {
  test("twenty uploads of two members at once all arrive, two decoded at a time", async () => {
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, countDecodes().running);
    }, 2);
    const sent = [ana, bea].flatMap((one) =>
      Array.from({ length: 10 }, () => images.upload(one, { path: photo })),
    );
    const arrived = await Promise.all(sent);
    clearInterval(watch);
    expect(new Set(arrived.map(({ picture }) => picture.key)).size).toBe(20);
    expect(most).toBe(2);
    expect(await rows()).toHaveLength(20);
  });

  test.runIf(everything)(
    "a photo does not wait for the worst files that somebody else uploads",
    async () => {
      const cut = join(dataDir, "cut.png");
      const grain = await (await scene(3000, 2000)).png({ compressionLevel: 1 }).toBuffer();
      await writeFile(cut, grain.subarray(0, grain.length - 2000));
      let failed = 0;
      const worst = Array.from({ length: 6 }, async () => {
        expect(await refusalOf(images.upload(ana, { path: cut }))).toBe("picture-unreadable");
        failed += 1;
      });
      while (countDecodes().running === 0) await wait(1);
      await images.upload(bea, { path: photo });
      // It has the other slot. One of the worst may have ended meanwhile, by its own work.
      expect(failed).toBeLessThan(3);
      await Promise.all(worst);
    },
  );

  test("unreadable images are counted against the member who uploads them, and no others", async () => {
    const tries: string[] = [];
    const counting = createImages({
      db,
      store,
      log,
      countFailure: async (accountId) => {
        if (tries.length === 3) throw refuse("too-many-attempts");
        tries.push(accountId);
        return { refund: async () => void tries.pop() };
      },
    });
    const whole = await readFile(photo);
    const send = async (bytes: Buffer | string) => {
      const path = join(dataDir, "sent");
      await writeFile(path, bytes);
      return refusalOf(counting.upload(ana, { path }));
    };
    expect(await send(whole)).toBe("none");
    expect(await send(heicOf())).toBe("none");
    expect(await send("not an image")).toBe("picture-type");
    expect(await send(bombPng(20_000, 20_000))).toBe("picture-too-large");
    expect(tries).toEqual([]);
    const cut = whole.subarray(0, whole.length / 2);
    for (const bytes of [cut, cut, heicOf().subarray(0, -60)]) {
      expect(await send(bytes)).toBe("picture-unreadable");
    }
    expect(tries).toEqual([ana.id, ana.id, ana.id]);
    expect(await send(cut)).toBe("too-many-attempts");
  });
});

test("a transparent image keeps its transparency on disk", async () => {
  await writeFile(photo, await plain(170, 100, [1, 2, 3], 0.5).png().toBuffer());
  const { picture } = await images.upload(ana, { path: photo });
  const found = await store.open(picture.key, 170);
  expect(String(await buffer(found!.read()))).toContain("ALPH");
});
