import { randomUUIDv7 } from "node:crypto";
import { readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import type { NewImage } from "#server/features/posts/images/images.queries.ts";
import {
  checkImages,
  type Fault,
  type CheckPosition,
} from "#server/features/administration/check-images.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures } from "#server/test/factories.ts";
import { imagesOnDisk } from "#server/test/image-stores.ts";
import { chatIdOf } from "#shared/chat.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const on = testFeatures(db);
let ada: Viewer;
let bob: Viewer;
beforeAll(async () => {
  ada = await on.member("Ada");
  bob = await on.member("Bob");
  await on.follows.follow(ada, bob.id);
  await on.follows.follow(bob, ada.id);
});

async function check(from: CheckPosition | null = null) {
  const faults: Fault[] = [];
  const places: CheckPosition[] = [];
  const checked = await checkImages(
    on,
    {
      onFault: (fault) => void faults.push(fault),
      onProgress: (_checked, place) => void places.push(place),
    },
    from,
  );
  return { checked, faults, places };
}

const fileOf = (area: string, key: string, file = "") =>
  join(on.folder, area, key.slice(0, 2), key, file);

const sorted = (list: Fault[]) => list.map((each) => JSON.stringify(each)).toSorted();

async function picture(): Promise<string> {
  const { picture: made } = await on.images.upload(ada, await on.photo());
  return made.key;
}

test("an image that is as it was stored is no fault", async () => {
  await on.photoPost(ada);
  const { checked, faults } = await check();
  expect(faults).toEqual([]);
  expect(checked).toBe((await db.query(sql`select from images`)).length);
});

test.skipIf(!imagesOnDisk())(
  "finds what is missing, cut, altered, or named by nobody, each with its file",
  async () => {
    const [missing, cut, altered, gone] = [
      await picture(),
      await picture(),
      await picture(),
      await picture(),
    ];
    rmSync(fileOf("images", missing, "96.webp"));
    truncateSync(fileOf("images", cut, "96.webp"), 40);
    truncateSync(fileOf("originals", cut), 100);
    const bytes = readFileSync(fileOf("originals", altered));
    bytes[bytes.length - 10]! ^= 1;
    writeFileSync(fileOf("originals", altered), bytes);
    rmSync(fileOf("images", gone), { recursive: true });
    rmSync(fileOf("originals", gone));

    const orphan = await on.images.receive(await on.photo(), ada.id);
    const young = await on.images.receive(await on.photo(), ada.id);
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const area of ["images", "originals"]) utimesSync(fileOf(area, orphan.key), old, old);

    const at = { area: "public" } as const;
    const { faults } = await check();
    expect(sorted(faults)).toEqual(
      sorted([
        { fault: "missing", ...at, key: missing, file: "96.webp" },
        { fault: "cut", ...at, key: cut, file: "96.webp" },
        { fault: "cut", ...at, key: cut, file: "original" },
        { fault: "altered", ...at, key: altered, file: "original" },
        { fault: "missing", ...at, key: gone, file: "96.webp" },
        { fault: "missing", ...at, key: gone, file: "original" },
        { fault: "orphan", ...at, key: orphan.key, file: null },
      ]),
    );
    expect(faults.map(({ key }) => key)).not.toContain(young.key);
    await on.images.removeFiles([orphan.key, young.key]);
    await db.query(sql`delete from images where claimed_at is null`);
  },
);

test.skipIf(!imagesOnDisk())("checks the images of messages where they are stored", async () => {
  const words = { body: "", picture: await on.photo(), clientKey: null };
  await on.chat.send(ada, chatIdOf(ada, bob), words);
  expect((await check()).faults).toEqual([]);
  const [picture] = await db.query<{ key: string }>(sql`select key from message_pictures`);
  const key = picture!.key;
  truncateSync(fileOf("private/originals", key), 100);
  expect((await check()).faults).toEqual([
    { fault: "cut", area: "private", key, file: "original" },
  ]);
});

test("continues where it was interrupted, and holds one page at a time", async () => {
  const [template] = await db.query<NewImage>(sql`select * from images limit 1`);
  const rows = Array.from({ length: 450 }, (_, n) => ({
    ...template!,
    id: randomUUIDv7(),
    claimed_at: new Date(),
    key: `f${n.toString(16).padStart(31, "0")}`,
  }));
  for (const row of rows) await db.query(sql`insert into images ${sql.row(row)}`);
  const whole = await check();
  expect(whole.places.filter(({ table }) => table === "images").length).toBeGreaterThan(2);
  const first = whole.places[0]!;
  const rest = await check(first);
  expect(rest.checked).toBe(whole.checked - 200);
  const behind = (fault: Fault) => fault.area === "private" || fault.key > first.key;
  expect(rest.faults).toEqual(whole.faults.filter(behind));
});
