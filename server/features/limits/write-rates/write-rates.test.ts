import { beforeAll, describe, expect, test } from "vitest";
import {
  createWriteRates,
  type WriteNumbers,
} from "#server/features/limits/write-rates/write-rates.ts";
import { testApp } from "#server/test/app.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import { idAt } from "#server/platform/db/ids.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features: on, call } = await testApp(db, {}, { rateLimits: true });
let author: Viewer;

beforeAll(async () => {
  author = await somebody();
});

async function somebody(): Promise<Viewer> {
  const [made] = await insertAccounts(db, 1);
  return made as Viewer;
}

const post = (caption = "words") => ({ caption, pictures: [], timeZone: "UTC", clientKey: null });
const count = async (table: string, column: string, id: string) =>
  (await query(db, `select 1 from ${table} where ${column} = $1`, [id])).length;

describe("what a member writes within an hour", () => {
  test("ends at the limit, says until when, and goes on for everybody else", async () => {
    const member = await somebody();
    const payload = { caption: "again" };
    const { newcomer } = limits.writes.posts;
    for (let n = 0; n < newcomer; n += 1) {
      const answer = await call(member, "POST", "/api/posts", { payload });
      expect(answer.statusCode).toBe(201);
    }
    const refused = await call(member, "POST", "/api/posts", { payload });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.json()).toMatchObject({
      error: {
        code: "too-many-writes",
        message: expect.stringMatching(/^You've published a lot of posts in the last hour/),
      },
    });
    expect(await count("posts", "author_id", member.id)).toBe(newcomer);
    expect((await call(author, "POST", "/api/posts", { payload })).statusCode).toBe(201);
  });

  test("gets no further with many at once, and everything it confirmed exists", async () => {
    const member = await somebody();
    const target = await on.textPost(author);
    const mention = `Look, @${author.username}!`;
    const tries = Array.from({ length: limits.writes.comments.newcomer + 20 }, () =>
      on.comments.add(member, target, mention, null),
    );
    const ended = await Promise.allSettled(tries);
    const written = ended.filter(({ status }) => status === "fulfilled").length;
    expect(written).toBe(limits.writes.comments.newcomer);
    expect(await count("comments", "account_id", member.id)).toBe(written);
  });

  test("counts the people it mentions, not the texts", async () => {
    const member = await somebody();
    const names = Array.from({ length: 20 }, (_, n) => `@somebody_${n}`).join(" ");
    const { newcomer } = limits.writes.mentions;
    for (let n = 0; n < newcomer / 20; n += 1) await on.posts.publish(member, post(names));
    await expect(on.posts.publish(member, post(names))).rejects.toMatchObject({
      code: "too-many-writes",
    });
    await on.posts.publish(member, post("nobody"));
  });

  test("counts follows and messages, but nothing that changes nothing", async () => {
    const [one, two] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
    await insertFollows(db, [one], [two]);
    await insertFollows(db, [two], [one]);
    for (let n = 0; n < limits.writes.follows.newcomer + 5; n += 1) {
      await on.follows.follow(one, two.id);
    }
    const people = await insertAccounts(db, limits.writes.follows.newcomer + 1);
    for (const { id } of people.slice(1)) await on.follows.follow(one, id);
    await expect(on.follows.follow(one, people[0]?.id ?? "")).rejects.toMatchObject({
      code: "too-many-writes",
    });
    const chatId = `${one.username}.${two.username}`;
    const key = "the same message";
    const words = { body: "hello", picture: null };
    for (let n = 0; n < 5; n += 1) await on.chat.send(one, chatId, { ...words, clientKey: key });
    const { newcomer } = limits.writes.messages;
    for (let n = 1; n < newcomer; n += 1) {
      await on.chat.send(one, chatId, { ...words, clientKey: null });
    }
    const last = on.chat.send(one, chatId, { ...words, clientKey: null });
    await expect(last).rejects.toMatchObject({ code: "too-many-writes" });
    // a retry still gets the first response
    await on.chat.send(one, chatId, { ...words, clientKey: key });
  });

  test("counts follows in the transaction that writes them: many at once get no further, unfollows count nothing", async () => {
    const member = await somebody();
    const { newcomer } = limits.writes.follows;
    const people = await insertAccounts(db, newcomer + 10);
    const ended = await Promise.allSettled(
      people.map(({ username }) => on.follows.follow(member, { address: username })),
    );
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(newcomer);
    const followed = "select followee_id as id from follows where follower_id = $1";
    const [first, ...others] = await query<{ id: string }>(db, followed, [member.id]);
    expect(others).toHaveLength(newcomer - 1);
    if (!first) throw new Error("somebody is followed");
    expect(await on.follows.follow(member, first.id)).toMatchObject({ following: true });
    await on.follows.unfollow(member, first.id);
    const known = new Set([first, ...others].map(({ id }) => id));
    const stranger = people.find(({ id }) => !known.has(id));
    const refused = await call(member, "PUT", `/api/accounts/${stranger?.username}/follow`, {});
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3500);
    expect(refused.json()).toMatchObject({
      error: {
        message: expect.stringMatching(/^You've followed a lot of people in the last hour/),
      },
    });
    expect(await count("follows", "follower_id", member.id)).toBe(newcomer - 1);
  });

  test("starts over when the hour is over, and counts no follow twice", async () => {
    const [member, other] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
    const points = async () =>
      (
        await query<{ points: number }>(
          db,
          "select points from rate_limits where key like 'writes-follows:%' order by expire desc limit 1",
        )
      )[0]?.points;
    await on.follows.follow(member, other.id);
    expect(await points()).toBe(1);
    await on.follows.follow(member, other.id);
    await on.follows.unfollow(member, other.id);
    expect(await points()).toBe(1);
    await query(db, "update rate_limits set points = 10000, expire = $1", [Date.now() - 1]);
    await on.follows.follow(member, other.id);
    expect(await points()).toBe(1);
    await query(db, "update rate_limits set points = 10000, expire = $1", [Date.now() - 1]);
    await on.posts.publish(member, post());
    const posted = "select points from rate_limits where key like 'writes-posts:%' and expire > $1";
    expect(await query(db, posted, [Date.now()])).toEqual([{ points: 1 }]);
  });

  test("counts images before they are decoded, also files that are no images", async () => {
    const member = await somebody();
    const { path } = await on.photo();
    await on.images.upload(member, { path });
    const text = new URL(import.meta.url).pathname;
    await expect(on.images.upload(member, { path: text })).rejects.toMatchObject({ status: 415 });
    const used =
      "update rate_limits set points = $1 where key like 'writes-uploads:%' returning points";
    expect(
      await query(db, "select points from rate_limits where key like 'writes-uploads:%'"),
    ).toEqual([{ points: 2 }]);
    await query(db, used, [limits.writes.uploads.newcomer]);
    // refused as one too many, not as a file that is no image
    await expect(on.images.upload(member, { path: text })).rejects.toMatchObject({
      code: "too-many-writes",
      message: expect.stringContaining("You've uploaded a lot of pictures"),
    });
  });

  test("does not count a write that fails", async () => {
    const member = await somebody();
    for (let n = 0; n < limits.writes.posts.newcomer + 5; n += 1) {
      const work = db.transaction(async () => {
        await on.posts.publish(member, post());
        throw new Error("the rest failed");
      });
      await expect(work).rejects.toThrow("the rest failed");
    }
    await on.posts.publish(member, post());
  });
});

