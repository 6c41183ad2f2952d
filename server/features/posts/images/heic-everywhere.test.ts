import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { archiveFiles, archivesOf } from "#server/test/archives.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { heicOf } from "#server/test/heic.ts";
import { cornerColours, distance, quartersOf } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { sha256 } from "#server/test/traces.ts";
import { samplePhoto } from "#server/test/sample-photos.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features: on, call } = await testApp(db);
const archives = archivesOf(on);

/** A HEIC that lies on its side: three quarters of a turn anticlockwise make it upright. */
const heic = heicOf({ turns: 3 });
const upright = { width: 96, height: 128 };

async function somebody(): Promise<Viewer> {
  const [made] = await insertAccounts(db, 1);
  return made as Viewer;
}

async function chatBetween(): Promise<[Viewer, Viewer, string]> {
  const [ada, bea] = [await somebody(), await somebody()];
  await insertFollows(db, [ada], [bea]);
  await insertFollows(db, [bea], [ada]);
  return [ada, bea, `${ada.username}.${bea.username}`];
}

const formWith = (bytes: Buffer) => {
  const form = new FormData();
  form.set("image", new Blob([new Uint8Array(bytes)]), "IMG_0001.HEIC");
  return form;
};

async function avatarOf({ id }: Viewer) {
  const [row] = await query<{ key: string; width: number; height: number; media_type: string }>(
    db,
    `select i.key, i.width, i.height, i.media_type
     from accounts a join images i on i.account_id = a.id and i.id = a.avatar_image_id
     where a.id = $1`,
    [id],
  );
  if (!row) throw new Error("this account has no avatar");
  return row;
}

async function shown(key: string): Promise<Buffer> {
  const open = await on.store.open(key, upright.width);
  return buffer(open?.read() as never);
}

/** A WebP, upright, in the colours it was taken in. */
async function expectUpright(bytes: Buffer): Promise<void> {
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", ...upright });
  const { topLeft, topRight } = await quartersOf(bytes);
  expect(distance(topLeft, [...cornerColours.bottomLeft] as never)).toBeLessThan(6);
  expect(distance(topRight, [...cornerColours.topLeft] as never)).toBeLessThan(6);
}

test("a HEIC works as an avatar from the sign-up on", async () => {
  const path = join(on.folder, "sign-up");
  await writeFile(path, heic);
  const mediaType = "image/heic";
  const { viewer } = await on.identity.signUp.withPassword({
    email: "heic@example.org",
    password: "correct horse battery 9",
    firstName: "Ada",
    secondName: "Lovelace",
    picture: { path, bytes: heic.length, filename: "IMG_0001.HEIC", mediaType },
    client: { ip: "192.0.2.1", userAgent: "a test", cookieHeader: "" },
  });
  const avatar = await avatarOf(viewer);
  expect(avatar).toMatchObject({ ...upright, media_type: mediaType });
  await expectUpright(await shown(avatar.key));
});

test("a visitor's HEIC becomes the avatar of the account it is named for", async () => {
  const sent = await call(null, "POST", "/api/images", { payload: formWith(heic) });
  const { display_url: image } = sent.json().data;
  const person = { email: "heic.too@example.org", password: "correct horse battery 9" };
  const made = await call(null, "POST", "/api/users", { payload: { ...person, image } });
  expect(made.statusCode, made.body).toBeLessThan(300);
  const [row] = await query<Viewer>(db, "select * from accounts where email = $1", [person.email]);
  await expectUpright(await shown((await avatarOf(row as Viewer)).key));
});

test("a HEIC becomes the avatar of a profile", async () => {
  const ada = await somebody();
  const sent = await call(ada, "POST", "/api/images", { payload: formWith(heic) });
  const names = { firstName: "Ada", secondName: "Lovelace" };
  await on.profiles.edit(ada, { ...names, imageId: sent.json().data.id });
  await expectUpright(await shown((await avatarOf(ada)).key));
});

test("a HEIC reaches the other person in a conversation", async () => {
  const [ada, bea, chatId] = await chatBetween();
  const url = `/api/chats/${chatId}/photos`;
  const answer = await call(ada, "POST", url, { payload: formWith(heic) });
  expect(answer.statusCode, answer.body).toBe(201);
  const { conversationId, seq, picture } = answer.json();
  expect(picture).toMatchObject(upright);
  const open = await on.chat.openImage(bea, { conversationId, seq }, upright.width);
  await expectUpright(await buffer(open?.read() as never));
});

test("a HEIC is imported with an archive, its original byte for byte", async () => {
  const ada = await somebody();
  const file = "pictures/one.heic";
  const post = {
    id: "01920000-0000-7000-8000-000000000001",
    number: 1,
    time: Date.UTC(2024, 8, 17),
    caption: "from before",
    pictures: [{ file, sha256: sha256(heic), alt: "as it was" }],
  };
  const archive = await archives.zipOf(archiveFiles([post], { [file]: heic }));
  expect(await archives.imported(ada, archive)).toMatchObject({ state: "done", taken: 1 });
  const found = (await on.posts.get(ada, ada.username, 1)) as FeedPost;
  const [picture] = found.pictures;
  expect(picture).toMatchObject({ ...upright, alt: "as it was" });
  await expectUpright(await shown(picture?.key ?? ""));
  const original = await on.store.openOriginal(picture?.key ?? "");
  expect(sha256(await buffer(original?.read() as never))).toBe(sha256(heic));
});

const ofPhone = samplePhoto("phone.heic");

test.skipIf(!ofPhone)(
  "a photo from a phone reaches the other person in a conversation",
  async () => {
    const [ada, bea, chatId] = await chatBetween();
    const payload = formWith(await readFile(ofPhone));
    const answer = await call(ada, "POST", `/api/chats/${chatId}/photos`, { payload });
    const { conversationId, seq, picture } = answer.json();
    expect(picture).toMatchObject({ width: 3024, height: 4032 });
    const open = await on.chat.openImage(bea, { conversationId, seq }, 640);
    const { width, height } = await sharp(await buffer(open?.read() as never)).metadata();
    expect([width, height]).toEqual([640, 853]);
  },
);
