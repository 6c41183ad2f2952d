import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile, stat, truncate, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openImageStores, openStores } from "#server/adapters/image-store/open.ts";
import { createS3Client } from "#server/adapters/image-store/s3-client.ts";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { createS3Files } from "#server/adapters/private-files/s3.ts";
import { readConfig } from "#server/config.ts";
import { startS3Server } from "#server/test/s3-server.ts";
import { filesBelow, namesIn } from "#server/test/traces.ts";
import { limits } from "#shared/limits.ts";

const s3 = await startS3Server();
const home = mkdtempSync(join(tmpdir(), "postcard-private-"));
const dataDir = join(home, "one");
const logged: string[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
const inBucket = readConfig(s3.environment("town")).imageStore;
if (inBucket.kind !== "s3") throw new Error("This test is about a bucket.");
const client = createS3Client(inBucket);
const disk = openStores(dataDir, { kind: "disk" }, log).files;
const bucket = openStores(dataDir, inBucket, log).files;
/** What a second server with its own folder finds. */
const elsewhere = openStores(join(home, "two"), inBucket, log).files;

afterAll(async () => {
  await s3.stop();
  rmSync(home, { recursive: true, force: true });
});
beforeEach(() => {
  s3.fails = () => null;
  s3.asked = [];
});

let files = 0;
function fileOf(content: string | Buffer): string {
  const path = join(home, `file-${(files += 1)}`);
  writeFileSync(path, content);
  return path;
}

async function contentOf(from: PrivateFiles, name: string): Promise<string | null> {
  const file = await from.open(name);
  return file && String(await buffer(file.read()));
}

const fetched = () => s3.asked.filter((asked) => asked.includes("large.zip")).length;

const away = expect.objectContaining({
  code: "picture-host-away",
  message: expect.stringContaining("our storage isn't responding"),
  retryAfter: 60,
});

describe.each([
  ["on disk", disk],
  ["in a bucket", bucket],
])("private files %s", (_where, stored) => {
  test("are found whole and in part by their names, and the file they came from is removed", async () => {
    const path = fileOf("every word of it");
    await stored.put("exports/one.zip", path);
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await contentOf(stored, "exports/one.zip")).toBe("every word of it");
    const file = await stored.open("exports/one.zip");
    expect(file?.bytes).toBe(16);
    expect(String(await buffer(file!.read({ start: 6, end: 9 })))).toBe("word");
    await stored.put("exports/one.zip", Buffer.from("other words"));
    expect(await contentOf(stored, "exports/one.zip")).toBe("other words");
    expect(await stored.open("exports/two.zip")).toBeNull();
    expect(await stored.local("exports/two.zip")).toBeNull();
  });

  test("are listed by the beginning of their names, with their time, and removed", async () => {
    await stored.put("imports/a.zip", Buffer.from("a"));
    await stored.put("imports/b.zip", Buffer.from("b"));
    expect(await namesIn(stored, "imports/")).toEqual(["imports/a.zip", "imports/b.zip"]);
    expect(await namesIn(stored, "imports/b")).toEqual(["imports/b.zip"]);
    expect(await namesIn(stored, "nothing/")).toEqual([]);
    for await (const batch of stored.list("imports/")) {
      for (const { changed } of batch) {
        expect(Math.abs(changed.getTime() - Date.now())).toBeLessThan(3_600_000);
      }
    }
    await stored.remove(["imports/a.zip", "imports/never.zip"]);
    expect(await namesIn(stored, "imports/")).toEqual(["imports/b.zip"]);
    await stored.remove(["imports/b.zip"]);
  });

  test("are local files for as long as somebody needs one", async () => {
    await stored.put("imports/long.zip", Buffer.from("here and there"));
    const file = await stored.local("imports/long.zip");
    expect(await readFile(file!.path, "utf8")).toBe("here and there");
    await file?.release();
    expect(await contentOf(stored, "imports/long.zip")).toBe("here and there");
    await stored.remove(["imports/long.zip"]);
    expect(await filesBelow(join(dataDir, "tmp"))).toEqual([]);
  });

  test.each([
    "exports/../secrets.json",
    "secrets.json",
    "/etc/passwd",
    "exports/.hidden",
    "a/b/c/d",
  ])("have no name such as %s", async (name) => {
    await expect(stored.put(name, Buffer.from("x"))).rejects.toThrow("plain name");
    await expect(stored.remove([name])).rejects.toThrow("plain name");
  });
});

