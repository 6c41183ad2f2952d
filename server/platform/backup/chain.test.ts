import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { imageTables } from "#server/features/image-tables.ts";
import {
  consecutive,
  continuousIn,
  listChains,
  packedSegment,
  readSegments,
  segmentList,
  verifySegments,
  type Chain,
  type ChainManifest,
  type Segment,
} from "#server/platform/backup/chain.ts";
import { appendLines } from "#server/platform/backup/chain-files.ts";
import { readAll } from "#server/platform/backup/coverage.ts";
import { drillChain } from "#server/platform/backup/drill-chain.ts";
import { pathOfImage, type ListedImage } from "#server/platform/backup/images.ts";
import { listedImages, listedSince, together } from "#server/platform/backup/listed-images.ts";
import { sealManifest } from "#server/platform/backup/manifest.ts";
import { nameOf } from "#server/platform/backup/names.ts";
import { removeExpired } from "#server/platform/backup/retention.ts";
import { parsePosition, segmentAfter, segmentAt } from "#server/platform/db/wal-segments.ts";
import { emptyBackup, flipBit, newFolder, sha256, silent } from "#server/test/backups.ts";

const segmentBytes = 2 ** 24;
const none = { bytes: 0, sha256: sha256(Buffer.alloc(0)) };
const first = "0000000100000000000000FE";
const second = segmentAfter(first, segmentBytes);

/** A chain without files, as far as its manifest says. */
async function emptyChain(into: string, takenAt: Date): Promise<string> {
  const manifest: ChainManifest = {
    format: 1,
    product: "postcard",
    version: "0",
    takenAt: takenAt.toISOString(),
    installation: null,
    settings: { publicUrl: "http://localhost:3000", imageStore: "disk" },
    postgres: "18",
    systemIdentifier: "1",
    migrations: [],
    timeline: 1,
    segmentBytes,
    startLsn: "0/FE000028",
    stopLsn: "0/FF000100",
    startSegment: first,
    stopSegment: second,
    folders: [],
    files: [],
    backupLabel: none,
    tablespaceMap: none,
    secrets: none,
    pictures: { list: none, count: 0, files: 0, bytes: 0, missing: 0 },
  };
  const folder = join(continuousIn(into), nameOf(takenAt));
  mkdirSync(join(folder, "wal"), { recursive: true });
  writeFileSync(join(folder, "pictures.jsonl.gz"), gzipSync(""));
  await sealManifest(folder, manifest);
  return folder;
}

async function addSegment(folder: string, name: string, content = name): Promise<Segment> {
  const bytes = Buffer.from(content);
  writeFileSync(join(folder, packedSegment(name)), gzipSync(bytes));
  const at = "2026-11-28T09:00:00.000Z";
  const segment = { name, bytes: bytes.length, sha256: sha256(bytes), at };
  await appendLines(join(folder, segmentList), [segment]);
  return segment;
}

test("segments are named and counted as PostgreSQL does", () => {
  expect(second).toBe("0000000100000000000000FF");
  expect(segmentAfter(second, segmentBytes)).toBe("000000010000000100000000");
  expect(segmentAfter("00000001000000000000003F", 2 ** 26)).toBe("000000010000000100000000");
  const server = { timeline: 1, segmentBytes };
  expect(segmentAt(parsePosition("0/FE000028"), server)).toBe(first);
  expect(segmentAt(parsePosition("1/0") - 1n, server)).toBe(second);
});

test("a chain is replayed up to a segment that is damaged or missing, and no further", async () => {
  const folder = await emptyChain(newFolder(), new Date());
  const [chain] = await listChains(dirname(dirname(folder)));
  if (!chain) throw new Error("There is no chain.");
  const whole = async () => {
    const found = await verifySegments(chain);
    return [found.whole.map(({ name }) => name), found.fault];
  };
  const third = segmentAfter(second, segmentBytes);
  const fourth = segmentAfter(third, segmentBytes);
  await addSegment(folder, first);
  // What the base needs is not there yet.
  expect(await whole()).toEqual([[], expect.any(String)]);
  for (const name of [second, third, fourth]) await addSegment(folder, name);
  expect(await whole()).toEqual([[first, second, third, fourth], null]);
  // A line that was cut is none, and the next one begins a new line.
  appendFileSync(join(folder, segmentList), '{"name":"0000');
  expect((await readSegments(chain)).map(({ name }) => name)).toEqual([
    first,
    second,
    third,
    fourth,
  ]);
  await addSegment(folder, segmentAfter(fourth, segmentBytes));
  expect(await readSegments(chain)).toHaveLength(5);
  flipBit(join(folder, packedSegment(third)));
  expect(await whole()).toEqual([[first, second], `wal/${third}.gz is not what was written`]);
  const lines = readFileSync(join(folder, segmentList), "utf8").split("\n");
  writeFileSync(join(folder, segmentList), lines.toSpliced(2, 1).join("\n"));
  expect(await whole()).toEqual([[first, second], "a segment is missing from wal.jsonl"]);
  const { manifest } = chain;
  expect(consecutive(manifest, (await readSegments(chain)).slice(1))).toEqual([]);
});

