import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openStores } from "#server/adapters/image-store/open.ts";
import { readConfig } from "#server/config.ts";
import { newId } from "#server/platform/db/ids.ts";
import { openParts } from "#server/features/posts/uploads/open-parts.ts";
import type { UploadKey } from "#server/features/posts/uploads/parts.ts";
import { startS3Server } from "#server/test/s3-server.ts";
import { filesBelow, namesIn } from "#server/test/traces.ts";
import { limits } from "#shared/limits.ts";

const s3 = await startS3Server();
const dataDir = mkdtempSync(join(tmpdir(), "postcard-parts-"));
const tmp = join(dataDir, "tmp");
const log = pino({ level: "silent" });
const inBucket = readConfig(s3.environment("town")).imageStore;
const bucket = openStores(dataDir, inBucket, log).files;
const stored = openParts({ files: bucket, tmp });
const onDisk = openParts({ files: openStores(dataDir, { kind: "disk" }, log).files, tmp });

afterAll(async () => {
  await s3.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(() => {
  s3.fails = () => null;
});

const whole = "It was a bright cold day in April, and the clocks were striking thirteen.";
const key = (): UploadKey => ({ accountId: newId(), id: newId() });

async function* pieces(from: number, to: number, ending?: Error): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += 7) yield Buffer.from(whole.slice(at, Math.min(to, at + 7)));
  if (ending) throw ending;
}

const taken = (parts: typeof stored, of: UploadKey, bytes = whole.length): Promise<string> =>
  parts.withFile(of, bytes, (path) => readFile(path, "utf8"));

describe.each([
  ["one file on a disk", onDisk],
  ["objects in a bucket", stored],
])("an upload as %s", (_kind, parts) => {
  test("is put together from what arrived, in as many parts as it took", async () => {
    const one = key();
    expect(await parts.size(one)).toBe(0);
    expect(await parts.append(one, 0, pieces(0, 20))).toBe(20);
    expect(await parts.append(one, 20, pieces(20, 20))).toBe(20);
    expect(await parts.append(one, 20, pieces(20, whole.length))).toBe(whole.length);
    expect(await parts.size(one)).toBe(whole.length);
    expect(await taken(parts, one)).toBe(whole);
    await expect(taken(parts, one, whole.length + 1)).rejects.toThrow("not whole");
    expect(await filesBelow(tmp)).toEqual([]);
  });

  test("keeps what had arrived when its sender disconnected", async () => {
    const one = key();
    const gone = new Error("the line broke");
    await expect(parts.append(one, 0, pieces(0, 28, gone))).rejects.toThrow("the line broke");
    expect(await parts.size(one)).toBe(28);
    await parts.append(one, 28, pieces(28, whole.length));
    expect(await taken(parts, one)).toBe(whole);
  });

  test("is not corrupted by a request that another process was still handling: the same bytes have one position", async () => {
    const one = key();
    await parts.append(one, 0, pieces(0, 10));
    await Promise.all([
      parts.append(one, 10, pieces(10, 45)),
      parts.append(one, 10, pieces(10, 30)),
      parts.append(one, 10, pieces(10, 52)),
    ]);
    expect(await parts.size(one)).toBe(52);
    await parts.append(one, 30, pieces(30, 60));
    await parts.append(one, 60, pieces(60, whole.length));
    // and one that arrives when everything is there
    await parts.append(one, 10, pieces(10, 24));
    expect(await parts.size(one)).toBe(whole.length);
    expect(await taken(parts, one)).toBe(whole);
  });

  test("is listed by account, and removed alone", async () => {
    const [one, other] = [key(), key()];
    for (const each of [one, other]) await parts.append(each, 0, pieces(0, 7));
    await parts.append(one, 7, pieces(7, 14));
    expect(await parts.list(one.accountId)).toEqual([one]);
    expect(await parts.list()).toEqual(expect.arrayContaining([one, other]));
    await parts.remove(one);
    await parts.remove(one);
    expect([await parts.size(one), await parts.size(other)]).toEqual([0, 7]);
    expect(await parts.list(one.accountId)).toEqual([]);
  });
});

describe("in a bucket", () => {
  test("a gap ends what has arrived", async () => {
    const one = key();
    await stored.append(one, 0, pieces(0, 10));
    await stored.append(one, 12, pieces(12, whole.length));
    expect(await stored.size(one)).toBe(10);
    await stored.append(one, 10, pieces(10, 14));
    expect(await stored.size(one)).toBe(whole.length);
    expect(await taken(stored, one)).toBe(whole);
  });

  test("an upload arrives in a bounded number of parts", async () => {
    const { accountId, id } = key();
    const names = Array.from({ length: limits.uploads.parts }, (_, at) => ({
      name: `uploads/${accountId}.${id}/${at}-${at + 1}`,
      changed: new Date(),
    }));
    const full = {
      ...bucket,
      list: async function* () {
        yield names;
      },
    };
    const parts = openParts({ files: full, tmp });
    await expect(parts.append({ accountId, id }, 500, pieces(0, 7))).rejects.toMatchObject({
      code: "input-invalid",
      message: "A photo can come in 500 parts at most. Send it again in larger ones.",
    });
    expect(await namesIn(bucket, `uploads/${accountId}`)).toEqual([]);
  });

  test("that is unreachable, a part is refused and earlier parts remain", async () => {
    const one = key();
    await stored.append(one, 0, pieces(0, 21));
    s3.fails = (asked) => (asked.startsWith("PUT") ? "broken" : null);
    await expect(stored.append(one, 21, pieces(21, 42))).rejects.toMatchObject({
      code: "picture-host-away",
    });
    s3.fails = () => null;
    expect(await stored.size(one)).toBe(21);
    await stored.append(one, 21, pieces(21, whole.length));
    expect(await taken(stored, one)).toBe(whole);
    expect(await filesBelow(tmp)).toEqual([]);
  });
});