describe("in a bucket", () => {
  test("any server finds what another one stored, and says where an operator finds it", async () => {
    await bucket.put("outbox/letter.eml", Buffer.from("Dear Ada"));
    expect(await contentOf(elsewhere, "outbox/letter.eml")).toBe("Dear Ada");
    expect(elsewhere.locate("outbox/letter.eml")).toBe(
      "s3://pictures/town/private/outbox/letter.eml",
    );
    await elsewhere.remove(["outbox/letter.eml"]);
    expect(await bucket.open("outbox/letter.eml")).toBeNull();
    expect(await filesBelow(join(home, "two"))).toEqual([]);
  });

  test("a file that is needed here again is downloaded once, and whole", async () => {
    await bucket.put("imports/large.zip", Buffer.from("a long story"));
    const first = await elsewhere.local("imports/large.zip");
    await first?.release({ again: true });
    const once = fetched();
    const again = await elsewhere.local("imports/large.zip");
    expect(await readFile(again!.path, "utf8")).toBe("a long story");
    expect(fetched()).toBe(once + 1);
    // truncated here, as by a full disk
    await truncate(again!.path, 3);
    const anew = await elsewhere.local("imports/large.zip");
    expect(await readFile(anew!.path, "utf8")).toBe("a long story");
    await anew?.release();
    expect(await filesBelow(join(home, "two"))).toEqual([]);
  });

  test("no file is downloaded for which this machine has no room", async () => {
    await bucket.put("imports/heavy.zip", Buffer.from("heavy"));
    const tmp = join(home, "full", "tmp");
    const full = createS3Files({
      client,
      tmp,
      address: "s3://pictures/",
      log,
      freeBytes: async () => limits.uploads.reserve + 4,
    });
    await expect(full.local("imports/heavy.zip")).rejects.toMatchObject({ code: "disk-full" });
    expect(await filesBelow(tmp)).toEqual([]);
    expect(await contentOf(full, "imports/heavy.zip")).toBe("heavy");
  });

  test("what is too large for one request goes in parts, all of it or nothing", async () => {
    const large = Buffer.alloc(40 * 1024 * 1024, "Postcard");
    const path = fileOf(large);
    s3.fails = (asked) => (/partNumber=2/.test(asked) ? { status: 403 } : null);
    await expect(bucket.put("exports/large.zip", path)).rejects.toEqual(away);
    expect(await bucket.open("exports/large.zip")).toBeNull();
    s3.fails = () => null;
    s3.asked = [];
    await bucket.put("exports/large.zip", path);
    expect(s3.asked.filter((asked) => /^PUT .*partNumber=/.test(asked))).toHaveLength(3);
    const file = await elsewhere.open("exports/large.zip");
    expect(file?.bytes).toBe(large.length);
    expect((await buffer(file!.read())).equals(large)).toBe(true);
    const end = await elsewhere.open("exports/large.zip");
    const range = { start: large.length - 8, end: large.length - 1 };
    expect(String(await buffer(end!.read(range)))).toBe("Postcard");
  });

  test("that is away, nothing is stored, reported or lost", async () => {
    await bucket.put("exports/kept.zip", Buffer.from("kept"));
    const path = fileOf("not kept yet");
    s3.fails = () => "broken";
    await expect(bucket.put("exports/new.zip", path)).rejects.toEqual(away);
    expect(await readFile(path, "utf8")).toBe("not kept yet");
    await expect(bucket.put("exports/new.zip", Buffer.from("x"))).rejects.toEqual(away);
    await expect(bucket.open("exports/kept.zip")).rejects.toEqual(away);
    await expect(bucket.local("exports/kept.zip")).rejects.toEqual(away);
    await expect(bucket.remove(["exports/kept.zip"])).rejects.toEqual(away);
    await expect(namesIn(bucket, "exports/")).rejects.toEqual(away);
    expect(logged.join()).toContain("the store of pictures is away");
    s3.fails = () => null;
    await bucket.put("exports/new.zip", path);
    expect(await contentOf(elsewhere, "exports/new.zip")).toBe("not kept yet");
    expect(await contentOf(elsewhere, "exports/kept.zip")).toBe("kept");
  });

  test("what this server stored in its folder before is still found, listed and removed", async () => {
    await disk.put("exports/older.zip", Buffer.from("from before the bucket"));
    expect(await contentOf(bucket, "exports/older.zip")).toBe("from before the bucket");
    expect(await namesIn(bucket, "exports/older")).toEqual(["exports/older.zip"]);
    const file = await bucket.local("exports/older.zip");
    expect(await readFile(file!.path, "utf8")).toBe("from before the bucket");
    await file?.release();
    await bucket.remove(["exports/older.zip"]);
    expect(await disk.open("exports/older.zip")).toBeNull();
  });

  test("while images are moved from a bucket to the disk, so are private files", async () => {
    await bucket.put("exports/left.zip", Buffer.from("in the bucket"));
    const config = { dataDir, imageStore: { kind: "disk" }, imageStoreFrom: inBucket } as const;
    const both = openImageStores({ config, log }).files;
    expect(await contentOf(both, "exports/left.zip")).toBe("in the bucket");
    await both.put("exports/right.zip", Buffer.from("on the disk"));
    expect(await contentOf(disk, "exports/right.zip")).toBe("on the disk");
    await both.remove(["exports/left.zip", "exports/right.zip"]);
    expect(await elsewhere.open("exports/left.zip")).toBeNull();
  });
});

test("on disk they are private to this user, and say when they were last touched", async () => {
  await disk.put("outbox/secret.eml", Buffer.from("a link"));
  const path = disk.locate("outbox/secret.eml");
  expect(path).toBe(join(dataDir, "outbox", "secret.eml"));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, "outbox"))).mode & 0o777).toBe(0o700);
  const then = new Date(Date.now() - 8 * 86_400_000);
  await utimes(path, then, then);
  for await (const [first] of disk.list("outbox/")) {
    expect(Math.round((first?.changed.getTime() ?? 0) / 1000)).toBe(
      Math.round(then.getTime() / 1000),
    );
  }
});
