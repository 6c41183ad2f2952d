import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { openStores } from "#server/adapters/image-store/open.ts";
import { readConfig } from "#server/config.ts";
import { createImages } from "#server/features/posts/images/images.ts";
import { freshDatabase } from "#server/test/database.ts";
import { startImageHost } from "#server/test/image-host.ts";
import { asWebp, plain } from "#server/test/images.ts";

const { db } = await freshDatabase();
const host = await startImageHost("the-key");
const log = pino({ level: "silent" });
const key = "ab".repeat(16);
const variants = [
  { width: 160, bytes: asWebp("small") },
  { width: 320, bytes: asWebp("larger") },
];

let dataDir: string;
let original: string;
let store: ImageStore;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postcard hosted "));
  original = join(dataDir, "sent");
  await writeFile(original, "the original");
  store = openStore("the-key");
  Object.assign(host, { failing: null, failAfter: Infinity, asked: 0 });
  host.kept.clear();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** The store that an operator's variables describe. */
function openStore(IMGBB_KEY: string): ImageStore {
  const environment = {
    IMAGE_STORE: "imgbb",
    IMGBB_KEY,
    IMGBB_URL: host.origin,
    DATA_DIR: dataDir,
  };
  return openStores(dataDir, readConfig(environment).imageStore, log).store;
}

async function read(width: number, range?: { start: number; end: number }) {
  const found = await store.open(key, width);
  return found && String((await buffer(found.read(range))).subarray(12));
}

async function listed(before: Date): Promise<string[]> {
  const keys = new Set<string>();
  for await (const some of store.list(before)) for (const each of some) keys.add(each);
  return [...keys];
}

describe("images at the image host", () => {
  test("are sent as its API wants them and come back whole or in part", async () => {
    await store.put(key, { variants, original });
    expect([...host.kept.values()].map((bytes) => String(bytes.subarray(12))).toSorted()).toEqual([
      "larger",
      "small",
    ]);
    expect(await read(160)).toBe("small");
    expect(await read(320, { start: 0, end: 14 })).toBe("lar");
    expect((await store.open(key, 320))?.bytes).toBe(18);
    expect(await read(640)).toBeNull();
  });

  test("leave their originals here, where only this server reads them", async () => {
    await store.put(key, { variants, original });
    const found = await store.openOriginal(key);
    expect(String(await buffer(found!.read()))).toBe("the original");
    expect([...host.kept.values()].map(String)).not.toContain("the original");
  });

  test.each([
    ["does not answer well", () => Object.assign(host, { failing: 500 })],
    ["answers no JSON at all", () => Object.assign(host, { failing: 204 })],
    ["fails in the middle of an image", () => Object.assign(host, { failAfter: 1 })],
    ["does not know the key", () => (store = openStore("another-key"))],
  ])("are refused in words when the host %s, and nothing is stored", async (_how, arrange) => {
    arrange();
    await expect(store.put(key, { variants, original })).rejects.toMatchObject({
      code: "picture-host-away",
      status: 503,
    });
    Object.assign(host, { failing: null, failAfter: Infinity });
    expect(await read(160)).toBeNull();
    expect(await store.openOriginal(key)).toBeNull();
    expect(await listed(new Date(Date.now() + 60_000))).toEqual([]);
    expect(await readFile(original, "utf8")).toBe("the original");
  });

  test("that cannot be read for a while are reported as away, not gone", async () => {
    await store.put(key, { variants, original });
    host.failing = 502;
    await expect(store.open(key, 160)).rejects.toMatchObject({ code: "picture-host-away" });
    host.failing = null;
    expect(await read(160)).toBe("small");
  });

  test("are no longer shown once removed, and their pages for deletion are written down", async () => {
    await store.put(key, { variants, original });
    await store.remove([key]);
    await store.remove([key]);
    expect(await read(160)).toBeNull();
    expect(await store.openOriginal(key)).toBeNull();
    const pages = await readFile(join(dataDir, "hosted", "to-delete.txt"), "utf8");
    expect(pages.trim().split("\n").toSorted()).toEqual([
      `${host.origin}/id1/delete-page`,
      `${host.origin}/id2/delete-page`,
    ]);
  });

  test("are listed for the sweep, even if only the host's part was stored", async () => {
    await store.put(key, { variants, original });
    const old = new Date(Date.now() - 120_000);
    expect(await listed(new Date(Date.now() - 60_000))).toEqual([]);
    await createDiskStore({ dataDir }).remove([key]);
    await utimes(join(dataDir, "hosted", "ab", `${key}.json`), old, old);
    expect(await listed(new Date(Date.now() - 60_000))).toEqual([key]);
  });

  test("do not hide those that are on disk from before", async () => {
    await createDiskStore({ dataDir }).put(key, { variants, original });
    expect(await read(320)).toBe("larger");
    await store.remove([key]);
    expect(await read(320)).toBeNull();
  });
});

test("a member's upload that the host does not accept leaves no row and can be sent again", async () => {
  const images = createImages({ db, store, log });
  const path = join(dataDir, "photo.png");
  await plain(400, 300, [10, 120, 90]).png().toFile(path);
  host.failing = 503;
  await expect(images.receive({ path }, "somebody")).rejects.toMatchObject({
    code: "picture-host-away",
  });
  host.failing = null;
  const received = await images.receive({ path }, "somebody");
  const shown = await store.open(received.key, 160);
  expect((await buffer(shown!.read())).subarray(8, 12).toString()).toBe("WEBP");
  await images.discard(received);
});
