import { existsSync, statSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { namesIn } from "#server/adapters/image-store/durable-files.ts";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { asWebp } from "#server/test/images.ts";

const key = "ab".repeat(16);
const other = "cd".repeat(16);

let dataDir: string;
let original: string;
let store: ImageStore;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postcard store "));
  original = join(dataDir, "sent");
  await writeFile(original, "the original");
  store = createDiskStore({ dataDir });
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const variants = [
  { width: 160, bytes: asWebp("small") },
  { width: 320, bytes: asWebp("larger") },
];

async function read(width: number, of = key): Promise<string | null> {
  const found = await store.open(of, width);
  return found && String((await buffer(found.read())).subarray(12));
}

test("returns what was stored, whole or in part", async () => {
  await store.put(key, { variants, original });
  expect(await read(160)).toBe("small");
  expect(await read(320)).toBe("larger");
  const found = await store.open(key, 320);
  expect(found?.bytes).toBe(18);
  expect(String(await buffer(found!.read({ start: 13, end: 15 })))).toBe("arg");
  expect(await read(640)).toBeNull();
  expect(await read(160, other)).toBeNull();
});

test("stores the original as it came, readable by its owner only", async () => {
  await store.put(key, { variants, original });
  const found = await store.openOriginal(key);
  expect(String(await buffer(found!.read()))).toBe("the original");
  for (const [path, mode] of [
    ["originals", 0o700],
    ["originals/ab", 0o700],
    ["images/ab", 0o700],
  ] as const) {
    expect((await stat(join(dataDir, path))).mode & 0o777).toBe(mode);
  }
  expect(await readFile(original, "utf8")).toBe("the original");
});

test("an image that could not be stored leaves nothing", async () => {
  await expect(store.put(key, { variants, original: join(dataDir, "missing") })).rejects.toThrow();
  expect(await read(160)).toBeNull();
  expect(await store.openOriginal(key)).toBeNull();
  expect(await namesIn(join(dataDir, "tmp"))).toEqual([]);
});

test.each([
  ["cut", (whole: Buffer) => whole.subarray(0, 14)],
  ["empty", () => Buffer.alloc(0)],
  ["full of zeros, as after a power cut", (whole: Buffer) => Buffer.alloc(whole.length)],
  ["longer than it was", (whole: Buffer) => Buffer.concat([whole, Buffer.from("more")])],
])("a file that is %s is not returned as whole", async (_how, damage) => {
  await store.put(key, { variants, original });
  const path = join(dataDir, "images/ab", key, "320.webp");
  await writeFile(path, damage(await readFile(path)));
  await expect(store.open(key, 320)).rejects.toMatchObject({ code: "picture-damaged" });
  expect(await read(160)).toBe("small");
});

test("removes variants and original, however often it is asked", async () => {
  await store.put(key, { variants, original });
  await store.put(other, { variants, original });
  await store.remove([key, "ef".repeat(16)]);
  await store.remove([key]);
  expect(await read(160)).toBeNull();
  expect(await store.openOriginal(key)).toBeNull();
  expect(await read(160, other)).toBe("small");
});

test.each(["../sent", "..", "", "AB".repeat(16), `${key}/..`, `${key}\0`, "ab".repeat(15)])(
  "has nothing with the name %j",
  async (name) => {
    await store.put(key, { variants, original });
    expect(await store.open(name, 160)).toBeNull();
    expect(await store.openOriginal(name)).toBeNull();
    await expect(store.remove([name])).rejects.toThrow("32 hexadecimal digits");
    expect(await read(160)).toBe("small");
  },
);

test("lists what is untouched, even an original alone, and cleans up what was left incomplete", async () => {
  await store.put(key, { variants, original });
  await store.put(other, { variants, original });
  await rm(join(dataDir, "images/cd"), { recursive: true });
  const leftover = join(dataDir, "tmp/x.upload");
  await writeFile(leftover, "half");
  const listed = async (before: Date) => {
    const keys: string[] = [];
    for await (const some of store.list(before)) keys.push(...some);
    return keys;
  };

  const past = new Date(Date.now() - 60_000);
  expect(await listed(past)).toEqual([]);
  await store.clean(past);
  expect(await namesIn(join(dataDir, "tmp"))).toEqual(["x.upload"]);

  const old = new Date(Date.now() - 120_000);
  for (const path of [`images/ab/${key}`, `originals/cd/${other}`, "tmp/x.upload"]) {
    await utimes(join(dataDir, path), old, old);
  }
  expect((await listed(past)).toSorted()).toEqual([key, other]);
  await store.clean(past);
  expect(await namesIn(join(dataDir, "tmp"))).toEqual([]);
});

test("what a crash left while a variant was added is cleaned up, and is part of no image", async () => {
  await store.put(key, { variants, original });
  const folder = join(dataDir, "images/ab", key);
  const before = await namesIn(folder);
  // A folder with the file's name makes the last step fail, as a crash would: only then the file exists.
  await mkdir(join(folder, "96.avif", "x"), { recursive: true });
  const bytes = asWebp("half");
  await expect(store.add(key, { width: 96, type: "avif", bytes })).rejects.toThrow();
  await rm(join(folder, "96.avif"), { recursive: true });
  expect(await namesIn(folder)).toEqual(before);
  await writeFile(join(dataDir, "tmp/left.draft"), bytes);
  await store.clean(new Date(Date.now() + 60_000));
  expect(await namesIn(join(dataDir, "tmp"))).toEqual([]);
  await store.add(key, { width: 96, type: "moving", bytes });
  expect((await store.open(key, 96, "moving"))?.bytes).toBe(bytes.length);
  expect(await store.add(other, { width: 96, type: "moving", bytes })).toBe(false);
  expect(await namesIn(join(dataDir, "tmp"))).toEqual([]);
  expect(existsSync(join(dataDir, "images/cd"))).toBe(false);
});

/** A separate file system, as an operator mounts one, if this machine has one. */
const elsewhere =
  existsSync("/dev/shm") && statSync("/dev/shm").dev !== statSync(tmpdir()).dev ? "/dev/shm" : null;

test.skipIf(!elsewhere)(
  "images on another file system than tmp/ are stored all the same, whole or not at all",
  async () => {
    const disk = await mkdtemp(join(elsewhere ?? "", "postcard-disk-"));
    try {
      for (const area of ["images", "originals"]) {
        await mkdir(join(disk, area));
        await symlink(join(disk, area), join(dataDir, area));
      }
      await store.put(key, { variants, original });
      expect([await read(160), await read(320)]).toEqual(["small", "larger"]);
      const found = await store.openOriginal(key);
      expect(String(await buffer(found!.read()))).toBe("the original");
      for (const folder of [join(dataDir, "tmp"), join(disk, "images/tmp")]) {
        expect(await namesIn(folder)).toEqual([]);
      }
      const listed = [];
      for await (const keys of store.list(new Date(Date.now() + 60_000))) listed.push(...keys);
      expect(listed).toEqual([key, key]);

      const left = join(disk, "images/tmp/left.picture");
      await mkdir(left);
      await store.clean(new Date(Date.now() + 60_000));
      expect(existsSync(left)).toBe(false);
    } finally {
      await rm(disk, { recursive: true, force: true });
    }
  },
);

test("an area that cannot be read is an error, not an empty store", async () => {
  await writeFile(join(dataDir, "images"), "in the way");
  await chmod(join(dataDir, "images"), 0o600);
  await expect(store.put(key, { variants, original })).rejects.toThrow();
  expect(await store.openOriginal(key)).toBeNull();
});
