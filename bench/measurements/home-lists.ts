import { performance } from "node:perf_hooks";
import { sql } from "#server/platform/db/sql.ts";
import { newId } from "#server/platform/db/ids.ts";
import { createFeed } from "#server/features/posts/feed/feed.ts";
import { costsOf } from "#server/test/explain.ts";
import type { Member, Product } from "../product.ts";
import { inFull, type Figure } from "../table.ts";

const mostRows = 120;
const rounds = 15;
/** Posts that go into the lists by one statement. */
const posts = 5;

/** Each of them gets a list. */
export async function makeLists(
  { features: { homeLists } }: Product,
  readers: readonly { id: string }[],
): Promise<void> {
  for (const { id } of readers) {
    homeLists.refreshSoon(id);
    await homeLists.work();
  }
}

/**
 * What finding a page reads once the reader has a list: the first of the two statements of a page, with the
 * more expensive of its plans.
 */
export async function listReadsFigure(
  { db }: Product,
  { viewer }: Member,
  whose: string,
): Promise<Figure> {
  const [follows] = await db.query<{ following: number }>(sql`
    select following from account_counters where account_id = ${viewer.id}
  `);
  let rows = 0;
  let buffers = 0;
  for (const plan of ["generic", "custom"] as const) {
    const [found] = await costsOf(db, (on) => createFeed({ db: on }).home(viewer, null), plan);
    rows = Math.max(rows, found?.rowsRead ?? 0);
    buffers = Math.max(buffers, found?.buffers ?? 0);
  }
  return {
    what: `Feed page from its list, ${inFull(follows?.following ?? 0)} followed${whose}: rows read to find it`,
    value: `${inFull(rows)} (and ${inFull(buffers)} buffers)`,
    goal: `≤ ${mostRows}`,
    met: rows <= mostRows,
  };
}

/**
 * Writing posts of the most followed account into the lists of its followers, compared with the same rows
 * written by an INSERT … SELECT without any checks, in turns.
 */
export async function fanOutFigure(product: Product): Promise<Figure> {
  const { db, features } = product;
  const [star] = await db.query<{ id: string; followers: number }>(sql`
    select account_id as id, followers
    from account_counters
    order by followers desc
    limit 1
  `);
  if (!star) throw new Error("Nobody is there.");
  const fans = await db.query<{ id: string }>(sql`
    select follower_id as id from followers where followee_id = ${star.id}
  `);
  await makeLists(product, fans);
  await db.query(sql`
    create table bench_entries (like home_entries including all);
    insert into bench_entries select * from home_entries;
  `);
  const listed: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ids = Array.from({ length: posts }, () => newId());
    await db.query(sql`
      with counted as (
        update account_counters
        set posts = posts + ${posts}, last_post_number = last_post_number + ${posts}
        where account_id = ${star.id} returning last_post_number
      )
      insert into posts (author_id, id, number, caption)
      select ${star.id}, made.id, last_post_number - made.number + 1, 'A few words'
      from counted, unnest(${ids}::uuid[]) with ordinality as made (id, number)
    `);
    listed.push(await msOf(() => features.homeLists.work()));
    bare.push(
      await msOf(async () => {
        for (const id of ids) {
          await db.run(sql.named("bench.bare")`
            insert into bench_entries (account_id, post_id, author_id)
            select follower_id, ${id}::uuid, followee_id from followers
            where followee_id = ${star.id}
          `);
        }
      }),
    );
  }
  await db.query(sql`drop table bench_entries`);
  const [ours, theirs] = [middle(listed) / posts, middle(bare) / posts];
  return {
    what: `A post into ${inFull(star.followers)} lists against a bare INSERT … SELECT of as many rows: time`,
    value: `${(ours / theirs).toFixed(2)} × (${ours.toFixed(2)} ms against ${theirs.toFixed(2)} ms)`,
    goal: "≤ 2 ×",
    met: ours <= 2 * theirs,
  };
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const middle = (all: number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
