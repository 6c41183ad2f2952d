import { beforeAll, describe, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import type { MadePost } from "#server/test/factories.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let bob: Viewer;
let headers: { authorization: string };

beforeAll(async () => {
  [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob Birch")];
  headers = (await connectedApp(features, ada)).headers;
});

type Json = Record<string, unknown>;
const get = (url: string, as = headers) => app.inject({ url, headers: as });
const json = async (url: string, as = headers) => (await get(url, as)).json<Json>();
const list = async (url: string, as = headers) => (await get(url, as)).json<Json[]>();
const send = (url: string, as = headers) =>
  app.inject({ method: "POST", url, payload: {}, headers: as });

test("likes of one post are a group, which is read and dismissed as one", async () => {
  const dora = await features.member("Dora Dale");
  const doras = (await connectedApp(features, dora)).headers;
  const post = await features.textPost(dora, "Liked by two");
  for (const who of [ada, bob]) await features.likes.like(who, post);
  const { notification_groups: groups } = (await json("/api/v2/notifications", doras)) as {
    notification_groups: Json[];
  };
  expect(groups).toMatchObject([{ type: "favourite", notifications_count: 2 }]);
  const path = `/api/v2/notifications/${String(groups[0]?.["group_key"])}`;
  expect(await json(path, doras)).toMatchObject({
    notification_groups: [{ notifications_count: 2 }],
    statuses: [{ id: decimalOf(post.postId) }],
  });
  expect(await list(`${path}/accounts`, doras)).toHaveLength(2);
  const apart = await json("/api/v2/notifications?grouped_types[]=follow", doras);
  expect(apart["notification_groups"]).toHaveLength(2);
  expect((await get(path, headers)).statusCode).toBe(404);
  expect((await send(`${path}/dismiss`, doras)).statusCode).toBe(200);
  expect(await list("/api/v1/notifications", doras)).toEqual([]);
  expect((await send(`${path}/dismiss`, doras)).statusCode).toBe(404);
});

describe("a group far down the list", () => {
  let gus: Viewer;
  let guses: { authorization: string };
  let hot: MadePost;
  let group: string;

  beforeAll(async () => {
    gus = await features.member("Gus Grouped");
    guses = (await connectedApp(features, gus)).headers;
    hot = await features.textPost(gus, "Liked by all");
    for (const who of [ada, bob]) await features.likes.like(who, hot);
    // Before them 500 comments of one account, each a notification of its own.
    const { id } = await features.comments.add(bob, hot, "One of many", null);
    await query(
      db,
      `insert into notification_acts (account_id, id, notification_id, actor_id)
      select act.account_id, (left(act.id::text, 24) || lpad(to_hex(at), 12, '0'))::uuid,
        act.notification_id, act.actor_id
      from notification_acts act, generate_series(1, 500) at
      where act.account_id = $1 and act.id = $2`,
      [gus.id, id],
    );
    const [first] = await query<{ id: string }>(
      db,
      "select id from notifications where account_id = $1 and kind = 'like'",
      [gus.id],
    );
    group = `/api/v2/notifications/favourite-${decimalOf(first?.id ?? "")}`;
  });

  const counts = async (url: string) => (await json(url, guses))["count"];

  test("is found by its key, with its accounts, by its recipient alone", async () => {
    expect(await json(group, guses)).toMatchObject({
      notification_groups: [{ type: "favourite", notifications_count: 2 }],
      statuses: [{ id: decimalOf(hot.postId) }],
    });
    expect(await list(`${group}/accounts`, guses)).toHaveLength(2);
    for (const path of [group, `${group}/accounts`]) {
      expect((await get(path, headers)).statusCode).toBe(404);
    }
    expect((await send(`${group}/dismiss`)).statusCode).toBe(404);
  });

  test("names its newest notification with all digits of its id", async () => {
    const { body } = await get("/api/v2/notifications", guses);
    const ids = [
      ...body.matchAll(
        /"most_recent_notification_id":(\d+),"page_min_id":"\d+","page_max_id":"(\d+)"/g,
      ),
    ];
    expect(ids.length).toBeGreaterThan(0);
    for (const [, number, text] of ids) expect(number).toBe(text);
    expect(body).not.toContain('"most_recent_notification_id":"');
  });

  test("what is unread is counted as far as it is asked for, groups once", async () => {
    const v1 = "/api/v1/notifications/unread_count";
    const v2 = "/api/v2/notifications/unread_count";
    expect(await counts(v1)).toBe(100);
    expect(await counts(`${v1}?limit=1000`)).toBe(503);
    expect(await counts(`${v1}?limit=5000&types[]=favourite`)).toBe(2);
    expect(await counts(`${v1}?limit=1000&exclude_types[]=mention`)).toBe(2);
    expect(await counts(`${v1}?limit=1000&account_id=${decimalOf(ada.id)}`)).toBe(1);
    expect(await counts(`${v1}?account_id=1`)).toBe(0);
    expect(await counts(`${v1}?limit=-1`)).toBe(100);
    expect(await counts(`${v2}?types[]=favourite`)).toBe(1);
    expect(await counts(`${v2}?types[]=favourite&grouped_types[]=follow`)).toBe(2);
    expect(await counts(`${v2}?limit=1000`)).toBe(502);
  });

  test("is dismissed as a whole, and nothing beside it", async () => {
    expect((await send(`${group}/dismiss`, guses)).statusCode).toBe(200);
    expect((await get(group, guses)).statusCode).toBe(404);
    expect(await list("/api/v1/notifications?types[]=favourite", guses)).toEqual([]);
    expect(await json("/api/v1/notifications/unread_count?limit=1000", guses)).toEqual({
      count: 501,
    });
  });

  test.each(["favourite-0", "favourite-", "favourite-9999999999999999999999", "nothing", "like-1"])(
    "%s is not a group",
    async (key) => {
      expect((await get(`/api/v2/notifications/${key}`, guses)).statusCode).toBe(404);
    },
  );
});
