import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pino } from "pino";
import sharp from "sharp";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { createS3Client } from "#server/adapters/image-store/s3-client.ts";
import { openStores } from "#server/adapters/image-store/open.ts";
import { readConfig } from "#server/config.ts";
import { createImages } from "#server/features/posts/images/images.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asWebp, plain } from "#server/test/images.ts";
import { startS3Server } from "#server/test/s3-server.ts";

const { db } = await freshDatabase();
const s3 = await startS3Server();
/** A port where something listened a moment ago. */
const freePort = await startS3Server().then(async ({ endpoint, stop }) => {
  await stop();
  return new URL(endpoint).port;
});
const log = pino({ level: "silent" });
const key = "ab".repeat(16);
const other = "cd".repeat(16);
const variants = [
  { width: 160, bytes: asWebp("small") },
  { width: 320, bytes: asWebp("larger") },
];
const folder = await mkdtemp(join(tmpdir(), "postcard s3 "));
const original = join(folder, "sent");
await writeFile(original, "the original");
afterAll(async () => {
  await s3.stop();
  await rm(folder, { recursive: true, force: true });
});

let stores: ReturnType<typeof open>;
let store: ImageStore;
let area = 0;
beforeEach(() => {
  s3.fails = () => null;
  area += 1;
  stores = open();
  ({ store } = stores);
  s3.asked = [];
});

/** The stores that an operator's variables describe. */
function open(environment: Record<string, string> = {}) {
  const given = { ...s3.environment(`town/${area}`), ...environment };
  return openStores(folder, readConfig(given).imageStore, log);
}

async function read(width: number, of = key, range?: { start: number; end: number }) {
  const found = await store.open(of, width);
  return found && String((await buffer(found.read(range))).subarray(range ? 0 : 12));
}

async function readOriginal() {
  const found = await store.openOriginal(key);
  return found && String(await buffer(found.read()));
}

async function listed(before: Date, of = store): Promise<string[]> {
  const keys = new Set<string>();
  for await (const some of of.list(before)) for (const each of some) keys.add(each);
  return [...keys].toSorted();
}
const soon = () => new Date(Date.now() + 60_000);

/** The result of work whose seconds pass quickly. */
async function inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
  const state = { over: false };
  const done = work.finally(() => (state.over = true));
  done.catch(() => undefined);
  while (!state.over) {
    await vi.advanceTimersByTimeAsync(500);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return done;
}

/** Where the server stores an object of this test. */
const fileOf = (name: string) =>
  join(s3.directory, "pictures/town", String(area), `${name}._S3rver_object`);

