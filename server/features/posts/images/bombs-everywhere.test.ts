import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countDecodes } from "#server/features/posts/images/decode-queue.ts";
import { testApp } from "#server/test/app.ts";
import { archiveFiles, archivesOf } from "#server/test/archives.ts";
import { avifTile, gifOf, gridOf, heicTile, jpegOfScans, webpOf } from "#server/test/bombs.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { bombPng, plain } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { sha256 } from "#server/test/traces.ts";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features: on, call } = await testApp(db);
const archives = archivesOf(on);

const scans = jpegOfScans({ width: 7000, height: 7000, scans: 2600 });
const tiles = { rows: 15, columns: 16, width: 64, height: 48 };
const { mostFrames } = limits.moving;
const worst: Record<string, [bytes: Buffer, code: string]> = {
  jpeg: [scans, "picture-too-complex"],
  png: [bombPng(20_000, 20_000), "picture-too-large"],
  gif: [gifOf({ screen: 1, frame: 5000, frames: mostFrames + 1 }), "picture-too-large"],
  webp: [await webpOf(mostFrames), "picture-too-large"],
  avif: [gridOf(await avifTile(2048), tiles), "picture-too-complex"],
  heic: [gridOf(heicTile, tiles), "picture-too-complex"],
};
const small = await plain(64, 48, [200, 40, 40]).png().toBuffer();

const formWith = (bytes: Buffer) => {
  const form = new FormData();
  form.set("image", new Blob([new Uint8Array(bytes)]), "a.jpg");
  return form;
};
const send = (viewer: Viewer | null, bytes: Buffer) =>
  call(viewer, "POST", "/api/images", { payload: formWith(bytes) });

test("two members send the worst of each format: a third one signs up with an avatar and posts a photo", async () => {
  const [ana, bea] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
  const bombs = [ana, bea].flatMap((one) =>
    Object.entries(worst).map(async ([type, [bytes, code]]) => {
      const { statusCode, body } = await send(one, bytes);
      return { type, statusCode, said: body.includes(code) ? code : body };
    }),
  );
  const path = join(on.folder, "sign-up");
  await writeFile(path, small);
  const { viewer } = await on.identity.signUp.withPassword({
    email: "third@example.org",
    password: "correct horse battery 9",
    firstName: "Cid",
    secondName: "Third",
    picture: { path, bytes: small.length, filename: "a.png", mediaType: "image/png" },
    client: { ip: "192.0.2.1", userAgent: "a test", cookieHeader: "" },
  });
  expect((await send(viewer, small)).statusCode).toBeLessThan(300);
  const expected = Object.entries(worst).map(([type, [, said]]) => ({
    type,
    statusCode: 422,
    said,
  }));
  expect(await Promise.all(bombs)).toEqual([...expected, ...expected]);
  expect(countDecodes()).toEqual({ running: 0, waiting: 0 });
});

test("images from visitors, messages and archives pass the same checks, and text still works", async () => {
  const [ada, bea] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
  const visitors = await send(null, scans);
  expect([visitors.statusCode, visitors.body]).toEqual([422, expect.stringContaining("30 scans")]);

  await insertFollows(db, [ada], [bea]);
  await insertFollows(db, [bea], [ada]);
  const chat = `/api/chats/${ada.username}.${bea.username}/photos`;
  const photo = await call(ada, "POST", chat, { payload: formWith(scans) });
  expect([photo.statusCode, photo.body]).toEqual([422, expect.stringContaining("30 scans")]);

  const file = "pictures/one.jpg";
  const post = {
    id: "01920000-0000-7000-8000-000000000001",
    number: 1,
    time: Date.UTC(2024, 8, 17),
    caption: "words of before",
    pictures: [{ file, sha256: sha256(scans), alt: "" }],
  };
  const archive = await archives.zipOf(archiveFiles([post], { [file]: scans }));
  await archives.imported(ada, archive);
  const kept = await query<{ images: number }>(
    db,
    "select count(*)::int as images from images where account_id = $1 and width = 7000",
    [ada.id],
  );
  expect(kept).toEqual([{ images: 0 }]);
  await on.posts.publish(ada, { caption: "words", pictures: [], timeZone: "UTC", clientKey: null });
  expect((await on.posts.get(ada, ada.username, 1)) as FeedPost).toBeTruthy();
});
