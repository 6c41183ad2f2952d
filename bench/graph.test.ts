import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#server/db/sql.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { Database } from "#server/db/database.ts";
import { limits } from "#shared/limits.ts";
import { growGraph, type Graph } from "./graph.ts";
import { graphDefaults, planGraph, type GraphOptions } from "./graph/plan.ts";
import { graphRows } from "./graph/rows.ts";

const viewers = [
  { follows: 30, of: "anybody" },
  { follows: 12, of: "quiet" },
] as const;
const options = { accounts: 120, postsPerAccount: 6, followsPerAccount: 12, viewers };

function rowsOf(start: string, seed: number, wanted: Partial<GraphOptions> = options) {
  const tables = graphRows(planGraph({ ...graphDefaults, ...wanted, seed }));
  return [...(tables.find(({ table }) => table.startsWith(start))?.rows() ?? [])];
}
const postRows = (seed: number) => rowsOf("posts ", seed);

describe("a generated town", () => {
  let db: Database;
  let graph: Graph;
  beforeAll(async () => {
    const fresh = await freshDatabase();
    ({ db } = fresh);
    graph = await growGraph(fresh.connection, options);
  });

  test("has counters that agree with its rows, and a mirror that agrees with its follows", async () => {
    const { rows } = await sql<Record<string, number>>`
      select
        count(*) filter (where c.posts <> (
          select count(*) from posts where author_id = c.account_id))::int as posts,
        count(*) filter (where c.last_post_number <> (
          select coalesce(max(number), 0) from posts where author_id = c.account_id))::int as numbers,
        count(*) filter (where c.followers <> (
          select count(*) from followers where followee_id = c.account_id))::int as followers,
        count(*) filter (where c.following <> (
          select count(*) from follows where follower_id = c.account_id))::int as following,
        (select count(*) from posts p where like_count <> (
          select count(*) from likes l
          where l.author_id = p.author_id and l.post_id = p.id))::int as likes,
        (select count(*) from posts p where comment_count <> (
          select count(*) from comments m
          where m.author_id = p.author_id and m.post_id = p.id))::int as comments,
        (select count(*) from posts p where picture_count <> (
          select count(*) from post_pictures i
          where i.author_id = p.author_id and i.post_id = p.id))::int as pictures,
        (select count(*) from recent_photos r full join (
          select author_id, id as post_id from (
            select author_id, id, row_number() over (partition by author_id order by id desc) as n
            from posts where picture_count > 0
          ) photos where n <= ${limits.explore.perAccount}
        ) newest using (author_id, post_id)
          where r.post_id is null or newest.post_id is null)::int as recent,
        (select count(*) from follows f full join followers m using (follower_id, followee_id, id)
          where f.id is null or m.id is null)::int as mirror
      from account_counters c
    `.execute(db.kysely);
    expect(rows[0]).toEqual({
      posts: 0,
      numbers: 0,
      followers: 0,
      following: 0,
      likes: 0,
      comments: 0,
      pictures: 0,
      recent: 0,
      mirror: 0,
    });
  });

  test("has viewers who follow as many as asked, and a few accounts that many follow", async () => {
    const counters = await db.kysely
      .selectFrom("account_counters")
      .select(["account_id", "following", "followers"])
      .execute();
    const of = (id = "") => counters.find(({ account_id }) => account_id === id);
    expect(graph.viewers.map(({ id }) => of(id)?.following)).toEqual([30, 12]);
    const followers = counters.map((row) => row.followers).sort((one, other) => other - one);
    const followed = followers.reduce((sum, count) => sum + count, 0);
    const topTenth = followers.slice(0, 12).reduce((sum, count) => sum + count, 0);
    expect(topTenth).toBeGreaterThan(0.25 * followed);
  });

  test("is the same for the same seed and another for another", () => {
    expect(postRows(7).length).toBeGreaterThan(100);
    expect(postRows(7)).toEqual(postRows(7));
    expect(postRows(7)).not.toEqual(postRows(8));
  });

  test("has a key of its own for each of many pictures", () => {
    const many = { accounts: 100_000, followsPerAccount: 0, postsPerAccount: 0 };
    const keys = rowsOf("images ", 7, many).map(([, , key]) => key);
    expect(keys).toHaveLength(100_000);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
