import { beforeAll, describe, expect, test } from "vitest";
import { decimalOf, readWholeDecimal, wholeDecimalOf } from "#server/platform/db/decimal-ids.ts";
import { idAt, newId } from "#server/platform/db/ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { linkOf, linksOf } from "#server/test/link-header.ts";
import type { MadePost } from "#server/test/factories.ts";
import { insertAccounts, insertPhotoPosts } from "#server/test/bulk-insert.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let headers: { authorization: string };
const accounts: Viewer[] = [];
let star: Viewer;
let fan: Viewer;
let liked: MadePost;
const count = 7;

type Json = Record<string, unknown>;
const get = (url: string) => app.inject({ url, headers });
const idsOf = (answer: { json: () => unknown }) =>
  (answer.json() as Json[]).map(({ id }) => String(id));

beforeAll(async () => {
  ada = await features.member("Ada Lovelace");
  headers = (await connectedApp(features, ada)).headers;
  for (let at = 0; at < count; at += 1) accounts.push(await features.member(`Person ${at}`));
  for (const account of accounts) {
    const post = await features.textPost(account, `By ${account.name}`);
    await features.likes.like(ada, post);
    await features.bookmarks.save(ada, post);
    await features.blocks.mute(ada, account.id);
  }
  // By accounts that nothing hides.
  const many = await features.members(count);
  [star, fan] = [await features.member("Star"), await features.member("Fan")];
  liked = await features.textPost(star, "Liked by all");
  for (const account of many) {
    await features.follows.follow(account, star.id);
    await features.follows.follow(fan, account.id);
    await features.likes.like(account, liked);
  }
  const old = await insertAccounts(db, 150, (at) => `Old hand ${at}`, Date.now() - 7 * 86_400_000);
  await insertPhotoPosts(db, old, 2);
  await query(
    db,
    "insert into post_tags (author_id, post_id, tag) select author_id, post_id, 'storm' from recent_photos",
  );
  const blocked: Viewer[] = [];
  for (let at = 0; at < count; at += 1) blocked.push(await features.member(`Blocked ${at}`));
  for (const account of blocked) await features.blocks.block(ada, account.id);
  // All within one millisecond, in an order that the end of their ids does not reveal.
  const moment = idAt(Date.now()).slice(0, 14);
  const owned = [
    ["likes", "account_id", ada.id],
    ["bookmarks", "account_id", ada.id],
    ["mutes", "account_id", ada.id],
    ["blocks", "account_id", ada.id],
    ["followers", "followee_id", star.id],
    ["follows", "follower_id", fan.id],
    ["likes", "post_id", liked.postId],
  ] as const;
  for (const [table, column, owner] of owned) {
    await query(
      db,
      `update ${table} t set id = ($2 || '7' || lpad(to_hex(n.at), 3, '0') || '-8000-000000' || lpad(to_hex(999 - n.at), 6, '0'))::uuid
       from (select ctid, row_number() over (order by id) as at from ${table} where ${column} = $1) n
       where t.ctid = n.ctid`,
      [owner, moment],
    );
  }
});

test("a whole id becomes digits and is read back; what is no id is refused", () => {
  for (const id of [newId(), "ffffffff-ffff-7fff-bfff-ffffffffffff"]) {
    expect(readWholeDecimal(wholeDecimalOf(id))).toBe(id);
  }
  for (const text of [
    "",
    "0",
    "1",
    "-1",
    "abc",
    "9".repeat(39),
    "9".repeat(5000),
    decimalOf(newId()),
  ]) {
    expect(readWholeDecimal(text), text).toBeNull();
  }
});

const lists: [name: string, path: () => string][] = [
  ...["favourites", "bookmarks", "mutes", "blocks"].map(
    (name) => [name, () => `/api/v1/${name}`] as [string, () => string],
  ),
  ["followers", () => `/api/v1/accounts/${decimalOf(star.id)}/followers`],
  ["following", () => `/api/v1/accounts/${decimalOf(fan.id)}/following`],
  ["favourited_by", () => `/api/v1/statuses/${decimalOf(liked.postId)}/favourited_by`],
];

