import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32 as crc32OfNode } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { isAboutPost } from "#app/features/archive/bring/post-problems.ts";
import { crc32 } from "#app/features/archive/device/crc32.ts";
import { readOnDevice, type DevicePost } from "#app/features/archive/device/read-export.ts";
import { openExportZip } from "#server/features/archive/readers/open-reader.ts";
import { temporaryFolder } from "#server/test/processes.ts";
import { limits } from "#shared/limits.ts";
import { readExportZip } from "#shared/exports/services.ts";

type Files = Record<string, string | Buffer>;

const folder = temporaryFolder();

async function zipOf(files: Files, compress = true): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { mtime: new Date(0), compress });
  zip.end();
  return buffer(zip.outputStream);
}

const chosen = (bytes: Uint8Array | string, name = "export.zip") =>
  new File([bytes as Uint8Array<ArrayBuffer>], name);

const messageOf = (error: unknown) => ({ refused: (error as Error).message });

let zips = 0;
async function onServer(zip: Buffer) {
  const path = join(folder, `${(zips += 1)}.zip`);
  await writeFile(path, zip);
  try {
    const opened = await openExportZip(path);
    return await readExportZip(opened).finally(() => opened.close());
  } catch (error) {
    return messageOf(error);
  }
}

/** As the server has it: without what only the device says. */
function withoutOwn(post: DevicePost) {
  const entries = Object.entries(post);
  return Object.fromEntries(entries.filter(([name]) => name !== "bytes" && name !== "problem"));
}

async function onDevice(...files: File[]) {
  try {
    const found = await readOnDevice(files, "UTC");
    if (found === "postcard") return found;
    const { kind, isPrivate, leftOut } = found;
    const posts = found.posts.map((post) => withoutOwn(post));
    return { kind, isPrivate, posts, leftOut };
  } catch (error) {
    return messageOf(error);
  }
}

async function read(...files: File[]) {
  const found = await readOnDevice(files);
  if (found === "postcard") throw new Error("an archive of ours");
  return found;
}

const at = Date.UTC(2020, 0, 1) / 1000;
const insta = (nth: number, fields: object = {}) => ({
  media: [
    {
      uri: `media/posts/202001/${nth}.jpg`,
      creation_timestamp: at + nth,
      title: "Caf\u00c3\u00a9",
    },
  ],
  ...fields,
});
const list = "your_instagram_activity/media/posts_1.json";
const exif = (taken: string) => Buffer.from(`\xff\xd8Exif\0\0${taken}\0rest`, "latin1");
const takeout = (seconds: number, fields: object = {}) =>
  JSON.stringify({ description: "Sea", photoTakenTime: { timestamp: `${seconds}` }, ...fields });
const note = (id: number, fields: object = {}) => ({
  type: "Create",
  actor: "https://m.example/users/ada",
  object: {
    id: `https://m.example/users/ada/statuses/${id}`,
    published: new Date((at + id) * 1000).toISOString(),
    to: ["https://www.w3.org/ns/activitystreams#Public"],
    content: "<p>Look &amp; <b>see</b></p>",
    ...fields,
  },
});
const many = Array.from({ length: 13 }, (_, nth) => insta(nth).media[0]);

