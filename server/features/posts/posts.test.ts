import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";

let db: Database;
let on: TestFeatures;

let sent: string[] = [];

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => void sent.push(text)));
  on = testFeatures(db);
});

const family = "👨‍👩‍👧‍👦";

describe("publishing", () => {
  test("numbers the posts of each author from 1", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const numbers = [
      (await on.textPost(ada)).number,
      (await on.photoPost(ada)).number,
      (await on.textPost(bob)).number,
      (await on.textPost(ada)).number,
    ];
    expect(numbers).toEqual([1, 2, 1, 3]);
  });

  test("is found again by its author under the key of the submit, until it is deleted", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const words = { caption: "Once", pictures: [], timeZone: "UTC", clientKey: "first" };
    expect(await on.posts.findSubmitted(ada, "first")).toBeNull();
    const made = await on.posts.publish(ada, words);
    expect(await on.posts.findSubmitted(ada, "first")).toEqual(made);
    expect(await on.posts.findSubmitted(bob, "first")).toBeNull();
    await on.posts.remove(ada, ada.username, made.number);
    expect(await on.posts.findSubmitted(ada, "first")).toBeNull();
  });

  test("shows photos in their order with caption and alt texts", async () => {
    const ada = await on.member();
    const before = Date.now();
    const { number } = await on.photoPost(ada, "Two of us", ["left", "right"]);
    const post = await on.posts.get(null, ada.username, number);
    expect(post).toMatchObject({
      number: 1,
      caption: "Two of us",
      author: { id: ada.id, username: ada.username, name: "Ada Lovelace" },
      pictures: [
        { alt: "left", width: 96, height: 64 },
        { alt: "right", width: 96, height: 64 },
      ],
      likeCount: 0,
      commentCount: 0,
      liked: false,
      saved: false,
      mine: false,
      comments: [],
    });
    expect(post?.author.avatar).toEqual(ada.avatar);
    expect(post?.createdAt).toBeGreaterThanOrEqual(before);
    expect(post?.createdAt).toBeLessThanOrEqual(Date.now());
    expect((await on.posts.get(ada, ada.username, number))?.mine).toBe(true);
  });

  test("is found under the author's email and username in any letter case, and a former username", async () => {
    const ada = await on.member();
    await db.query(sql`
      insert into usernames (username, account_id) values ('once_ada', ${ada.id})
    `);
    const { postId } = await on.textPost(ada);
    for (const address of [ada.email, ada.email.toUpperCase(), ada.username, "Once_Ada"]) {
      expect((await on.posts.get(null, address, 1))?.id, address).toBe(postId);
    }
  });

  test("is not found by the email of somebody who turned that off, except by themselves", async () => {
    const ada = await on.member();
    await on.textPost(ada);
    await db.query(sql`update accounts set findable_by_email = false where id = ${ada.id}`);
    expect(await on.posts.get(null, ada.email, 1)).toBeNull();
    expect(await on.posts.get(ada, ada.email, 1)).not.toBeNull();
    expect(await on.posts.get(null, ada.username, 1)).not.toBeNull();
  });

  test.each([
    ["right to left with emoji and line breaks", "שלום عالم 👋🏽\n\n  zwei\tdrei"],
    ["a family is one character", family.repeat(2200)],
    ["SQL and markup are words", "'); drop table posts; -- <script>alert(1)</script> ${x} \\"],
  ])("keeps a text as it was typed: %s", async (_what, caption) => {
    const ada = await on.member();
    const { number } = await on.textPost(ada, caption);
    expect((await on.posts.get(null, ada.username, number))?.caption).toBe(caption);
  });

  test("cleans what cannot be stored: NUL, lone surrogates, old line ends", async () => {
    const ada = await on.member();
    const { number } = await on.textPost(ada, " a\u0000b\r\nc\ud800 ");
    expect((await on.posts.get(null, ada.username, number))?.caption).toBe("ab\nc\ufffd");
  });

  test.each(["", "   \n\t ", "\u200b\u2060", "\u0000"])(
    "refuses a post with neither photo nor text (%j)",
    async (caption) => {
      const ada = await on.member();
      await expect(on.textPost(ada, caption)).rejects.toMatchObject({
        code: "post-empty",
        message: "Add a photo or write something",
      });
      expect((await on.profiles.get(null, ada.id))?.counts.posts).toBe(0);
    },
  );

  test.each([
    ["one character", "x".repeat(2201), "1 too many"],
    ["a family", family.repeat(2201), "1 too many"],
    ["97,800 characters", "x".repeat(100_000), "97,800 too many"],
    ["heaps of marks", `a${"\u0301".repeat(40_000)}`, "combined characters"],
    ["two million", "x".repeat(2_000_000), "at least 197,800 too many"],
  ])("refuses a caption that is too long by %s", async (_what, caption, said) => {
    const ada = await on.member();
    const refusal = await on.textPost(ada, caption).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "input-invalid" });
    const { fields } = refusal as { fields: { caption: string } };
    expect(fields.caption).toContain(said);
    expect((await on.profiles.get(null, ada.id))?.counts.posts).toBe(0);
  });

  test("refuses a description over 1,000 characters and an eleventh photo", async () => {
    const ada = await on.member();
    const imageId = await on.upload(ada);
    const wordy = { pictures: [{ imageId, alt: "x".repeat(1001) }] };
    await expect(on.publish(ada, wordy)).rejects.toMatchObject({ code: "input-invalid" });
    const many = { pictures: Array.from({ length: 11 }, () => ({ imageId, alt: "" })) };
    await expect(on.publish(ada, many)).rejects.toMatchObject({ code: "input-invalid" });
    // the photo is still free
    await on.publish(ada, { pictures: [{ imageId, alt: "x".repeat(1000) }] });
  });

  test("refuses photos of others, used ones, the same one twice, and ids that are not photos", async () => {
    const [ada, bob] = [await on.member(), await on.member("Bob")];
    const [own, used, foreign] = [await on.upload(ada), await on.upload(ada), await on.upload(bob)];
    await on.publish(ada, { pictures: [{ imageId: used, alt: "" }] });
    const wrong = [
      [own, own],
      [own, used],
      [own, foreign],
      [own, "nonsense"],
      [own, "00000000-0000-7000-8000-000000000000"],
    ];
    for (const ids of wrong) {
      const pictures = ids.map((imageId) => ({ imageId, alt: "" }));
      const attempt = on.publish(ada, { caption: "words", pictures });
      await expect(attempt, ids.join()).rejects.toMatchObject({ code: "picture-unknown" });
    }
    expect((await on.profiles.get(null, ada.id))?.counts.posts).toBe(1);
    // nothing of the refused posts was stored: the photo is free and the number the next one
    const { number } = await on.publish(ada, { pictures: [{ imageId: own, alt: "" }] });
    expect(number).toBe(2);
  });

  test("stores the author's time zone, and none that does not exist", async () => {
    const ada = await on.member();
    await on.publish(ada, { caption: "a", timeZone: "Asia/Kathmandu" });
    await on.publish(ada, { caption: "b", timeZone: "Mars/Olympus'\u0000" });
    const rows = await db.query<{ time_zone: string }>(sql`
      select time_zone from posts where author_id = ${ada.id} order by id
    `);
    expect(rows.map((row) => row.time_zone)).toEqual(["Asia/Kathmandu", "UTC"]);
  });

  test("returns the first post for a repeated submit, also many times at once", async () => {
    const ada = await on.member();
    const submit = {
      caption: "Once",
      pictures: [{ imageId: await on.upload(ada), alt: "" }],
      clientKey: "form-7",
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => on.publish(ada, submit)));
    expect(new Set(answers.map(({ postId }) => postId)).size).toBe(1);
    expect(answers.every(({ number }) => number === 1)).toBe(true);
    const bob = await on.member("Bob");
    const other = await on.publish(bob, { caption: "Mine", clientKey: "form-7" });
    expect(other.postId).not.toBe(answers[0]?.postId);
  });

  test("gives posts created at once their own numbers, without gaps", async () => {
    const ada = await on.member();
    const made = await Promise.all(Array.from({ length: 30 }, (_, i) => on.textPost(ada, `${i}`)));
    const numbers = made.map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    // number and id agree about what came first
    const byId = made.toSorted((a, b) => (a.postId < b.postId ? -1 : 1));
    expect(byId.map(({ number }) => number)).toEqual(numbers);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("is two statements of a transaction for a text, and returns the post as it is shown", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const words = {
      caption: "Low #tide, and https://example.com/",
      pictures: [],
      timeZone: "Europe/Rome",
      clientKey: "form-8",
      commentsFrom: "following" as const,
    };
    const made = await on.posts.publish(ada, { ...words, clientKey: null });
    // with a key and when it is sent again, too
    for (const clientKey of [null, "form-7", "form-7"]) {
      sent = [];
      await on.posts.publish(bob, { ...words, clientKey });
      expect(sent).toEqual(["begin", expect.any(String), expect.any(String), "commit"]);
    }
    const first = await on.posts.publishShown(ada, words);
    for (const key of ["form-8", "form-9"]) {
      const shown = await on.posts.publishShown(ada, { ...words, clientKey: key });
      expect(shown.id === first.id).toBe(key === "form-8");
      expect(shown).toEqual(await on.posts.get(ada, ada.username, shown.number));
    }
    expect(first.id > made.id).toBe(true);
    const tagged = "select from post_tags where author_id = $1 and tag = 'tide'";
    expect(await query(db, tagged, [ada.id])).toHaveLength(3);
    expect((await on.posts.get(ada, ada.username, 3))?.number).toBe(3);
    expect(await on.posts.get(ada, ada.username, 4)).toBeNull();
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("waits while the author's counters are locked, and is written once", async () => {
    const ada = await on.member("Ada");
    const holder = await db.pool.connect();
    await holder.query("begin");
    await holder.query("select from account_counters where account_id = $1 for no key update", [
      ada.id,
    ]);
    sent = [];
    const words = { caption: "words", pictures: [], timeZone: "UTC", clientKey: null };
    const made = on.posts.publishShown(ada, words);
    await expect.poll(() => sent.at(-1)).toContain("for no key update");
    await holder.query("rollback");
    holder.release();
    const shown = await made;
    expect(shown).toEqual(await on.posts.get(ada, ada.username, 1));
    expect(await on.posts.get(ada, ada.username, 2)).toBeNull();
  });
});

describe("addresses that name no post", () => {
  test.each([0, -1, 1.5, Number.NaN, 2 ** 31, 1e300, 99])("number %s", async (number) => {
    const ada = await on.member();
    await on.textPost(ada);
    expect(await on.posts.get(null, ada.username, number)).toBeNull();
    await expect(on.posts.remove(ada, ada.username, number)).rejects.toMatchObject({
      code: "not-found",
    });
  });

  test.each(["", "nobody_here", "a\u0000b", "\ud800", "x".repeat(100_000), "' or 1=1 --", "@"])(
    "address %j",
    async (address) => {
      expect(await on.posts.get(null, address, 1)).toBeNull();
    },
  );
});
