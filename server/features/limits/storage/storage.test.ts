import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { testApp } from "#server/test/app.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { imageForm } from "#server/test/image-form.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features: on, call } = await testApp(db);
const { bytes: photoBytes, path } = await on.photo();
const full = { code: "storage-full", status: 413 };

async function somebody(room?: number): Promise<Viewer> {
  const [made] = (await insertAccounts(db, 1)) as [Viewer];
  if (room !== undefined) await on.storage.setQuota(made.id, room);
  return made;
}

const used = async ({ id }: Viewer) => (await on.storage.read(id)).bytes;

describe("the storage that a member's photos use", () => {
  test("is counted when they are added and removed, whatever kind of image they are", async () => {
    const [one, two] = [await somebody(), await somebody()];
    await insertFollows(db, [one], [two]);
    await insertFollows(db, [two], [one]);
    const post = await on.photoPost(one, "three", ["", "", ""]);
    expect(await used(one)).toBe(3 * photoBytes);
    const chatId = `${one.username}.${two.username}`;
    const picture = await on.photo();
    const sent = await on.chat.send(one, chatId, { body: "", picture, clientKey: null });
    expect([await used(one), await used(two)]).toEqual([4 * photoBytes, 0]);
    await on.chat.removeMessage(one, sent.conversationId, sent.seq);
    expect(await used(one)).toBe(3 * photoBytes);
    await on.posts.remove(one, one.username, post.number);
    expect(await used(one)).toBe(0);
    await on.upload(one);
    await on.images.sweep(new Date(Date.now() + 2 * 60 * 60 * 1000));
    expect(await used(one)).toBe(0);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("is verified like other counters", async () => {
    const member = await somebody();
    await on.upload(member);
    await query(db, "update account_storage set bytes = bytes + 7 where account_id = $1", [
      member.id,
    ]);
    expect(await reconcileCounters(db)).toEqual([
      {
        counter: "account_storage.bytes",
        id: member.id,
        stored: photoBytes + 7,
        counted: photoBytes,
      },
    ]);
    await query(db, "delete from accounts where id = $1", [member.id]);
    expect(
      await query(db, "select 1 from account_storage where account_id = $1", [member.id]),
    ).toEqual([]);
  });
});

describe("a member whose storage is full", () => {
  test("keeps existing posts, can write text, and gets an error when uploading a photo", async () => {
    const member = await somebody();
    const post = await on.photoPost(member);
    await on.storage.setQuota(member.id, photoBytes);
    const answer = await call(member, "POST", "/api/images", {
      payload: await imageForm(),
    });
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      {
        error: {
          code: "storage-full",
          message: expect.stringMatching(/^Your storage is full: you can use /),
          requestId: expect.any(String),
        },
      },
    ]);
    expect(await on.posts.get(member, member.username, post.number)).not.toBeNull();
    await on.textPost(member);
    await on.posts.remove(member, member.username, post.number);
    await on.upload(member);
  });

  test("is refused without the work of reading the image", async () => {
    const member = await somebody(0);
    const none = join(on.folder, "no-image");
    await writeFile(none, randomBytes(100));
    await expect(on.images.upload(member, { path: none })).rejects.toMatchObject(full);
  });

  test("cannot exceed the quota with many uploads at once", async () => {
    const member = await somebody(3 * photoBytes);
    const ended = await Promise.allSettled(Array.from({ length: 8 }, () => on.upload(member)));
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await used(member)).toBe(3 * photoBytes);
    for (const end of ended) if (end.status === "rejected") expect(end.reason).toMatchObject(full);
  });

  test("cannot send a photo in a message or claim a visitor's upload either", async () => {
    const [one, two] = [await somebody(photoBytes - 1), await somebody()];
    await insertFollows(db, [one], [two]);
    await insertFollows(db, [two], [one]);
    const picture = await on.photo();
    const chatId = `${one.username}.${two.username}`;
    const message = on.chat.send(one, chatId, { body: "look", picture, clientKey: null });
    await expect(message).rejects.toMatchObject(full);
    await on.chat.send(one, chatId, { body: "words", picture: null, clientKey: null });
    const { address } = await on.visitorUploads.receive({ path }, { ip: "192.0.2.7", token: null });
    await expect(on.visitorUploads.resolveAddress(one, address)).rejects.toMatchObject(full);
    expect(await used(one)).toBe(0);
  });
});