/** One of every kind, and of every way in which it may be odd. */
const exportsOfAll: [what: string, files: Files][] = [
  [
    "Instagram",
    {
      [list]: JSON.stringify([insta(1), insta(2), insta(1), { media: many }, "no post"]),
      "media/posts/202001/1.jpg": "one",
      "media/posts/202001/2.jpg": "two",
      "your_instagram_activity/media/archived_posts.json": JSON.stringify({
        ig_archived_post_media: [insta(3)],
      }),
      "your_instagram_activity/media/stories.json": JSON.stringify({ ig_stories: [{}, {}] }),
      "personal_information/personal_information.json": JSON.stringify({
        profile_user: [{ string_map_data: { "Private Account": { value: "True" } } }],
      }),
      "your_instagram_activity/messages/inbox/eve_1/message_1.json": "not even JSON",
    },
  ],
  ["Instagram, one post", { "in/content/posts_1.json": JSON.stringify(insta(1)) }],
  [
    "Instagram before 2020",
    {
      "media.json": JSON.stringify({
        photos: [
          { caption: "Fr\u00c3\u00bcher", taken_at: "2018-12-31T08:05:13", path: "photos/a.jpg" },
          { caption: "Fr\u00c3\u00bcher", taken_at: "2018-12-31T08:05:13", path: "photos/b.jpg" },
        ],
        videos: [{}],
      }),
      "photos/a.jpg": "a",
    },
  ],
  ["Instagram in HTML", { "content/posts_1.html": "<html>" }],
  ["Instagram, a part without the list", { "media/posts/202001/1.jpg": "x" }],
  ["Instagram that is broken", { [list]: "[{" }],
  ["Instagram nested too deeply", { [list]: "[".repeat(100_000) }],
  ["Instagram of more values than any has", { [list]: `[${"{},".repeat(5_000_000)}{}]` }],
  ["a text that unpacks to far more", { [list]: `[${" ".repeat(60 * 1024 * 1024)}]` }],
  [
    "Mastodon",
    {
      "outbox.json": JSON.stringify({
        orderedItems: [
          note(1, { summary: "Careful", contentMap: { de: "" } }),
          note(2, { inReplyTo: "https://m.example/1" }),
          note(3, { to: ["https://m.example/users/eve"] }),
          note(4, { attachment: [{ url: "/media_attachments/files/1/ü.jpg", name: "A boat" }] }),
          { type: "Announce" },
        ],
      }),
      "media_attachments/files/1/ü.jpg": "boat",
    },
  ],
  [
    "Google Photos",
    {
      "Takeout/Google Photos/2019/a.jpg": "a",
      "Takeout/Google Photos/2019/a.jpg.supplemental-metadata.json": takeout(at),
      "Takeout/Google Photos/2019/b(1).jpg": exif("2018:07:01 10:20:30"),
      "Takeout/Google Photos/2019/b.jpg(1).json": JSON.stringify({ archived: true }),
      "Takeout/Google Photos/2019/c.jpg": "c",
      "Takeout/Google Photos/2019/c.jpg.json": takeout(at, { trashed: true }),
      "Takeout/Google Photos/2019/film.mp4": "film",
    },
  ],
  [
    "Flickr",
    {
      "sunset_12345678901_o.jpg": "a",
      "photo_12345678901.json": JSON.stringify({
        name: "Sunset",
        description: "<i>at sea</i>",
        date_taken: "2010-05-01 12:00:00",
        privacy: "public",
      }),
    },
  ],
  [
    "a folder",
    {
      "Holiday/one.jpg": exif("2018:07:01 10:20:30"),
      "Holiday/IMG_20190503_101500.jpg": "two",
      "Holiday/no day.jpg": "three",
      "__MACOSX/Holiday/._one.jpg": "fork",
    },
  ],
  ["nothing that we know", { "notes.txt": "words" }],
];

/** Its file's name is not in UTF-8, as its own header and the list say (APPNOTE 4.4.4). */
function withoutUtf8(zip: Buffer): void {
  for (const flags of [zip.indexOf("PK\x03\x04") + 6, zip.indexOf("PK\x01\x02") + 8])
    zip.writeUInt16LE(zip.readUInt16LE(flags) & ~0x800, flags);
}

/** A zip of one file with the extra field of its name in UTF-8 (APPNOTE 4.6.9). */
async function withUnicodePath(name: string, sum: number, path: string): Promise<Buffer> {
  const zip = await zipOf({ [name]: "x" }, false);
  withoutUtf8(zip);
  const [listed, end] = [zip.indexOf("PK\x01\x02"), zip.indexOf("PK\x05\x06")];
  const field = Buffer.alloc(9 + Buffer.byteLength(path));
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(field.length - 4, 2);
  field.writeUInt8(1, 4);
  field.writeUInt32LE(sum, 5);
  field.write(path, 9);
  zip.writeUInt16LE(zip.readUInt16LE(listed + 30) + field.length, listed + 30);
  return Buffer.concat([zip.subarray(0, end), field, zip.subarray(end)]);
}

