import { Readable } from "node:stream";
import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { checkImages, type Fault } from "#server/features/administration/index.ts";
import { testApp } from "#server/test/app.ts";
import { archivesOf } from "#server/test/archives.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, testSecrets, type MadePost } from "#server/test/factories.ts";
import { keysIn } from "#server/test/traces.ts";
import { imageUrl } from "#shared/image-urls.ts";
import type { Audience } from "#shared/posts.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const secrets = testSecrets();
const { call, features: on } = await testApp(db, {}, { secrets });
const ada = await on.member("Ada");
const fan = await on.member("Fan");
await on.follows.follow(fan, ada.id);
let post: MadePost;
let old: string[];

beforeEach(async () => {
  post = await on.photoPost(ada, "a secret", ["one", "two"]);
  old = await keysOf(post);
});

async function keysOf({ authorId, postId }: MadePost): Promise<string[]> {
  const rows = await db.query<{ key: string }>(sql`
    select i.key from post_pictures pp join images i on i.account_id = pp.author_id and i.id = pp.image_id
    where pp.author_id = ${authorId} and pp.post_id = ${postId} order by pp.position
  `);
  return rows.map(({ key }) => key);
}

async function versionOf({ number }: MadePost): Promise<number> {
  return (await on.posts.get(ada, ada.username, number))!.version;
}

const change = async (audience: Audience) =>
  on.posts.edit(ada, ada.username, post.number, { version: await versionOf(post), audience });

const work = (features = on) => features.jobs.runDue({ later: true });
const statuses = (by: Viewer | null, keys: readonly string[]) =>
  Promise.all(keys.map(async (key) => (await call(by, "GET", imageUrl(key, 96))).statusCode));

const again = (keys = old) => on.jobs.add("new-picture-keys", { keys });

async function faults(): Promise<Fault[]> {
  const found: Fault[] = [];
  await checkImages(on, { onFault: (fault) => void found.push(fault) });
  return found;
}

