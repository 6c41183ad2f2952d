import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { openArchive } from "#server/features/archive/open-archive.ts";
import { readArchive } from "#server/features/archive/read-archive.ts";
import { archiveFiles, archivesOf, type Archives } from "#server/test/archives.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";

let db: Database;
let on: TestFeatures;
let archives: Archives;
const sent: string[] = [];

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => void sent.push(text)));
  // every batch is a turn
  on = testFeatures(db, { importTurnMs: 0 });
  archives = archivesOf(on);
});

const megabyte = 1024 * 1024;
const post = (number: number, fields: object = {}) => ({
  id: `018f0000-0000-7000-8000-${String(number).padStart(12, "0")}`,
  number,
  time: 1_700_000_000_000 + number,
  caption: "words",
  pictures: [],
  ...fields,
});
const pictured = (file: string) => ({ pictures: [{ file, sha256: "0".repeat(64) }] });

/** A manifest that names these files. */
const naming = (posts: string[], messages: string[] = []) => ({
  "postcard.json": JSON.stringify({
    format: "postcard-archive",
    version: 1,
    files: { profile: "profile.json", posts, messages },
  }),
});
const pages = (count: number) =>
  Array.from({ length: count }, (_, index) => `posts/${String(index + 1).padStart(4, "0")}.json`);

/** Where the zip's list of files has this one (APPNOTE 4.3.12). */
function entryOf(zip: Buffer, name: string): number {
  const at = zip.lastIndexOf(name) - 46;
  expect(zip.readUInt32LE(at)).toBe(0x02014b50);
  return at;
}

async function refusalOf(archive: Buffer): Promise<string> {
  const { path } = await archives.uploaded(archive);
  const open = await readArchive(path).catch((error: Error) => error);
  if (open instanceof Error) return open.message;
  const refused = await open.check().catch((error: Error) => error);
  open.close();
  return refused instanceof Error ? refused.message : "taken";
}

describe("an archive that costs more to read than it contains", () => {
  test("by naming one page again and again is refused before any page is opened", async () => {
    // the page does not even exist
    const named = naming(Array(30).fill("posts/0001.json"));
    const archive = await archives.zipOf({ ...named, "profile.json": "{}" });
    expect(await refusalOf(archive)).toBe(
      "postcard.json in this archive names posts/0001.json twice.",
    );
    const messages = naming([], ["messages/0001.json", "messages/0001.json"]);
    expect(await refusalOf(await archives.zipOf({ ...messages, "profile.json": "{}" }))).toMatch(
      /names messages\/0001\.json twice/,
    );
  });

  test.each<[what: string, make: () => Promise<Buffer>, sentence: RegExp]>([
    [
      "a page of tiny values",
      () => archives.zipOf(archiveFiles([], { "posts/0001.json": page("{},".repeat(400_000)) })),
      /^posts\/0001\.json in this archive is too large\.$/,
    ],
    [
      "deep nesting",
      () => archives.zipOf(archiveFiles([], { "posts/0001.json": page('{"a":'.repeat(500_000)) })),
      /^posts\/0001\.json in this archive is nested too deeply\.$/,
    ],
    [
      "many pages of one long text each",
      () =>
        archives.zipOf({
          ...naming(pages(3)),
          "profile.json": "{}",
          ...Object.fromEntries(
            pages(3).map((name) => [name, `{"posts":[],"x":"${"a".repeat(15 * megabyte)}"}`]),
          ),
        }),
      /^The text files in this archive are too large when unpacked\.$/,
    ],
    [
      "more pages than allowed",
      () => archives.zipOf({ ...naming(pages(20_001)), "profile.json": "{}" }),
      /^postcard\.json \(files\.posts\) in this archive doesn't match the format\.$/,
    ],
    [
      "a list of 100,000 posts that are none",
      () =>
        archives.zipOf(
          archiveFiles([], { "posts/0001.json": `{"posts":[${"{},".repeat(99_999)}{}]}` }),
        ),
      /^posts\/0001\.json \(posts\) in this archive doesn't match the format\.$/,
    ],
    [
      "one image for many posts",
      () =>
        archives.zipOf(
          archiveFiles(
            [1, 2].map((nth) => post(nth, pictured("pictures/1-1.jpg"))),
            {
              "pictures/1-1.jpg": "x",
            },
          ),
        ),
      /^posts\/0001\.json in this archive names pictures\/1-1\.jpg a second time\.$/,
    ],
    [
      "files that share their bytes",
      async () => {
        const files = { "pictures/1-1.jpg": "x".repeat(500), "pictures/1-2.jpg": "y" };
        const zip = await archives.zipOf(archiveFiles([], files));
        const [one, other] = Object.keys(files).map((name) => entryOf(zip, name)) as [
          number,
          number,
        ];
        zip.writeUInt32LE(zip.readUInt32LE(one + 42), other + 42);
        return zip;
      },
      /^pictures\/1-[12]\.jpg in this archive overlaps another file\.$/,
    ],
    [
      "a page that claims to be small",
      async () => {
        const zip = await archives.zipOf(
          archiveFiles([], { "posts/0001.json": " ".repeat(30 * megabyte) }),
        );
        zip.writeUInt32LE(20, entryOf(zip, "posts/0001.json") + 24);
        return zip;
      },
      /^posts\/0001\.json in this archive is damaged and can't be read\.$/,
    ],
    [
      "images that all together unpack to more than an archive may have",
      async () => {
        const names = [1, 2, 3].map((nth) => `pictures/1-${nth}.jpg`);
        const files = Object.fromEntries(names.map((name) => [name, "x".repeat(500)]));
        const zip = await archives.zipOf(archiveFiles([], files));
        for (const name of names) zip.writeUInt32LE(2 ** 31, entryOf(zip, name) + 24);
        return zip;
      },
      /^This archive is too large when unpacked\.$/,
    ],
  ])("by %s is refused with a sentence", async (_what, make, sentence) => {
    expect(await refusalOf(await make())).toMatch(sentence);
  });

  test("by needing more memory than its thread has is refused, and is not reported as a server error", async () => {
    const { path } = await archives.uploaded(await archives.zipOf(archiveFiles([post(1)])));
    const reading = { path, done: { posts: 0, messages: 0 } };
    const { signal } = new AbortController();
    const small = { maxOldGenerationSizeMb: 4, maxYoungGenerationSizeMb: 1 };
    const archive = openArchive(reading, join(on.folder, "tmp"), signal, small);
    await expect(archive.check()).rejects.toMatchObject({ code: "archive-invalid" });
    await archive.close();
  });
});

