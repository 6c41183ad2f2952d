import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openArchive } from "#server/features/archive/open-archive.ts";
import { listItems } from "#shared/exports/json-lists.ts";
import { archiveTest } from "#server/test/archives.ts";

const { on, archives } = await archiveTest();

/** What the thread of imports says of a zip, with the memory that it has. */
async function checked(zip: Buffer) {
  const { path } = await archives.uploaded(zip);
  const reading = { path, done: { posts: 0, messages: 0 } };
  const archive = openArchive(reading, join(on.folder, "tmp"), new AbortController().signal);
  try {
    return await archive.check();
  } catch (error) {
    return (error as Error).message;
  } finally {
    await archive.close();
  }
}

const listName = "content/posts_1.json";
const post = (nth: number) => ({
  media: [
    {
      uri: `media/posts/202001/${nth}.jpg`,
      creation_timestamp: 1_577_836_800 + nth,
      title: "x".repeat(200),
    },
  ],
});

/** Says that a file has so many bytes when unpacked (APPNOTE 4.3.12). */
function declared(zip: Buffer, name: string, bytes: number): Buffer {
  const at = zip.lastIndexOf(name) - 46;
  expect(zip.readUInt32LE(at)).toBe(0x02014b50);
  zip.writeUInt32LE(bytes, at + 24);
  return zip;
}

/** The end of a zip that says how many files it has (APPNOTE 4.3.14 to 4.3.16). */
function endOfZip(files: number): Buffer {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(files), 24);
  record.writeBigUInt64LE(BigInt(files), 32);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.fill(0xff, 8, 20);
  return Buffer.concat([record, locator, end]);
}

describe("an export that costs more to read than it contains", () => {
  test.each<[what: string, make: () => Promise<Buffer>, sentence: RegExp]>([
    [
      "a list that says it has a gigabyte",
      async () => declared(await archives.zipOf({ [listName]: "[]" }), listName, 1024 ** 3),
      /^content\/posts_1\.json in this archive is too large\.$/,
    ],
    [
      "a list of nothing that is far longer than what was sent",
      () => archives.zipOf({ [listName]: `[${" ".repeat(60 * 1024 * 1024)}]` }),
      /^The text files in this archive are too large when unpacked\.$/,
    ],
    [
      "a list that says it is short",
      async () =>
        declared(await archives.zipOf({ [listName]: `[${" ".repeat(999)}]` }), listName, 9),
      /^content\/posts_1\.json in this archive is damaged and can't be read\.$/,
    ],
    [
      "a name that leads out of it",
      async () => {
        const zip = await archives.zipOf({ [listName]: "[]", "aa/bb/cc.jpg": "x" });
        return Buffer.from(
          zip.toString("latin1").replaceAll("aa/bb/cc.jpg", "../../cc.jpg"),
          "latin1",
        );
      },
      /^A file in this archive has a name that points outside it\.$/,
    ],
    [
      "a million entries of a list",
      () => archives.zipOf({ [listName]: `[${"{},".repeat(5_000_000)}{}]` }),
      /^content\/posts_1\.json in this archive is too large\.$/,
    ],
    [
      "more files than an archive may have",
      () => Promise.resolve(endOfZip(200_001)),
      /^This archive has more than 200000 files\.$/,
    ],
  ])("by %s is refused with a sentence", async (_what, make, sentence) => {
    expect(await checked(await make())).toMatch(sentence);
  });

  test("by a list of more posts than one file may bring takes no more memory, and says what it leaves out", async () => {
    const posts = Array.from({ length: 60_000 }, (_, nth) => post(nth));
    const zip = await archives.zipOf({ [listName]: JSON.stringify(posts) });
    expect(await checked(zip)).toEqual({
      kind: "instagram",
      posts: 20_000,
      messages: 0,
      leftOut: ["40,000 posts: one file brings the oldest 20,000. Put the rest into another"],
    });
  });
});

const itemsOf = (json: string) => [...listItems("x.json", Buffer.from(json))];

describe("a list that is read entry by entry", () => {
  test("has the entries that a parser finds, whatever their texts contain", () => {
    const entries = [{ a: '"}]\\', b: [{ c: "{[" }] }, { "ü\u2028": '\\"' }, {}];
    expect(itemsOf(JSON.stringify(entries))).toEqual(entries.map((item) => ({ list: "", item })));
    expect(
      itemsOf(JSON.stringify({ no: 1, one: entries, two: [[{}], 1, {}], three: { a: {} } })),
    ).toEqual([...entries.map((item) => ({ list: "one", item })), { list: "two", item: {} }]);
    expect(itemsOf(" [ ] ")).toEqual([]);
  });

  test.each(["", "[{", "]", '[{"a":}]', '["', "words"])(
    "is refused where it is no list: %s",
    (json) => {
      expect(() => itemsOf(json)).toThrow("x.json in this archive isn't valid JSON.");
    },
  );
});