describe("a post that is narrowed", () => {
  test("is refused to others at once, and its old addresses lead nowhere once the job ran", async () => {
    const original = await on.store.openOriginal(old[0] ?? "");
    const bytes = original!.bytes;
    await original!.close();
    expect(await statuses(null, old)).toEqual([200, 200]);
    await change("followers");
    expect(await statuses(null, old)).toEqual([404, 404]);
    expect(await statuses(fan, old)).toEqual([200, 200]);
    expect((await work()).failed).toEqual([]);
    const keys = await keysOf(post);
    expect(keys.filter((key) => old.includes(key))).toEqual([]);
    for (const by of [null, fan, ada]) expect(await statuses(by, old)).toEqual([404, 404]);
    expect(await statuses(fan, keys)).toEqual([200, 200]);
    expect(await statuses(null, keys)).toEqual([404, 404]);
    const stored = await keysIn(on.store);
    expect(stored.filter((key) => old.includes(key))).toEqual([]);
    const copy = await on.store.openOriginal(keys[0]!);
    expect(copy?.bytes).toBe(bytes);
    await copy?.close();
    expect(await faults()).toEqual([]);
  });

  test("takes its other variants along, whichever were made by then", async () => {
    await on.jobs.runDue();
    const [key = ""] = old;
    const webp = await call(null, "GET", imageUrl(key, 96));
    await on.store.add(key, { width: 96, type: "moving", bytes: webp.rawPayload });
    await db.query(sql`update images set moving_width = 96, frames = 2 where key = ${key}`);
    await change("close-friends");
    await work();
    const [now = ""] = await keysOf(post);
    const moving = await call(ada, "GET", `/images/${now}/moving.webp`);
    expect([moving.statusCode, moving.rawPayload]).toEqual([200, webp.rawPayload]);
    const { avif, before } = (await db.first<{ avif: number[]; before: string }>(
      sql`select avif_widths as avif, former_key as before from images where key = ${now}`,
    ))!;
    expect(before).toBe(key);
    for (const width of avif) {
      const found = await on.store.open(now, width, "avif");
      expect(found).not.toBeNull();
      await found?.close();
    }
    expect(await faults()).toEqual([]);
  });

  test("while a photo of it is being downloaded ends no download, and begins no other", async () => {
    const [key = ""] = old;
    const whole = await call(null, "GET", imageUrl(key, 96));
    const real = on.store.open;
    const [begun, narrowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    on.store.open = async (...file) => {
      const found = await real(...file);
      if (!found) return null;
      return { ...found, read: () => Readable.from(slowly(found.read())) };
    };
    async function* slowly(bytes: AsyncIterable<Buffer>) {
      for await (const chunk of bytes) {
        yield chunk.subarray(0, 10);
        begun.resolve();
        await narrowed.promise;
        yield chunk.subarray(10);
      }
    }
    const downloading = call(null, "GET", imageUrl(key, 96));
    await begun.promise;
    on.store.open = real;
    await change("followers");
    expect((await work()).failed).toEqual([]);
    narrowed.resolve();
    const { statusCode, rawPayload } = await downloading;
    expect([statusCode, rawPayload]).toEqual([200, whole.rawPayload]);
    const headers = { "if-none-match": String(whole.headers["etag"]) };
    for (const one of [key, ...(await keysOf(post))]) {
      const again = await call(null, "GET", imageUrl(one, 96), { headers });
      expect(again.statusCode).toBe(404);
    }
  });

  test("keeps its keys where it was narrow from the start, or narrow already", async () => {
    const pictures = [{ imageId: await on.upload(ada), alt: "" }];
    post = await on.publish(ada, { pictures, audience: "followers" });
    old = await keysOf(post);
    await change("only-me");
    await work();
    expect(await keysOf(post)).toEqual(old);
  });

  test("keeps them, and plain addresses, where it was widened before the job ran", async () => {
    await change("followers");
    await change("everyone");
    await work();
    expect(await keysOf(post)).toEqual(old);
    expect(await statuses(null, old)).toEqual([200, 200]);
    const [image] = (await on.posts.get(fan, ada.username, post.number))!.pictures;
    expect(image!.gated).toBe(false);
  });

  test("that is widened later has plain addresses, which nobody knew before", async () => {
    await change("followers");
    await work();
    const keys = await keysOf(post);
    await change("everyone");
    await work();
    expect(await keysOf(post)).toEqual(keys);
    const answer = await call(null, "GET", imageUrl(keys[0]!, 96));
    expect(answer.headers["cache-control"]).toContain("public");
  });

  test("can be edited by who opened the editor before the job ran", async () => {
    await change("followers");
    const version = await versionOf(post);
    await work();
    const [first = "", second = ""] = old;
    const pictures = [{ key: second }, { key: first, alt: "now said" }];
    await on.posts.edit(ada, ada.username, post.number, { version, pictures });
    const { pictures: now } = (await on.posts.get(ada, ada.username, post.number))!;
    expect(now.map(({ alt }) => alt)).toEqual(["two", "now said"]);
  });

  test("that is deleted leaves nothing, before the job and after it", async () => {
    for (const early of [true, false]) {
      post = await on.photoPost(ada);
      old = await keysOf(post);
      await change("only-me");
      if (!early) await work();
      const all = new Set([...old, ...(await keysOf(post))]);
      await on.posts.remove(ada, ada.username, post.number);
      await work();
      expect((await keysIn(on.store)).filter((key) => all.has(key))).toEqual([]);
    }
  });

  test("is in its author's archive, with its photos", async () => {
    await change("only-me");
    await work();
    const archive = await archivesOf(on).exported(ada);
    const heir = await on.member("Heir");
    await archivesOf(on).imported(heir, archive);
    const photos = await db.query(sql`
      select from post_pictures pp join posts p on p.author_id = pp.author_id and p.id = pp.post_id
      where p.author_id = ${heir.id} and p.audience = 'only-me' and p.caption = 'a secret'
    `);
    expect(photos).toHaveLength(2);
  });
});

test("a private account copies nothing: what it posted is refused, and everybody's again when it opens", async () => {
  const shut = await on.member("Shut");
  await on.follows.follow(fan, shut.id);
  post = await on.photoPost(shut);
  old = await keysOf(post);
  const set = (at: Date | null) =>
    db.query(sql`update accounts set private_at = ${at} where id = ${shut.id}`);
  await set(new Date());
  await work();
  expect(await keysOf(post)).toEqual(old);
  expect([await statuses(null, old), await statuses(fan, old)]).toEqual([[404], [200]]);
  await set(null);
  expect(await statuses(null, old)).toEqual([200]);
});

/** As if the process had died there: nothing after it ran. */
async function killedIn(name: "put" | "remove", when: "before" | "after"): Promise<void> {
  const real = on.store[name];
  const dying = async (...given: unknown[]) => {
    if (when === "after") await (real as (...all: unknown[]) => Promise<unknown>)(...given);
    throw new Error("killed");
  };
  Object.assign(on.store, { [name]: dying });
  try {
    expect((await work()).failed).not.toEqual([]);
  } finally {
    Object.assign(on.store, { [name]: real });
  }
}

describe("a job that was killed", () => {
  test.each([
    ["before its copy", "put", "before"],
    ["after its copy", "put", "after"],
    ["before the old files were removed", "remove", "before"],
    ["after they were", "remove", "after"],
  ] as const)(
    "%s is refused to others, shown to who may, and done by the next run",
    async (_at, name, when) => {
      await change("followers");
      await killedIn(name, when);
      const between = await keysOf(post);
      expect(await statuses(null, [...old, ...between])).toEqual([404, 404, 404, 404]);
      expect(await statuses(fan, between)).toEqual([200, 200]);
      await again();
      expect((await work()).failed).toEqual([]);
      const keys = await keysOf(post);
      expect(keys.filter((key) => old.includes(key))).toEqual([]);
      expect(await statuses(fan, keys)).toEqual([200, 200]);
      await on.images.sweep(new Date(Date.now() + 2 * 60 * 60 * 1000));
      const named = await db.query<{ key: string }>(sql`select key from images`);
      expect((await keysIn(on.store)).toSorted()).toEqual(named.map(({ key }) => key).toSorted());
      expect(await faults()).toEqual([]);
    },
  );

  test("twice at once, on two servers, leaves one photo whole", async () => {
    const other = testFeatures(db, { folder: on.folder, secrets });
    await change("followers");
    await again();
    const done = await Promise.all([work(), work(other)]);
    expect(done.flatMap(({ failed }) => failed)).toEqual([]);
    await work();
    const keys = await keysOf(post);
    expect(await statuses(fan, keys)).toEqual([200, 200]);
    expect(await statuses(fan, old)).toEqual([404, 404]);
    expect(await faults()).toEqual([]);
  });
});

describe("with photos at an image host", () => {
  const host = { kind: "imgbb", key: "k", api: "https://api.imgbb.com" } as const;
  const hosted = testFeatures(db, { folder: on.folder, secrets, imageStore: host });

  test("a post for fewer than everyone is refused, by itself, by an edit and by its account", async () => {
    const refused = { code: "audience-not-offered" };
    await expect(
      hosted.publish(ada, { caption: "words", audience: "followers" }),
    ).rejects.toMatchObject(refused);
    const version = await versionOf(post);
    const edit = { version, audience: "only-me" } as const;
    await expect(hosted.posts.edit(ada, ada.username, post.number, edit)).rejects.toMatchObject(
      refused,
    );
    expect(await hosted.publish(ada, { caption: "words" })).toMatchObject({ authorId: ada.id });
    const shut = await on.member("Shut");
    await expect(hosted.privacy.set(shut, true)).rejects.toMatchObject(refused);
    expect(await hosted.privacy.set(shut, false)).toEqual({ private: false });
    await on.privacy.set(shut, true);
    await expect(hosted.publish(shut, { caption: "words" })).rejects.toMatchObject(refused);
  });

  test("a new post begins for everyone, whatever its author chose last", async () => {
    await on.posts.setNextAudience(ada, "followers");
    expect((await on.posts.nextAudience(ada)).audience).toBe("followers");
    expect((await hosted.posts.nextAudience(ada)).audience).toBe("everyone");
  });

  test("one that was there before can still be reworded, without more photos", async () => {
    await change("followers");
    const version = await versionOf(post);
    await hosted.posts.edit(ada, ada.username, post.number, { version, caption: "better words" });
    const now = await versionOf(post);
    const pictures = [{ imageId: await on.upload(ada) }];
    await expect(
      hosted.posts.edit(ada, ada.username, post.number, { version: now, pictures }),
    ).rejects.toMatchObject({ code: "audience-not-offered" });
  });
});