describe("read on the device, an export gives the posts, keys and sentences that the server gives", () => {
  test.each(exportsOfAll)("%s", async (_what, files) => {
    for (const zip of [await zipOf(files), await zipOf(files, false)]) {
      const there = await onServer(zip);
      expect(await onDevice(chosen(zip))).toEqual(there);
    }
  });

  test.each([
    ["characters of old zips", Buffer.from([0x63, 0x61, 0x66, 0x82, 0x2e]), "café."],
    ["UTF-8 that it doesn't say", Buffer.from([0x63, 0x61, 0xc3, 0xa9, 0x2e]), "ca├⌐."],
  ])("also where a name is in %s", async (_what, bytes, name) => {
    const zip = await zipOf({ "caf_.20190503_101500.jpg": "x" });
    for (let from = zip.indexOf("caf_."); from !== -1; from = zip.indexOf("caf_.", from + 1))
      bytes.copy(zip, from);
    withoutUtf8(zip);
    const found = await onDevice(chosen(zip));
    expect(found).toEqual(await onServer(zip));
    expect(found).toMatchObject({
      posts: [{ pictures: [{ file: `${name}20190503_101500.jpg` }] }],
    });
  });

  test("also where a file says something else of itself than the list of the zip", async () => {
    const zip = await zipOf({ [list]: JSON.stringify([insta(1)]) });
    zip.writeUInt32LE(7, 14);
    zip.writeUInt32LE(7, 18);
    zip.writeUInt32LE(7, 22);
    expect(await onDevice(chosen(zip))).toEqual(await onServer(zip));
    expect(await onDevice(chosen(zip))).toMatchObject({ kind: "instagram" });
  });

  test.each([
    ["as Info-ZIP writes it", crc32OfNode("caf_20190503.jpg"), "café 20190503.jpg"],
    ["unless that is of another name", 7, "caf_20190503.jpg"],
  ])("also where its name in UTF-8 stands beside it, %s", async (_which, sum, file) => {
    const zip = await withUnicodePath("caf_20190503.jpg", sum, "café 20190503.jpg");
    const found = await onDevice(chosen(zip));
    expect(found).toEqual(await onServer(zip));
    expect(found).toMatchObject({ posts: [{ pictures: [{ file }] }] });
  });
});

/** A zip whose first listed file says something else (APPNOTE 4.3.12). */
async function changed(change: (zip: Buffer, listed: number) => void): Promise<Buffer> {
  const zip = await zipOf({ "aa/bb/20200101.jpg": "xyz", [list]: "[]" });
  change(zip, zip.indexOf("PK\x01\x02"));
  return zip;
}

/** Nothing but the list of so many files that nobody wants (APPNOTE 4.3.12, 4.3.14 to 4.3.16). */
function zipOfMany(count: number): Buffer {
  const listed = Buffer.alloc(47);
  listed.writeUInt32LE(0x02014b50, 0);
  listed.writeUInt16LE(1, 28);
  const bytes = BigInt(count * listed.length);
  const end = Buffer.alloc(98);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(bytes, 40);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(bytes, 64);
  end.writeUInt32LE(0x06054b50, 76);
  end.fill(0xff, 84, 96);
  return Buffer.concat([Buffer.alloc(count * listed.length, listed), end]);
}