const file = (name: string) => [name, 1, "0".repeat(64)];
const image = (key: string, files: unknown[] = []) => ({
  table: "images",
  key: key.repeat(32),
  files,
  missing: [],
});

test("an image that was listed again has the files of the last time, and an announced one none", async () => {
  const folder = await emptyChain(newFolder(), new Date());
  writeFileSync(
    join(folder, "pictures.jsonl.gz"),
    gzipSync(`${JSON.stringify(image("a", [file("original")]))}\n`),
  );
  const both = [file("original"), file("640.webp")];
  await appendLines(join(folder, "pictures-since.jsonl"), [
    image("a"),
    image("b"),
    image("b", [file("original")]),
    image("b"),
    image("b", both),
    image("c"),
  ]);
  const found: Record<string, ListedImage[]> = {};
  for await (const line of listedImages(folder, imageTables)) {
    (found[line.key[0] ?? ""] ??= []).push(line);
  }
  const files = Object.entries(found).map(([key, lines]) => [key, together(lines).files.length]);
  expect(Object.fromEntries(files)).toEqual({ a: 1, b: 2, c: 0 });
});

test("a line of a growing list that was cut is none, and any other that is damaged is told", async () => {
  const folder = await emptyChain(newFolder(), new Date());
  const path = join(folder, "pictures-since.jsonl");
  const read = async (onDamaged?: () => void) => {
    const keys: string[] = [];
    for await (const { key } of listedSince(folder, imageTables, onDamaged)) keys.push(key);
    return keys.length;
  };
  expect(await read()).toBe(0);
  await appendLines(path, [image("a"), image("b")]);
  appendFileSync(path, '{"table":"im');
  expect(await read()).toBe(2);
  appendFileSync(path, "\n");
  await expect(read()).rejects.toThrow("has a line that names no picture");
  let damaged = 0;
  expect(await read(() => (damaged += 1))).toBe(2);
  expect(damaged).toBe(1);
});

test("a drill says once that lines of the growing list are damaged", async () => {
  const folder = await emptyChain(newFolder(), new Date());
  const [chain] = (await listChains(dirname(dirname(folder)))) as [Chain];
  writeFileSync(join(folder, "pictures-since.jsonl"), "{\n}\n");
  const { faults } = await drillChain(chain, {
    productData: { imageTables, reconcile: async () => [] },
    dataDir: newFolder(),
    log: silent,
    reading: { ...readAll, isRestoreDue: () => false },
  });
  expect(faults).toEqual(["pictures-since.jsonl has a line that names no picture"]);
});

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 9));

test("chains older than every backup go, the newest stays, and images that a chain names", async () => {
  const into = newFolder();
  for (const day of [1, 8, 15, 22]) await emptyChain(into, at(day));
  const [, , , newest = ""] = (await listChains(into)).map(({ folder }) => folder);
  emptyBackup(into, at(20));
  writeFileSync(join(into, nameOf(at(20)), "pictures.jsonl.gz"), gzipSync(""));
  const place = (key: string) =>
    join(into, "pictures", pathOfImage({ area: "public", key: key.repeat(32) }, "original"));
  for (const key of ["a", "b", "c"]) {
    mkdirSync(dirname(place(key)), { recursive: true });
    writeFileSync(place(key), key);
  }
  // One of them was only announced: it may be about to be copied.
  await appendLines(join(newest, "pictures-since.jsonl"), [image("a", [file("original")])]);
  const draft = join(continuousIn(into), ".draft-1");
  mkdirSync(draft);
  await appendLines(join(draft, "pictures-since.jsonl"), [image("b")]);
  const names = async () =>
    (await listChains(into)).map(({ manifest }) => manifest.takenAt.slice(8, 10));

  // The newest is not a day old.
  const evening = new Date(at(22).getTime() + 10 * 60 * 60_000);
  expect(await removeExpired(into, imageTables, evening)).toHaveLength(2);
  expect(await names()).toEqual(["15", "22"]);
  expect(["a", "b", "c"].map((key) => existsSync(place(key)))).toEqual([true, true, false]);
  expect(await removeExpired(into, imageTables, at(24))).toHaveLength(1);
  expect(await names()).toEqual(["22"]);
  expect(await removeExpired(into, imageTables, at(30))).toEqual([]);
});