const old = (emailVerified: boolean): Viewer => ({
  ...author,
  id: idAt(Date.now() - 25 * 60 * 60 * 1000),
  emailVerified,
});

describe("newcomers", () => {
  const numbers = { posts: { perHour: 3, newcomer: 1 } } as WriteNumbers;
  const rates = (mails: boolean, enabled = true) =>
    createWriteRates({ db, secret: "another secret", enabled, mails, numbers });

  async function most(viewer: Viewer, { count: tryOne }: ReturnType<typeof rates>) {
    for (let n = 0; n < 10; n += 1) {
      try {
        await tryOne(viewer, "posts");
      } catch {
        return n;
      }
    }
    return Infinity;
  }

  test.each([
    ["younger than a day", () => ({ ...old(true), id: idAt(Date.now() - 1000) }), true, 1],
    ["older, with a confirmed email", () => old(true), true, 3],
    ["older, unconfirmed, where emails are sent", () => old(false), true, 1],
    ["older, unconfirmed, where nobody can confirm", () => old(false), false, 3],
  ])("%s", async (_, who, mails, allowed) => {
    expect(await most(who(), rates(mails))).toBe(allowed);
  });

  test("without rate limits nothing is counted", async () => {
    expect(await most(old(true), rates(true, false))).toBe(Infinity);
  });

  test("what is counted names nobody", async () => {
    const rows = JSON.stringify(await query(db, "select key from rate_limits"));
    expect(rows).toContain("writes-posts:");
    expect(rows).not.toContain(author.id);
  });
});

test("two processes count together", async () => {
  const member = await somebody();
  const numbers = { posts: { perHour: 2, newcomer: 2 } } as WriteNumbers;
  const process = () =>
    createWriteRates({ db, secret: "shared", enabled: true, mails: false, numbers });
  await process().count(member, "posts");
  await process().count(member, "posts");
  await expect(process().count(member, "posts")).rejects.toMatchObject({ status: 429 });
});