describe("a zip that somebody made to do harm", () => {
  test.each<[what: string, make: () => Promise<Buffer> | Buffer]>([
    [
      "with a name that leads out of it",
      () => changed((zip, at) => zip.write("../../20200101.jpg", at + 46, "latin1")),
    ],
    ["with an absolute name", () => changed((zip, at) => zip.write("/", at + 46, "latin1"))],
    ["that is encrypted", () => changed((zip, at) => zip.writeUInt16LE(1, at + 8))],
    ["packed in another way", () => changed((zip, at) => zip.writeUInt16LE(14, at + 10))],
    ["with a link", () => changed((zip, at) => zip.writeUInt32LE(0o120777 * 0x10000, at + 38))],
    [
      "whose files overlap",
      () => changed((zip, at) => zip.writeUInt32LE(0, zip.indexOf("PK\x01\x02", at + 4) + 42)),
    ],
    [
      "whose list says a gigabyte",
      () =>
        changed((zip, at) => zip.writeUInt32LE(1024 ** 3, zip.indexOf("PK\x01\x02", at + 4) + 24)),
    ],
    ["that is cut", async () => (await zipOf({ [list]: "[]" })).subarray(0, -30)],
    ["that is empty", () => Buffer.alloc(0)],
    ["that is no zip", () => Buffer.from("words".repeat(100))],
  ])("%s is refused as on the server", async (_what, make) => {
    const zip = await make();
    const there = await onServer(zip);
    expect(there).toHaveProperty("refused");
    expect(await onDevice(chosen(zip))).toEqual(there);
  });

  // Where the server says that the zip is damaged, the device says which file is.
  test("that lists what is not there is refused when that is read", async () => {
    const zip = (await zipOf({ [list]: "[]" })).subarray(5);
    expect(await onServer(zip)).toEqual({ refused: "This zip file is damaged." });
    expect(await onDevice(chosen(zip))).toEqual({
      refused: `${list} in this archive is damaged and can't be read.`,
    });
  });

  // The server believes the number of files, the device counts them.
  test("of more files than an archive may have is refused", async () => {
    const refused = "This archive has more than 200000 files.";
    expect(await onDevice(chosen(zipOfMany(200_001)))).toEqual({ refused });
    expect(await onDevice(chosen(zipOfMany(3)))).not.toEqual({ refused });
  });

  test("whose photo unpacks to more than it says is refused when the photo is asked for", async () => {
    const zip = await zipOf({ "20200101.jpg": "x".repeat(10_000) });
    zip.writeUInt32LE(9, zip.indexOf("PK\x01\x02") + 24);
    const { photo } = await read(chosen(zip)).catch(() => ({ photo: null }));
    // Its day is looked for in its first bytes, which are too many as well.
    expect(photo).toBeNull();
  });

  test("whose photo is not what its checksum says is refused when the photo is asked for", async () => {
    const whole = Buffer.concat([exif("2018:07:01 10:20:30"), Buffer.alloc(2 * 1024 * 1024)]);
    for (const compress of [true, false]) {
      const zip = await zipOf({ "a.jpg": whole }, compress);
      const sum = zip.indexOf("PK\x01\x02") + 16;
      zip.writeUInt32LE(zip.readUInt32LE(sum) ^ 1, sum);
      // Its day is in its first bytes, for which the others are not read.
      const { posts, photo } = await read(chosen(zip));
      expect(posts).toMatchObject([{ time: Date.UTC(2018, 6, 1, 10, 20, 30), problem: null }]);
      await expect(photo("a.jpg")).rejects.toThrow("a.jpg in this archive is damaged");
    }
  });
});