describe("how much a member may use", () => {
  test("is the operator's number for everybody, or the member's own quota", async () => {
    const member = await somebody();
    expect(await on.storage.of(member)).toEqual({ bytes: 0, quota: limits.storage.perMember });
    await on.operatorSettings.set("storage-per-member", "2.5 GB");
    expect(await on.storage.of(member)).toEqual({ bytes: 0, quota: 2_500_000_000 });
    await on.storage.setQuota(member.id, 50_000_000_000);
    expect(await on.storage.of(member)).toEqual({ bytes: 0, quota: 50_000_000_000 });
    await on.operatorSettings.set("storage-per-member", "unlimited");
    expect(await on.storage.of(await somebody())).toEqual({ bytes: 0, quota: null });
    expect(await on.storage.of(member)).toMatchObject({ quota: 50_000_000_000 });
    await on.storage.setQuota(member.id, null);
    expect(await on.storage.of(member)).toEqual({ bytes: 0, quota: null });
    await on.operatorSettings.set("storage-per-member", "10 GB");
    await on.storage.setQuota(member.id, "unlimited");
    expect(await on.storage.of(member)).toEqual({ bytes: 0, quota: null });
  });
});

describe("newcomers, all together,", async () => {
  const { db: town } = await freshDatabase();
  const { reserve } = limits.uploads;
  /** the total size of the disk; the free part is what newcomers have not used */
  let disk = 0;
  const freeBytes = async () => disk - (await together());
  const servers = [1, 2].map(() => testFeatures(town, { freeBytes }));
  const [one, other] = servers as [TestFeatures, TestFeatures];
  const { bytes: size } = await one.photo();
  const weekAgo = Date.now() - 9 * 24 * 60 * 60 * 1000;
  const newcomer = async () => (await insertAccounts(town, 1))[0] as Viewer;
  const together = async () =>
    Number(
      (
        await query<{ n: string }>(
          town,
          "select coalesce(sum(bytes), 0) as n from newcomers_storage",
        )
      )[0]?.n,
    );
  /** Sized so that newcomers may store `pictures` more than they have now. */
  const roomFor = async (pictures: number) => {
    const { share } = limits.storage.newcomers;
    disk = reserve + ((await together()) + pictures * size) / share;
  };

  test("fill no more than their share, while older members continue", async () => {
    await roomFor(2);
    await one.upload(await newcomer());
    await other.upload(await newcomer());
    const late = one.upload(await newcomer());
    await expect(late).rejects.toMatchObject({
      code: "newcomers-full",
      retryAfter: 3600,
      message: expect.stringMatching(/^New accounts are adding a lot of pictures right now/),
    });
    await expect(one.resumableUploads.begin(await newcomer(), size)).rejects.toMatchObject({
      code: "newcomers-full",
    });
    const [old] = (await insertAccounts(town, 1, undefined, weekAgo)) as [Viewer];
    await one.upload(old);
    expect(await together()).toBe(2 * size);
    await roomFor(1);
    await one.upload(await newcomer());
  });

  test("get no further with many at once on two servers", async () => {
    await roomFor(3);
    const people = await insertAccounts(town, 12);
    const ended = await Promise.allSettled(
      people.map((each, index) => (index % 2 ? one : other).upload(each)),
    );
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const end of ended) {
      if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "newcomers-full" });
    }
  });

  test("reserve space for uploads in progress, and free the space of what is deleted", async () => {
    const before = await together();
    await roomFor(10);
    const member = await newcomer();
    const begun = await one.resumableUploads.begin(member, size);
    expect(await together()).toBe(before + size);
    await one.resumableUploads.remove(member, begun);
    expect(await together()).toBe(before);
    await one.upload(member);
    expect(await together()).toBe(before + size);
    await query(town, "delete from accounts where id = $1", [member.id]);
    expect(await together()).toBe(before);
  });

  test("are read in one row a day, however many there are", async () => {
    const rows = await query(town, "select 1 from newcomers_storage");
    expect(rows.length).toBeLessThanOrEqual(2);
  });
});
