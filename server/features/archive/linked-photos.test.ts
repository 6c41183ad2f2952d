import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPhotoFetcher } from "#server/adapters/photo-fetcher/photo-fetcher.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { testApp } from "#server/test/app.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { deviceOf, type Device } from "#server/test/device-imports.ts";
import { scene } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { siteOfOthers, type SiteAnswer } from "#server/test/site.ts";
import { keysIn } from "#server/test/traces.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const app = await testApp(db, {}, { rateLimits: true });
const { features: on } = app;

const nothing = async () => undefined;
const jpeg = { "content-type": "image/jpeg" };
let photo: Buffer;
let ada: Viewer;
let device: Device;
let id: string;

beforeAll(async () => {
  photo = await (await scene(48, 32)).jpeg().toBuffer();
});

beforeEach(async () => {
  [ada] = (await insertAccounts(db, 1)) as [Viewer];
  device = deviceOf(app, ada, photo);
  id = await device.begin({ kind: "pixelfed" });
});

const key = `pixelfed:${"0".repeat(32)}`;
const time = Date.UTC(2019, 3, 4);
const linked = (urls: string[], more: object = {}) => {
  const pictures = urls.map((url) => ({ url, alt: "the sea" }));
  return { key, time, caption: "from there", pictures, ...more };
};
const leftOvers = async () => ({
  keys: await keysIn(on.store),
  files: (await readdir(join(on.folder, "tmp")).catch(() => [])).filter((name) =>
    name.endsWith(".fetched"),
  ),
});