describe("what is chosen", () => {
  const photos = { "IMG_20190503_101500.jpg": "one", "IMG_20190504_101500.jpg": "two" };

  test("has its photos, their bytes, and why a post cannot come", async () => {
    const files = {
      [list]: JSON.stringify([insta(1), insta(2), insta(3, { creation_timestamp: 1 })]),
      "media/posts/202001/1.jpg": "one",
      "media/posts/202001/3.jpg": "three",
    };
    for (const compress of [true, false]) {
      const { posts, photo } = await read(chosen(await zipOf(files, compress)));
      expect(posts.map(({ bytes, problem }) => [bytes, problem])).toEqual([
        [5, expect.stringContaining("January 1, 1970 was left out: media/posts/202001/3.jpg")],
        [3, null],
        [0, expect.stringContaining("a photo of it isn't in this file")],
      ]);
      expect(await (await photo("media/posts/202001/1.jpg")).text()).toBe("one");
    }
  });

  test("may be several parts: their files are one export, and no list is lost", async () => {
    const parts: Files[] = [
      { "media/posts/202001/1.jpg": "one", "start.html": "a" },
      { [list]: JSON.stringify([insta(1)]), "start.html": "b" },
      { [list]: JSON.stringify([insta(2)]), "media/posts/202001/2.jpg": "two" },
    ];
    const zips = await Promise.all(parts.map((part) => zipOf(part)));
    const { posts } = await read(...zips.map((zip, nth) => chosen(zip, `part-${nth}.zip`)));
    const whole = await zipOf({
      ...parts[0],
      ...parts[2],
      [list]: JSON.stringify([insta(1), insta(2)]),
    });
    expect(posts.map(({ key, problem }) => [key, problem])).toEqual(
      (await read(chosen(whole))).posts.map(({ key }) => [key, null]),
    );
  });

  test("may be photos, or a folder with other things in it: the same posts as from its zip", async () => {
    const files = Object.entries(photos).map(([name, text]) => chosen(text, name));
    const other = chosen("words", "notes.txt");
    Object.defineProperty(other, "webkitRelativePath", { value: "Holiday/notes.txt" });
    const found = await read(...files, other);
    expect(found.kind).toBe("folder");
    expect(found.posts).toHaveLength(2);
    expect(found.posts).toEqual((await read(chosen(await zipOf(photos)))).posts);
    expect(await (await found.photo("IMG_20190503_101500.jpg")).text()).toBe("one");
  });

  test("may be an archive of ours, which goes up as a whole", async () => {
    expect(await readOnDevice([chosen(await zipOf({ "postcard.json": "{}" }))])).toBe("postcard");
    expect(await onDevice(chosen("{}", "postcard.json"))).toHaveProperty("refused");
  });

  test("asks for the file again where it was moved meanwhile", async () => {
    const file = chosen(await zipOf({ [list]: JSON.stringify([insta(1)]) }));
    const piece = file.slice();
    piece.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotReadableError"));
    file.slice = () => piece;
    expect(await onDevice(file)).toEqual({ refused: expect.stringContaining("Choose it again") });
  });

  test("that is moved while photos are sent is about all of them", async () => {
    const file = chosen(await zipOf(photos));
    const { photo } = await read(file);
    file.slice = () => {
      throw new DOMException("gone", "NotFoundError");
    };
    const gone = await photo("IMG_20190503_101500.jpg").catch((error: unknown) => error);
    expect(gone).toMatchObject({ message: expect.stringContaining("can't be read any more") });
    expect(isAboutPost(gone)).toBe(false);
  });

  test("is refused with what to do where it is a tar.gz of Mastodon", async () => {
    expect(await onDevice(chosen(Buffer.from([0x1f, 0x8b, 8]), "archive.tar.gz"))).toEqual({
      refused: expect.stringContaining("Unpack it and make a zip file"),
    });
  });

  test("may have messages: none of their bytes are read", async () => {
    const zip = await zipOf(
      {
        [list]: JSON.stringify([insta(1)]),
        "messages/inbox/eve/message_1.json": "secret".repeat(999),
      },
      false,
    );
    const file = chosen(zip);
    const [from, until] = [zip.indexOf("secret"), zip.lastIndexOf("secret")];
    const slice = file.slice.bind(file);
    const touched: boolean[] = [];
    file.slice = (start = 0, end = file.size): ReturnType<typeof slice> => {
      // The end of the zip is looked for in the last 64 KB.
      if (end < file.size) touched.push(start < until && end > from);
      return slice(start, end);
    };
    await read(file);
    expect(touched.length).toBeGreaterThan(1);
    expect(touched).not.toContain(true);
  });
});

test.each(["", "a", "words and photos"])(
  "checksums are those of zips, in pieces too: %s",
  (text) => {
    const bytes = Buffer.from(text);
    expect(crc32(bytes)).toBe(crc32OfNode(bytes));
    expect(crc32(bytes.subarray(5), crc32(bytes.subarray(0, 5)))).toBe(crc32OfNode(bytes));
  },
);

