import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDiskGuard, unguarded } from "#server/adapters/image-store/disk-guard.ts";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { asWebp } from "#server/test/images.ts";
import { until } from "#server/test/until.ts";

const key = "ab".repeat(16);
const variants = [{ width: 160, bytes: asWebp("small") }];
const silentKeys = Array.from({ length: 8 }, (_, index) => `${index}c`.repeat(16));

let dataDir: string;
let original: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "postcard disk "));
  original = join(dataDir, "sent");
  writeFileSync(original, "the original");
  await createDiskStore({ dataDir, guard: unguarded }).put(key, { variants, original });
});
const pipes: string[] = [];
const writers: number[] = [];
/** Unblocks those who wait for a writer, and those who open the file later. */
const answer = () => {
  for (const path of pipes.splice(0)) {
    writers.push(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
  }
};
/** And reads to its end. */
const end = () => {
  for (const writer of writers.splice(0)) closeSync(writer);
};
afterEach(() => {
  answer();
  end();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A file that never answers when it is opened, as on a disk that is gone. */
function makeSilent(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", [path]);
  pipes.push(path);
}

const makeImagesSilent = () => {
  for (const one of silentKeys)
    makeSilent(join(dataDir, "images", one.slice(0, 2), one, "160.webp"));
};

/** Calls of the file system that have no answer yet. */
const unanswered = () =>
  process.getActiveResourcesInfo().filter((name) => name.startsWith("FSReq")).length;

/** Of calls that hang here. The others have the patience of the product, which a busy disk may need. */
const shortMs = 300;
const open = (hanging: "quick" | "slow", againMs?: number) => {
  const logged: string[] = [];
  const log = { warn: (_about: object, text?: string) => void logged.push(text ?? "") };
  const patienceMs = { quick: 10_000, slow: 30_000, [hanging]: shortMs };
  const guard = createDiskGuard({ log: log as never, patienceMs, againMs });
  return { store: createDiskStore({ dataDir, guard }), guard, logged };
};

const away = { code: "picture-host-away", retryAfter: 10 };

test("reads of a disk that does not answer are refused, two hang, and everything else goes on", async () => {
  const { store, guard, logged } = open("quick");
  makeImagesSilent();

  const reads = silentKeys.map((one) => store.open(one, 160).catch((error: unknown) => error));
  // A thread is left for other files and for compression.
  await stat(original);
  await promisify(deflate)(Buffer.alloc(1000));
  expect(unanswered()).toBe(2);
  for (const refusal of await Promise.all(reads)) expect(refusal).toMatchObject(away);
  expect(guard.isAway()).toBe(true);
  expect(logged).toEqual(["the disk of the pictures does not answer"]);

  // Nobody waits any more, and nothing more hangs.
  for (const one of [key, ...silentKeys]) {
    await expect(store.open(one, 160)).rejects.toMatchObject(away);
  }
  expect(unanswered()).toBe(2);

  answer();
  await until(async () => {
    const found = await store.open(key, 160).catch(() => null);
    return found !== null && (await buffer(found.read())).subarray(12).toString() === "small";
  });
  expect(guard.isAway()).toBe(false);
  await until(async () => unanswered() === 0);
});

test("an image that cannot be written is refused, one write hangs, and reads go on", async () => {
  const { store, guard } = open("slow");
  const silent = join(dataDir, "silent");
  makeSilent(silent);
  const writes = silentKeys.map((one) =>
    store.put(one, { variants, original: silent }).catch((error: unknown) => error),
  );
  await until(async () => unanswered() > 0);
  expect(await store.open(key, 160)).toMatchObject({ bytes: variants[0]?.bytes.length });
  for (const refusal of await Promise.all(writes)) expect(refusal).toMatchObject(away);
  await expect(store.remove([key])).rejects.toMatchObject(away);
  answer();
  end();
  await until(() =>
    store.remove([key]).then(
      () => true,
      () => false,
    ),
  );
  expect(guard.isAway()).toBe(false);
});

test("a call that never returns leaves room for a retry, which finds the disk again", async () => {
  const { guard, logged } = open("quick", 50);
  const never = guard.run("quick", () => new Promise<never>(() => {}));
  await expect(never).rejects.toMatchObject(away);
  await until(
    async () => (await guard.run("quick", async () => "there").catch(() => "")) === "there",
  );
  expect(guard.isAway()).toBe(false);
  expect(logged).toEqual([
    "the disk of the pictures does not answer",
    "the disk of the pictures answers again",
  ]);
});

test("the control: unguarded, four reads of a disk that is gone block every other call", async () => {
  const store = createDiskStore({ dataDir, guard: unguarded });
  makeImagesSilent();
  const reads = silentKeys.map((one) => store.open(one, 160).catch(() => null));
  let isAnswered = false;
  const other = stat(original).then(() => (isAnswered = true));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(isAnswered).toBe(false);
  answer();
  await Promise.all([...reads, other]);
});