describe("images in a bucket", () => {
  test("come back whole or in part, and only by their own names", async () => {
    await store.put(key, { variants, original });
    expect([await read(160), await read(320)]).toEqual(["small", "larger"]);
    const found = await store.open(key, 320);
    expect(found?.bytes).toBe(18);
    expect(String(await buffer(found!.read({ start: 13, end: 15 })))).toBe("arg");
    expect(await readOriginal()).toBe("the original");
    expect([await read(640), await read(160, other)]).toEqual([null, null]);
    for (const name of ["../sent", "", "AB".repeat(16), `${key}/..`]) {
      expect(await store.open(name, 160)).toBeNull();
      expect(await store.openOriginal(name)).toBeNull();
      await expect(store.remove([name])).rejects.toThrow("32 hexadecimal digits");
    }
    expect(await readFile(original, "utf8")).toBe("the original");
  });

  test("have the names of a copy of DATA_DIR, with those of messages apart", async () => {
    await store.put(key, { variants, original });
    await stores.privateStore.put(other, { variants, original });
    const names = await readdir(join(s3.directory, "pictures/town", String(area)), {
      recursive: true,
    });
    expect(names.filter((name) => name.endsWith("_object")).toSorted()).toEqual([
      `images/ab/${key}/160.webp._S3rver_object`,
      `images/ab/${key}/320.webp._S3rver_object`,
      `originals/ab/${key}._S3rver_object`,
      `private/images/cd/${other}/160.webp._S3rver_object`,
      `private/images/cd/${other}/320.webp._S3rver_object`,
      `private/originals/cd/${other}._S3rver_object`,
    ]);
    expect([await listed(soon()), await listed(soon(), stores.privateStore)]).toEqual([
      [key],
      [other],
    ]);
  });

  test("cost one request a file to store, one to serve, two to serve a part", async () => {
    await store.put(key, { variants, original });
    expect(s3.asked.map((request) => request.split(" ")[0])).toEqual(["PUT", "PUT", "PUT"]);
    s3.asked = [];
    await read(320);
    expect(s3.asked).toHaveLength(1);
    await read(320, key, { start: 0, end: 4 });
    expect(s3.asked).toHaveLength(3);
    s3.asked = [];
    await store.remove([key]);
    // s3rver may stumble over folders that become empty at the same time, and is asked again.
    expect([...new Set(s3.asked.map((request) => request.split(" ")[0]))]).toEqual(["GET", "POST"]);
  });

  test("get their AVIF later, as long as they exist", async () => {
    const background = { r: 200, g: 90, b: 40 };
    const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
      .avif()
      .toBuffer();
    const avif = { width: 320, type: "avif", bytes } as const;
    expect(await store.add(key, avif)).toBe(false);
    await store.put(key, { variants, original });
    expect(await store.add(key, avif)).toBe(true);
    const found = await store.open(key, 320, "avif");
    expect(await buffer(found!.read())).toEqual(bytes);
    expect([await read(320), await store.open(key, 160, "avif")]).toEqual(["larger", null]);
    await writeFile(fileOf(`images/ab/${key}/320.avif`), bytes.subarray(0, bytes.length - 9));
    await expect(store.open(key, 320, "avif")).rejects.toMatchObject({ code: "picture-damaged" });
    await store.remove([key]);
    expect(await store.open(key, 320, "avif")).toBeNull();
    expect(await listed(soon())).toEqual([]);
  });

  test("are removed with all their files, however often it is asked", async () => {
    await store.put(key, { variants, original });
    await store.put(other, { variants, original });
    await store.remove([key, "ef".repeat(16)]);
    await store.remove([key]);
    expect([await read(160), await readOriginal()]).toEqual([null, null]);
    expect(await read(160, other)).toBe("small");
    expect(await listed(soon())).toEqual([other]);
  });

  test("are listed for the sweep page by page, even an original alone, once they are old", async () => {
    const keys = Array.from({ length: 5 }, (_, n) => String(n).repeat(32));
    for (const each of keys) await store.put(each, { variants: [], original });
    await store.put(key, { variants, original });
    const old = new Date(Date.now() - 120_000);
    for (const each of keys)
      await utimes(fileOf(`originals/${each.slice(0, 2)}/${each}`), old, old);
    expect(await listed(new Date(Date.now() - 60_000))).toEqual(keys);
    expect(await listed(soon())).toEqual([...keys, key]);
    const { imageStore } = readConfig(s3.environment(`town/${area}`));
    const pages: number[] = [];
    const client = createS3Client(imageStore as Extract<typeof imageStore, { kind: "s3" }>);
    for await (const page of client.list("originals/", 4)) pages.push(page.length);
    expect(pages).toEqual([4, 2]);

    const left = join(folder, "tmp/left.upload");
    await mkdir(join(folder, "tmp"), { recursive: true });
    await writeFile(left, "half");
    await store.clean(new Date(Date.now() - 60_000));
    expect(existsSync(left)).toBe(true);
    await store.clean(soon());
    expect(existsSync(left)).toBe(false);
  });

  test.each([
    ["cut", (whole: Buffer) => whole.subarray(0, 14)],
    ["empty", () => Buffer.alloc(0)],
  ])("that somebody left there %s are not served as whole", async (_how, damage) => {
    await store.put(key, { variants, original });
    const path = fileOf(`images/ab/${key}/320.webp`);
    await writeFile(path, damage(await readFile(path)));
    await expect(store.open(key, 320)).rejects.toMatchObject({ code: "picture-damaged" });
    expect(await read(160)).toBe("small");
  });

  test("of many chunks pass through without being buffered, and end when their reader leaves", async () => {
    const large = join(folder, "large");
    await writeFile(large, Buffer.alloc(8 * 1024 * 1024, 7));
    await store.put(key, { variants: [], original: large });
    const found = await store.openOriginal(key);
    const stream = found!.read();
    for await (const piece of stream) {
      expect((piece as Buffer).length).toBeLessThan(1024 * 1024);
      break;
    }
    expect(stream.destroyed).toBe(true);
    const again = await store.openOriginal(key);
    expect((await buffer(again!.read())).length).toBe(8 * 1024 * 1024);
  });
});