test("photos have the same keys on a device in any time zone, and their days there", async () => {
  const folder = chosen(
    await zipOf({
      "Holiday/one.jpg": exif("2018:07:01 23:20:30"),
      "Holiday/IMG_20190503_101500.jpg": "named",
    }),
  );
  const inZone = async (zone: string) => {
    const found = await readOnDevice([folder], zone);
    return found === "postcard" ? [] : found.posts;
  };
  const [home, away] = [await inZone("UTC"), await inZone("Asia/Tokyo")];
  expect(away.map(({ key }) => key)).toEqual(home.map(({ key }) => key));
  expect(away.map(({ time }) => new Date(time).toISOString())).toEqual([
    "2018-07-01T14:20:30.000Z",
    "2019-05-03T01:15:00.000Z",
  ]);
});

const followed = (...names: string[]) =>
  JSON.stringify({
    relationships_following: names.map((name) => ({
      title: name,
      string_list_data: [{ href: `https://www.instagram.com/_u/${name}`, timestamp: 1 }],
    })),
  });

describe("whom an account followed", () => {
  const connections = "connections/followers_and_following";

  // As Instagram has it since 2022; the title and the value changed places.
  test("is read in an export of Instagram, and followers, contacts and requests are not", async () => {
    const { posts, followed: accounts } = await read(
      chosen(
        await zipOf({
          [list]: JSON.stringify([insta(1)]),
          "media/posts/202001/1.jpg": "one",
          [`${connections}/following.json`]: followed("ada", "bob", "ada"),
          [`${connections}/followers_1.json`]: followed("carl"),
          [`${connections}/pending_follow_requests.json`]: followed("dora"),
          "connections/contacts/synced_contacts.json": followed("eve"),
        }),
      ),
    );
    expect(posts).toHaveLength(1);
    expect(accounts).toEqual([
      "https://www.instagram.com/_u/ada",
      "https://www.instagram.com/_u/bob",
    ]);
  });

  test("may be all that an export has, of Mastodon and Pixelfed as well", async () => {
    const alone = await read(
      chosen(await zipOf({ [`${connections}/following.json`]: followed("ada") })),
    );
    expect(alone).toMatchObject({
      kind: "instagram",
      posts: [],
      followed: ["https://www.instagram.com/_u/ada"],
    });
    const table =
      "Account address,Show boosts,Notify on new posts,Languages\r\nada@m.example,true,false,\r\n\r\nno address,true\nbob@b.example,true,false,de";
    expect(await read(chosen(table, "following_accounts.csv"))).toMatchObject({
      kind: "mastodon",
      posts: [],
      followed: ["@ada@m.example", "@bob@b.example"],
    });
    const addresses = ["https://pixels.example/ada", 7, "https://m.example/@bob"];
    expect(await read(chosen(JSON.stringify(addresses), "pixelfed-following.json"))).toMatchObject({
      kind: "pixelfed",
      posts: [],
      followed: ["https://pixels.example/ada", "https://m.example/@bob"],
    });
  });

  test("is as many as anybody follows, and a damaged list stops no post", async () => {
    const names = Array.from({ length: limits.elsewhere.followed + 5 }, (_, nth) => `name${nth}`);
    const many = await read(
      chosen(await zipOf({ [`${connections}/following.json`]: followed(...names) })),
    );
    expect(many.followed).toHaveLength(limits.elsewhere.followed);
    const damaged = await read(
      chosen(
        await zipOf({
          [list]: JSON.stringify([insta(1)]),
          "media/posts/202001/1.jpg": "one",
          [`${connections}/following.json`]: '{"relationships_following": [{',
        }),
      ),
    );
    expect(damaged).toMatchObject({ followed: [], posts: [{ problem: null }] });
  });
});

test("a file of a folder that is gone or was changed is said to be, before anything of it is sent", async () => {
  const file = chosen(exif("2018:07:01 10:20:30"), "one.jpg");
  const found = await read(file);
  file.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotReadableError"));
  await expect(found.photo("one.jpg")).rejects.toMatchObject({ code: "file-gone" });
});