describe("photos that an export has the addresses of", () => {
  test("are fetched, in their order with those that were sent, one at a time of a host", async () => {
    const { origin, asked, counts } = await siteOfOthers(async ({ url }, response) => {
      await after(20);
      if (url === "/moved") response.writeHead(302, { location: "/2.jpg" }).end();
      else response.writeHead(200, jpeg).end(photo);
    });
    const pictures = [
      { url: `${origin}/1.jpg`, alt: "first" },
      { imageId: await device.send(id), alt: "second" },
      { url: `${origin}/moved`, alt: "third" },
    ];
    expect(await device.post(id, { key, time, pictures })).toBe("taken");
    expect(asked).toEqual(["/1.jpg", "/moved", "/2.jpg"]);
    expect(counts.most).toBe(1);
    const [tile] = (await on.posts.photosOf(ada, ada.id, null)).items;
    const seen = await on.posts.get(ada, ada.username, tile!.number);
    expect(seen?.pictures.map(({ alt }) => alt)).toEqual(["first", "second", "third"]);
    expect(await device.post(id, { key, time, pictures })).toBe("taken");
    expect(asked).toHaveLength(3);
    expect((await leftOvers()).files).toEqual([]);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("take turns of their host also between members, and one post of each waits", async () => {
    const { origin, counts } = await siteOfOthers(async (_, response) => {
      await after(50);
      response.writeHead(200, jpeg).end(photo);
    });
    const [eve] = (await insertAccounts(db, 1)) as [Viewer];
    const hers = deviceOf(app, eve, photo);
    const theirs = await hers.begin({ kind: "pixelfed" });
    const outcomes = await Promise.all([
      device.post(id, linked([`${origin}/1`, `${origin}/2`])),
      hers.post(theirs, linked([`${origin}/3`])),
    ]);
    expect(outcomes).toEqual(["taken", "taken"]);
    expect(counts.most).toBe(1);
    const other = { key: key.replace("0", "1") };
    const two = await Promise.all([
      device.post(id, linked([`${origin}/4`], other)),
      device.post(id, linked([`${origin}/5`], { key: key.replace("0", "2") })),
    ]);
    expect(two.toSorted()).toEqual(["busy", "taken"]);
  });

  test.each<[string, string, SiteAnswer]>([
    [
      "nothing is there",
      "didn't answer with the photo",
      (_, response) => response.writeHead(404).end("none"),
    ],
    [
      "it is a page",
      "isn't a photo",
      (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    ],
    [
      "it only says that it is a photo",
      "We can't use this file",
      (_, response) => response.writeHead(200, jpeg).end("<svg/>"),
    ],
    [
      "it says that it is too large",
      "larger than 25 MB",
      (_, response) => response.writeHead(200, { ...jpeg, "content-length": 100_001 }).write("x"),
    ],
    [
      "it is too large",
      "larger than 25 MB",
      (_, response) => response.writeHead(200, jpeg).end(Buffer.alloc(200_000)),
    ],
    [
      "it never ends",
      "didn't answer with the photo",
      (_, response) => response.writeHead(200, jpeg).write("x"),
    ],
    [
      "it breaks off",
      "didn't answer with the photo",
      (_, response) => {
        response
          .writeHead(200, { ...jpeg, "content-length": photo.length })
          .write(photo.subarray(0, 100));
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      "it is empty",
      "didn't answer with the photo",
      (_, response) => response.writeHead(200, jpeg).end(),
    ],
    [
      "it goes round in circles",
      "didn't answer with the photo",
      ({ url }, response) => response.writeHead(302, { location: `${url}x` }).end(),
    ],
    [
      "it leads inside",
      "public https addresses",
      (_, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
    ],
    [
      "it leads to a file",
      "public https addresses",
      (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
    ],
  ])("leave their post out with a sentence where %s", async (_, why, answer) => {
    const good = await siteOfOthers((__, response) => response.writeHead(200, jpeg).end(photo));
    const { origin } = await siteOfOthers(answer);
    const before = await leftOvers();
    const refused = await device.answer(id, linked([`${good.origin}/1`, `${origin}/2`]));
    expect(refused.statusCode).toBe(422);
    const { message } = refused.json().error;
    expect(message).toMatch(/^The post of April 4, 2019 was left out: 127\.0\.0\.1:\d+: /);
    expect(message).toContain(why);
    expect(await leftOvers()).toEqual(before);
    expect(await query(db, "select id from posts where author_id = $1", [ada.id])).toEqual([]);
    expect(await query(db, "select id from images where account_id = $1", [ada.id])).toEqual([]);
  });

  test("are discarded where the import ends meanwhile, or the post is there by then", async () => {
    let meanwhile: () => Promise<unknown> = nothing;
    const { origin } = await siteOfOthers(async (_, response) => {
      await meanwhile();
      response.writeHead(200, jpeg).end(photo);
    });
    const before = await leftOvers();
    meanwhile = () => device.post(id, { key, time, caption: "was quicker" });
    expect(await device.post(id, linked([origin]))).toBe("taken");
    expect(await leftOvers()).toEqual(before);
    meanwhile = () => device.end(id, {});
    const other = linked([origin], { key: key.replace("0", "1") });
    expect(await device.post(id, other)).toBe("import-ended");
    expect(await leftOvers()).toEqual(before);
    expect(await query(db, "select id from images where account_id = $1", [ada.id])).toEqual([]);
    expect(await on.imports.latest(ada)).toMatchObject({ taken: 1 });
  });

  test("count as photos and as bytes of a day, whatever came of them, and as storage", async () => {
    const { origin, asked } = await siteOfOthers((_, response) =>
      response.writeHead(200, jpeg).end(photo),
    );
    await query(db, "delete from rate_limits");
    await device.post(id, linked([origin]));
    const points = (kind: string) =>
      query(db, "select points from rate_limits where key like $1", [`writes-${kind}:%`]);
    expect(await points("importUploads")).toEqual([{ points: 1 }]);
    expect(await points("fetchedMegabytes")).toEqual([{ points: 1 }]);
    const other = linked([origin], { key: key.replace("0", "1") });
    await query(db, "update rate_limits set points = $1 where key like 'writes-fetched%'", [
      limits.writes.fetchedMegabytes.newcomer,
    ]);
    expect(await device.post(id, other)).toBe("too-many-writes");
    await query(db, "update rate_limits set points = $1 where key like 'writes-importUploads%'", [
      limits.writes.importUploads.newcomer,
    ]);
    const before = asked.length;
    expect(await device.post(id, other)).toBe("too-many-writes");
    expect(asked).toHaveLength(before);
    await query(db, "delete from rate_limits");
    await on.storage.setQuota(ada.id, 10);
    expect(await device.post(id, other)).toBe("storage-full");
    expect(await on.imports.latest(ada)).toMatchObject({ taken: 1 });
  });
});

describe("an address that is not public", () => {
  test.each([
    "http://example.org/a.jpg",
    "https://example.org:8443/a.jpg",
    "https://127.0.0.1/a.jpg",
    "https://[::1]/a.jpg",
    "https://[::ffff:10.0.0.1]/a.jpg",
    "https://10.1.2.3/a.jpg",
    "https://169.254.169.254/latest/meta-data/",
    "https://2130706433/a.jpg",
    "https://0x7f.1/a.jpg",
    "https://localhost/a.jpg",
    "https://me:secret@example.org/a.jpg",
    "ftp://example.org/a.jpg",
    "file:///etc/passwd",
    "data:image/png;base64,AAAA",
    "",
    `https://example.org/${"a".repeat(2000)}`,
  ])("is not asked for: %s", async (address) => {
    const strict = createPhotoFetcher({ publicUrl: "https://photos.example.org", most: 1000 });
    const path = join(on.folder, "never");
    const { signal } = new AbortController();
    expect(await strict.fetch(address, path, signal)).toEqual({ bytes: 0, problem: "address" });
  });

  test("is not connected to, whatever its name says", async () => {
    const { asked } = await siteOfOthers((_, response) => response.writeHead(200, jpeg).end(photo));
    const strict = createPhotoFetcher({ publicUrl: "https://photos.example.org", most: 1000 });
    const { signal } = new AbortController();
    // Resolves to 127.0.0.1 on every machine, and has a dot.
    const address = "https://localhost.localdomain/a.jpg";
    const fetched = await strict.fetch(address, join(on.folder, "never"), signal);
    expect(fetched).toEqual({ bytes: 0, problem: "answer" });
    expect(asked).toEqual([]);
  });
});