describe("a bucket that does not answer properly", () => {
  test("is asked again before anybody notices", async () => {
    let left = 2;
    s3.fails = (request) => (request.startsWith("PUT") && left-- > 0 ? { status: 503 } : null);
    await store.put(key, { variants, original });
    let broken = 1;
    s3.fails = () => (broken-- > 0 ? "broken" : null);
    expect(await read(160)).toBe("small");
  });

  test.each([
    ["is away", () => (s3.fails = () => ({ status: 503 }))],
    ["breaks off", () => (s3.fails = () => "broken")],
    [
      "takes all but the last file",
      () => (s3.fails = (request) => (request.includes("320") ? { status: 403 } : null)),
    ],
  ])("and %s accepts no image, says so, and stores nothing of it", async (_how, arrange) => {
    arrange();
    await expect(store.put(key, { variants, original })).rejects.toMatchObject({
      code: "picture-host-away",
      status: 503,
    });
    s3.fails = () => null;
    expect([await read(160), await readOriginal()]).toEqual([null, null]);
    expect(await listed(soon())).toEqual([]);
    expect(await readFile(original, "utf8")).toBe("the original");
  });

  test("has its images away, not gone: even when it lost the bucket or refuses the keys", async () => {
    await store.put(key, { variants, original });
    for (const fault of [{ status: 500 }, { status: 403 }, { status: 429 }, "broken"] as const) {
      s3.fails = () => fault;
      await expect(store.open(key, 160)).rejects.toMatchObject({ code: "picture-host-away" });
      await expect(store.openOriginal(key)).rejects.toMatchObject({ code: "picture-host-away" });
      await expect(store.remove([key])).rejects.toMatchObject({ code: "picture-host-away" });
    }
    s3.fails = () => null;
    const { IMAGE_STORE: address } = s3.environment(`town/${area}`);
    const lost = open({ IMAGE_STORE: address.replace("//pictures/", "//lost-bucket/") });
    await expect(lost.store.open(key, 160)).rejects.toMatchObject({ code: "picture-host-away" });
    expect(await read(160)).toBe("small");
  });

  test("and falls silent is not waited for, at the beginning of a file or in its middle", async () => {
    await store.put(key, { variants, original });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    s3.fails = () => "silent";
    s3.asked = [];
    await expect(inTime(store.open(key, 160))).rejects.toMatchObject({ code: "picture-host-away" });
    expect(s3.asked).toHaveLength(2);
    s3.fails = () => "stalling";
    const found = await store.open(key, 160);
    expect(found?.bytes).toBe(100_000);
    await expect(inTime(buffer(found!.read()))).rejects.toThrow("in the middle of a file");
  });

  test("reports whether it is ready, and is not asked for every question", async () => {
    expect(await stores.isReady()).toBe(true);
    s3.fails = () => ({ status: 403 });
    expect(await stores.isReady()).toBe(true);
    expect(s3.asked).toHaveLength(1);
    expect(await open().isReady()).toBe(false);
  });
});

/** The error of a start with these variables. */
const sentence = async (environment: Record<string, string>) => {
  const error = await open(environment)
    .check()
    .catch((cause: Error) => cause);
  return error?.message ?? "it starts";
};

describe("at the start", () => {
  const nobody = `http://127.0.0.1:${freePort}`;
  const { IMAGE_STORE: address } = s3.environment("town");
  const at = `The image store at ${s3.endpoint}`;

  test("a bucket that can be listed and written is accepted, and nothing is left in it", async () => {
    expect(await sentence({})).toBe("it starts");
    expect([...new Set(s3.asked.map((request) => request.split(" ")[0]))]).toEqual([
      "GET",
      "PUT",
      "POST",
    ]);
    expect(await listed(soon())).toEqual([]);
  });

  test("one with a temporary fault does not keep the server from starting", async () => {
    s3.fails = () => ({ status: 503 });
    expect(await sentence({})).toBe("it starts");
  });

  test.each([
    [
      "other keys",
      { S3_ACCESS_KEY_ID: "somebody" },
      `${at} doesn't take these keys (InvalidAccessKeyId): check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`,
    ],
    [
      "a wrong secret",
      { S3_SECRET_ACCESS_KEY: "hunter2" },
      `${at} doesn't take these keys (SignatureDoesNotMatch): check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`,
    ],
    [
      "a missing bucket",
      { IMAGE_STORE: address.replace("//pictures/", "//lost-bucket/") },
      `${at} has no bucket "lost-bucket": check IMAGE_STORE.`,
    ],
    [
      "an endpoint where nothing answers",
      { IMAGE_STORE: `s3://pictures?endpoint=${nobody}` },
      `The image store at ${nobody} can't be reached (ECONNREFUSED): check the endpoint in IMAGE_STORE.`,
    ],
  ])("%s ends it with one sentence", async (_what, environment, said) => {
    expect(await sentence(environment)).toBe(said);
  });

  test("read-only keys, and a server that isn't S3, end it too", async () => {
    s3.fails = (request) => (request.startsWith("PUT") ? { status: 403 } : null);
    expect(await sentence({})).toContain(
      `doesn't allow these keys to list, write and remove in "pictures"`,
    );
    s3.fails = () => ({ status: 200 });
    expect(await sentence({})).toContain("doesn't answer as S3 does (200, no answer of S3)");
  });
});

test("a member's upload that the bucket does not accept leaves no row and can be sent again", async () => {
  const images = createImages({ db, store, log });
  const path = join(folder, "photo.png");
  await plain(400, 300, [10, 120, 90]).png().toFile(path);
  s3.fails = () => ({ status: 503 });
  await expect(images.receive({ path }, "somebody")).rejects.toMatchObject({
    code: "picture-host-away",
  });
  s3.fails = () => null;
  const received = await images.receive({ path }, "somebody");
  const shown = await store.open(received.key, 160);
  expect((await buffer(shown!.read())).subarray(8, 12).toString()).toBe("WEBP");
  await images.discard(received);
  expect(await listed(soon())).toEqual([]);
});
