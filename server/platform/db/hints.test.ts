import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { encodeHint, hintWords, type Hint, type Hints } from "#server/features/change-hint.ts";
import { createHints } from "#server/platform/db/hints.ts";
import { freshDatabase } from "#server/test/database.ts";
import { until } from "#server/test/until.ts";

const log = pino({ level: "silent" });
const sent: string[] = [];
let db: Database;
let other: Database;
let here: Hints;
let elsewhere: Hints;
let near: Heard;
let far: Heard;

type Heard = { hints: string[]; batches: number };

const typing = (chatId: string): Hint => ({ kind: "typing", accountId: "ada", chatId });
const of = (chatId: string) => encodeHint(typing(chatId));

beforeAll(async () => {
  const fresh = await freshDatabase((text) => void sent.push(text));
  db = fresh.db;
  other = createDatabase({ connection: fresh.connection, log });
  here = createHints({ db, log, words: hintWords });
  elsewhere = createHints({ db: other, log, words: hintWords });
  [near, far] = [await heardBy(here), await heardBy(elsewhere)];
});

afterAll(async () => {
  await Promise.all([here.close(), elsewhere.close()]);
  await other.close();
});

/** What a process receives once its connection is established. */
async function heardBy(process: Hints): Promise<Heard> {
  const heard: Heard = { hints: [], batches: 0 };
  const listening = new Promise<void>((resolve) => {
    process.onGap(resolve);
  });
  process.listen((batch) => {
    heard.batches += 1;
    heard.hints.push(...batch.map(encodeHint));
  });
  await listening;
  return heard;
}

describe("hints", () => {
  test("reach this process and others, each once, and in few notifications", async () => {
    const hints = Array.from({ length: 1000 }, (_, i): Hint => {
      return { kind: "post", authorId: "0".repeat(30), postId: `${"0".repeat(29)}${i}` };
    });
    const many = hints.map(encodeHint);
    for (const hint of [...hints, ...hints]) here.publish(hint);
    await until(() => far.hints.length >= 1000);
    expect(near.hints).toEqual(many);
    expect(far.hints.toSorted()).toEqual(many.toSorted());
    expect(near.batches).toBe(1);
    // as few notifications as the payload's limit allows, and nothing through the pool
    expect(sent.filter((text) => text.includes("pg_notify"))).toEqual([]);
    expect(far.batches).toBeLessThanOrEqual(10);
  });

  test("wait for the commit, and are dropped when it does not come", async () => {
    far.hints = [];
    await db.transaction(async () => {
      here.publish(typing("the-transaction"));
      here.publish(typing("the-transaction"));
      await db.query(sql`select pg_sleep(0.15)`);
      expect(far.hints).toEqual([]);
    });
    const failing = db.transaction(async () => {
      here.publish(typing("a-rollback"));
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    here.publish(typing("the-end"));
    await until(() => far.hints.includes(of("the-end")));
    expect(far.hints.filter((hint) => hint !== of("the-end"))).toEqual([of("the-transaction")]);
  });

  test("report that some may be missing after the connection was lost, and go on", async () => {
    far.hints = [];
    let gaps = 0;
    elsewhere.onGap(() => void (gaps += 1));
    await db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where query = 'listen postcard_hints' and datname = current_database()
    `);
    await until(() => gaps > 0);
    here.publish(typing("the-gap"));
    await until(() => far.hints.includes(of("the-gap")));
    expect(far.hints).toContain(of("the-gap"));
  });

  test("can be stopped at any moment, also while their connection is being made", async () => {
    for (const moment of [0, 1, 3, 6, 10, 20]) {
      const hints = createHints({ db, log, words: hintWords });
      hints.publish({ kind: "messages" });
      await new Promise((resolve) => {
        setTimeout(resolve, moment);
      });
      await hints.close();
    }
    expect(far.hints).toContain("messages");
  });
});
