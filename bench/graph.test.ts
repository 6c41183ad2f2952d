import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import pg from "pg";
import { freshDatabase } from "#server/test/database.ts";
import type { Database } from "#server/platform/db/database.ts";
import { limits } from "#shared/limits.ts";
import { growGraph, type Graph } from "./graph.ts";
import { withoutIndexes } from "./graph/indexes.ts";
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

/** Like a town of a million: few do much, and stars have a post that many liked. */
const sparse = { ...options, accounts: 1500, regulars: 120, stars: 3 };

describe.each([
  ["town", options],
  ["town in which most do little", sparse],
])("a generated %s", (_, wanted) => {
  let db: Database;
  let graph: Graph;
  beforeAll(async () => {
    const fresh = await freshDatabase();
    ({ db } = fresh);
    graph = await growGraph(fresh.connection, wanted);
  });

  test("has counters that agree with its rows, and a mirror that agrees with its follows", async () => {
    const rows = await db.query<Record<string, number>>(sql`
      select
        count(*) filter (where c.posts <> (
          select count(*) from posts where author_id = c.account_id))::int as posts,
        count(*) filter (where c.last_post_number <> (
          select coalesce(max(number), 0) from posts where author_id = c.account_id))::int as numbers,
        count(*) filter (where c.followers <> (
          select count(*) from followers where followee_id = c.account_id))::int as followers,
        count(*) filter (where c.following <> (
          select count(*) from follows where follower_id = c.account_id))::int as following,
        count(*) filter (where c.photos <> (
          select count(*) from posts where author_id = c.account_id and picture_count > 0))::int
          as photos,
        (select count(*) from account_storage s full join (
          select account_id, sum(bytes) as bytes from images group by account_id
        ) kept using (account_id) where s.bytes is distinct from kept.bytes)::int as storage,
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
    `);
    expect(rows[0]).toEqual({
      posts: 0,
      numbers: 0,
      photos: 0,
      storage: 0,
      followers: 0,
      following: 0,
      likes: 0,
      comments: 0,
      pictures: 0,
      recent: 0,
      mirror: 0,
    });
  });

  // COPY does not check keys: this does, whatever keys there are.
  test("breaks no foreign key", async () => {
    const keys = await db.query<{ name: string; broken: string }>(sql`
      select conname as name, format(
        'select 1 from %s a where %s and not exists (select from %s b where %s)', conrelid::regclass,
        (select string_agg(format('a.%I is not null', attname), ' and ') from pg_attribute
          where attrelid = conrelid and attnum = any (conkey)),
        confrelid::regclass,
        (select string_agg(format('a.%I = b.%I', l.attname, r.attname), ' and ')
          from unnest(conkey, confkey) as pair (one, other)
          join pg_attribute l on l.attrelid = conrelid and l.attnum = pair.one
          join pg_attribute r on r.attrelid = confrelid and r.attnum = pair.other)) as broken
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    `);
    expect(keys.length).toBeGreaterThan(30);
    for (const { name, broken } of keys) {
      expect(await db.query(sql.raw(broken)), name).toEqual([]);
    }
  });

  test("has viewers who follow as many as requested, and a few accounts that many follow", async () => {
    const counters = await db.query<{ account_id: string; following: number; followers: number }>(
      sql`select account_id, following, followers from account_counters`,
    );
    const of = (id = "") => counters.find(({ account_id }) => account_id === id);
    expect(graph.viewers.map(({ id }) => of(id)?.following)).toEqual([30, 12]);
    const followers = counters.map((row) => row.followers).sort((one, other) => other - one);
    const followed = followers.reduce((sum, count) => sum + count, 0);
    const topTenth = followers
      .slice(0, wanted.accounts / 10)
      .reduce((sum, count) => sum + count, 0);
    expect(topTenth).toBeGreaterThan(0.25 * followed);
  });
});

describe("a town is", () => {
  test("the same for the same seed and another for another", () => {
    expect(postRows(7).length).toBeGreaterThan(100);
    expect(postRows(7)).toEqual(postRows(7));
    expect(postRows(7)).not.toEqual(postRows(8));
  });

  test("among more accounts, its regulars have the same posts, and viewers follow the same ones", () => {
    const [few, many] = [options.accounts, 6000].map((accounts) => {
      const plan = planGraph({ ...graphDefaults, ...sparse, accounts });
      return {
        viewers: viewers.map((_, index) => [...plan.follows(accounts + index)]),
        regulars: [...plan.posts.subarray(0, 120)].map((_, account) => plan.postTimes(account)),
        others: plan.posts.subarray(120, accounts).reduce((sum, count) => sum + count, 0),
        star: plan.applause(0),
      };
    });
    expect(few?.viewers.map((of) => of.length)).toEqual([30, 12]);
    expect(many?.viewers).toEqual(few?.viewers);
    expect(many?.regulars).toEqual(few?.regulars);
    expect(many?.others).toBeGreaterThan(100);
    expect(many?.others).toBeLessThan(6000);
    expect(many?.star.likes).toBeGreaterThan(few?.star.likes ?? 0);
  });

  test("one with its own key for each of many images", () => {
    const many = { accounts: 100_000, followsPerAccount: 0, postsPerAccount: 0 };
    const keys = rowsOf("images ", 7, many).map(([, , key]) => key);
    expect(keys).toHaveLength(100_000);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

async function catalogue(client: pg.Client) {
  const rowsFor = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;
  return {
    indexes: await rowsFor(`
      select pg_get_indexdef(indexrelid) as made, indisunique, indisprimary, indimmediate,
        indisclustered, indisvalid, indisready, indisreplident, reloptions
      from pg_index join pg_class c on c.oid = indexrelid
      where c.relnamespace = 'public'::regnamespace order by 1`),
    targets: await rowsFor(`
      select c.relname, a.attnum, a.attstattarget from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and a.attstattarget >= 0 order by 1, 2`),
    constraints: await rowsFor(`
      select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as made,
        convalidated, conindid::regclass::text as by
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`),
    columns: await rowsFor(`
      select c.relname, a.attname, a.attnotnull from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
      order by 1, 2`),
  };
}

describe("indexes that are put aside", () => {
  test("are gone meanwhile, and then as the migrations made them, including constraints", async () => {
    const { connection } = await freshDatabase();
    const client = new pg.Client(connection);
    await client.connect();
    try {
      const tables = [
        ...new Set(
          graphRows(planGraph({ ...graphDefaults, ...options })).map(
            ({ table }) => table.split(" ", 1)[0] ?? "",
          ),
        ),
      ];
      const before = await catalogue(client);
      await client.query("begin");
      let away = 0;
      await withoutIndexes(client, tables, async () => {
        away = before.indexes.length - (await catalogue(client)).indexes.length;
      });
      await client.query("commit");
      expect(away).toBeGreaterThan(20);
      expect(before.targets.length).toBeGreaterThan(0);
      expect(await catalogue(client)).toEqual(before);
    } finally {
      await client.end();
    }
  });
});