/** This many characters of this many bytes, built from combining accents. */
const long = (characters: number, bytes: number) =>
  `e${"\u0301".repeat(Math.floor(bytes / characters / 2) - 1)}`.repeat(characters);

const page = (rest: string) => `{"posts":[],"x":[${rest}`;

describe("an honest archive", () => {
  test("is read twice: each text once to be checked and once to be imported", async () => {
    const files = archiveFiles([post(1), post(2)]);
    const { path } = await archives.uploaded(await archives.zipOf(files));
    const archive = await readArchive(path);
    expect(await archive.check()).toMatchObject({ posts: 2, messages: 0 });
    for await (const _ of archive.posts());
    const text = files["posts/0001.json"] as string;
    expect(archive.spent.checking.files).toBe(3);
    expect(archive.spent.taking).toEqual({
      files: 1,
      bytes: text.length,
      // one for each post, its five fields and the two lists in it
      values: text.split(/[,[{]/).length,
    });
    archive.close();
  });

  test("with the fullest page that can be written is imported", async () => {
    // 2,200 characters of many bytes each, ten photos with the longest descriptions allowed
    const files: Record<string, string> = {};
    const fullest = Array.from({ length: 50 }, (_, index) => {
      const own = Array.from(
        { length: 10 },
        (_each, nth) => `pictures/${index + 1}-${nth + 1}.jpg`,
      );
      for (const name of own) files[name] = "x";
      return post(index + 1, {
        caption: long(2200, 65_536),
        pictures: own.map((file) => ({ file, sha256: "0".repeat(64), alt: long(1000, 16_000) })),
      });
    });
    expect(await refusalOf(await archives.zipOf(archiveFiles(fullest, files)))).toBe("taken");
  });
});

describe("the work on an import", () => {
  test("is not repeated for an archive that was refused", async () => {
    const viewer = await on.member("Once Only");
    const { problem } = await archives.imported(
      viewer,
      await archives.zipOf(archiveFiles([], { "posts/0001.json": page("{},".repeat(400_000)) })),
    );
    expect(problem).toMatch(/is too large/);
    const jobs = await query<{ state: string; retry_count: number }>(
      db,
      "select state, retry_count from pgboss.job where name = 'import-posts'",
    );
    expect(jobs).toEqual([{ state: "completed", retry_count: 0 }]);
    expect(await on.jobs.runDue({ later: true })).toEqual({ done: 0, failed: [] });
  });

  test("reports progress once a batch, also for posts that are skipped, and gives way after it", async () => {
    const [patient, quick] = [await on.member("Pat Ient"), await on.member("Qui Ck")];
    const tooLong = Array.from({ length: 60 }, (_, index) =>
      post(index + 1, { id: randomUUID(), caption: "x".repeat(2201) }),
    );
    await on.imports.start(
      patient,
      await archives.uploaded(await archives.zipOf(archiveFiles(tooLong))),
    );
    await on.imports.start(
      quick,
      await archives.uploaded(await archives.zipOf(archiveFiles([post(1, { id: randomUUID() })]))),
    );
    sent.length = 0;
    expect((await on.jobs.runDue()).failed).toEqual([]);
    // at the beginning, after each batch of twenty, and after the other one
    expect(sent.filter((text) => /update imports set done/.test(text))).toHaveLength(1 + 3 + 2);
    expect(await on.imports.latest(patient)).toMatchObject({ state: "done", done: 60, taken: 0 });
    expect(await on.imports.latest(quick)).toMatchObject({ state: "done", taken: 1 });
    const [first] = await query<{ id: string }>(
      db,
      "select account_id as id from imports where state = 'done' order by finished_at limit 1",
    );
    expect(first?.id).toBe(quick.id);
  });
});
