import { sql, type Sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";
import { counters, reconcileCounters, type Difference } from "#server/db/reconcile-counters.ts";

/** Rows that are locked at once: whoever likes or follows there waits. */
const batch = 500;
/** A follow whose other half was missing changes counters that were right until then. */
const mostRounds = 3;

/**
 * Sets counters to what their rows say, beside a running server: each row is locked, then counted, then
 * written, so that what members do meanwhile is counted once. Answers what was found at first, and what
 * is left: of a post that lost pictures only somebody who knows the post can say what it should show.
 */
export async function repairCounters(
  db: Database,
): Promise<{ found: Difference[]; left: Difference[] }> {
  const found = await reconcileCounters(db);
  let left = found;
  for (let round = 0; round < mostRounds && left.length > 0; round += 1) {
    for (const [kind, repair] of Object.entries(repairs)) {
      const ids = left.filter(({ counter }) => counter.split(".")[0] === kind).map(({ id }) => id);
      for (let start = 0; start < ids.length; start += batch) {
        const some = sql`any(${ids.slice(start, start + batch)}::uuid[])`;
        await db.transaction(async () => {
          for (const statement of repair(some)) await db.query(statement);
        });
      }
    }
    left = await reconcileCounters(db);
  }
  return { found, left };
}

type Repair = (ids: Sql) => Sql[];

/** A lock comes before the count, whose snapshot must be younger. */
const counting = Object.entries(counters).map(([table, { key, ofAccounts, columns }]) => {
  const [name, keys] = [sql.raw(table), sql.raw(key.join(", "))];
  const id = sql.raw(key.at(-1) ?? "");
  const settable = Object.entries(columns).filter(([column]) => column !== "picture_count");
  const set = sql.raw(settable.map(([column, count]) => `${column} = (${count})`).join(", "));
  const repair: Repair = (ids) => [
    ...(ofAccounts
      ? [
          sql`insert into ${name} (account_id) select id from accounts where id = ${ids} on conflict do nothing`,
        ]
      : []),
    sql`select from ${name} where ${id} = ${ids} order by ${keys} for update`,
    sql`update ${name} c set ${set} where c.${id} = ${ids}`,
  ];
  return [table, repair] as const;
});

/** By the first word of a counter's name. */
const repairs: Record<string, Repair> = {
  // What a member follows stands in follows: its mirror goes by it.
  follows: (ids) => [
    sql`select from account_counters where account_id = ${ids} order by account_id for update`,
    sql`delete from followers m where m.follower_id = ${ids} and not exists (
      select from follows f
      where f.follower_id = m.follower_id and f.followee_id = m.followee_id and f.id = m.id
    )`,
    // A post made while the mirror was missing is in no list (docs/decisions/0184): it is read where it is.
    sql`update follows f set listed = false where f.follower_id = ${ids} and f.listed and not exists (
      select from followers m
      where m.followee_id = f.followee_id and m.follower_id = f.follower_id and m.listed
    )`,
    sql`insert into followers (followee_id, follower_id, id)
      select followee_id, follower_id, id from follows where follower_id = ${ids}
      on conflict do nothing`,
  ],
  bookmarks: (ids) => [
    sql`delete from bookmarks b where b.post_id = ${ids} and not exists (
      select from posts p where p.author_id = b.author_id and p.id = b.post_id
    )`,
  ],
  ...Object.fromEntries(counting),
};