describe.each(lists)("%s", (_name, pathOf) => {
  let path: string;
  beforeAll(() => (path = pathOf()));

  test("go down to their end and up again, each once, although all have the same time", async () => {
    const all = idsOf(await get(path));
    expect(new Set(all).size).toBe(count);
    const down: string[][] = [];
    let url: string | undefined = `${path}?limit=3`;
    let last = await get(url);
    for (; url; url = linkOf(last, "next")) {
      last = await get(url);
      down.push(idsOf(last));
    }
    expect(down).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6)]);
    const up: string[][] = [];
    for (let prev = linkOf(last, "prev"); prev; prev = linkOf(last, "prev")) {
      last = await get(prev);
      expect(linksOf(last).map(({ rel }) => rel)).toEqual(
        idsOf(last).length > 0 ? ["next", "prev"] : [],
      );
      up.push(idsOf(last));
    }
    // What comes right after, as min_id says: not the newest.
    expect(up).toEqual([all.slice(3, 6), all.slice(0, 3), []]);
  });

  test("since an item are the newest, and between two items those between", async () => {
    const all = idsOf(await get(path));
    const answers: Awaited<ReturnType<typeof get>>[] = [];
    for (let at = 1; at <= 3; at += 1) answers.push(await get(`${path}?limit=${at * 2}`));
    const maxOf = (at: number) =>
      new URL(`http://x${linkOf(answers[at] ?? { headers: {} }, "next")}`).searchParams.get(
        "max_id",
      );
    const [second, fourth, sixth] = [maxOf(0), maxOf(1), maxOf(2)];
    expect(idsOf(await get(`${path}?limit=2&since_id=${sixth}`))).toEqual(all.slice(0, 2));
    expect(idsOf(await get(`${path}?since_id=${fourth}`))).toEqual(all.slice(0, 3));
    expect(idsOf(await get(`${path}?max_id=${second}&min_id=${sixth}`))).toEqual(all.slice(2, 5));
  });

  test("read the id of a status as its time, and ignore nonsense", async () => {
    const all = idsOf(await get(path));
    const early = decimalOf(idAt(1));
    const late = decimalOf(idAt(Date.now() + 86_400_000));
    expect(idsOf(await get(`${path}?max_id=${late}&since_id=${early}`))).toEqual(all);
    expect(idsOf(await get(`${path}?max_id=${early}`))).toEqual([]);
    expect(idsOf(await get(`${path}?min_id=${late}`))).toEqual([]);
    for (const nonsense of ["abc", "-1", "%00", "1e9", "9".repeat(5000)]) {
      const answer = await get(`${path}?max_id=${nonsense}&limit=0`);
      expect([answer.statusCode, idsOf(answer)]).toEqual([200, all]);
    }
  });
});

describe.each(["public", "tag/storm"])("the timeline %s", (name) => {
  const path = `/api/v1/timelines/${name}`;
  let all: string[];

  beforeAll(async () => {
    const rows = await query<{ id: string }>(
      db,
      "select post_id as id from recent_photos order by post_id desc",
    );
    all = rows.map(({ id }) => decimalOf(id));
  });

  test("continues right above what a member read long ago, page by page to its top", async () => {
    expect(all.length).toBeGreaterThan(12 * 24);
    const up: string[] = [];
    let [at, last] = [all.at(-1), await get(path)];
    while (at !== undefined) {
      last = await get(`${path}?limit=40&min_id=${at}`);
      up.unshift(...idsOf(last));
      at = idsOf(last)[0];
    }
    expect(up).toEqual(all.slice(0, -1));
    expect(linksOf(last)).toEqual([]);
    const [upper, lower] = [all[10], all.at(-10)];
    const between = idsOf(await get(`${path}?limit=5&max_id=${upper}&min_id=${lower}`));
    expect(between).toEqual(all.slice(-15, -10));
  });

  test("goes down to its end, and has the newest since an item", async () => {
    const down: string[] = [];
    for (let url: string | undefined = `${path}?limit=40`; url;) {
      const page = await get(url);
      down.push(...idsOf(page));
      url = linkOf(page, "next");
    }
    expect(down).toEqual(all);
    expect(idsOf(await get(`${path}?limit=40&since_id=${all[3]}`))).toEqual(all.slice(0, 3));
  });
});
