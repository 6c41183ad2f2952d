import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { connectedFollowers } from "#server/features/talk/live/connected-followers.ts";
import { setBackForeignPositions } from "#server/features/talk/live/live.queries.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import { rowsScanned } from "#server/test/rows-scanned.ts";
import type { Viewer } from "#shared/views.ts";

/* Counted work of announcing a new post, among 3,000 accounts. */
let db: Database;
let people: Viewer[];
let [few, many]: Viewer[] = [];

beforeAll(async () => {
  ({ db } = await freshDatabase());
  people = await insertAccounts(db, 3000);
  [few, many] = people;
  await insertFollows(db, people.slice(10, 30), people.slice(0, 1));
  await insertFollows(db, people.slice(10, 2510), people.slice(1, 2));
  await query(db, "vacuum analyze");
});

function listening(accounts: readonly Viewer[]) {
  const ids = new Set(accounts.map(({ id }) => id));
  return { has: (id: string) => ids.has(id), accounts: () => [...ids] };
}

async function costOf(author: Viewer, here: readonly Viewer[]) {
  let receivers = 0;
  const read = async (on: Database) => {
    receivers = (await connectedFollowers(on, [author.id], listening(here))).length;
  };
  let [rows, buffers] = [0, 0];
  for (const plan of ["generic", "custom"] as const) {
    const costs = await costsOf(db, read, plan);
    rows = Math.max(
      rows,
      costs.map(({ rowsRead }) => rowsRead).reduce((sum, n) => sum + n, 0),
    );
    buffers = Math.max(
      buffers,
      costs.map((cost) => cost.buffers).reduce((sum, n) => sum + n, 0),
    );
  }
  return { receivers, rows, buffers };
}

test("two thousand streams make a post no more expensive than the few who follow its author", async () => {
  const alone = await costOf(few as Viewer, people.slice(0, 25));
  const crowded = await costOf(few as Viewer, [...people.slice(0, 25), ...people.slice(500, 2475)]);
  expect(alone.receivers).toBe(15);
  expect(crowded.receivers).toBe(15);
  expect(crowded.rows).toBeLessThanOrEqual(1.3 * alone.rows);
  expect(crowded.buffers).toBeLessThanOrEqual(1.3 * alone.buffers);
});

test("nobody is looked up when no follower is connected", async () => {
  const { receivers, rows } = await costOf(few as Viewer, people.slice(500, 2500));
  expect(receivers).toBe(0);
  expect(rows).toBeLessThanOrEqual(21);
});

test("of an author with thousands of followers only the connected ones are looked up", async () => {
  const { receivers, rows } = await costOf(many as Viewer, people.slice(5, 45));
  expect(receivers).toBe(35);
  // each with a probe of followers, and for followers one each of blocks, mutes and the author
  expect(rows).toBeLessThanOrEqual(40 * 4 + 5);
});

test("the first stream after a start reads no conversation, unless a backup was restored", async () => {
  await query(
    db,
    `insert into conversations (id, low_id, high_id, last_seq, last_xid)
    select gen_random_uuid(), least(a.id, b.id), greatest(a.id, b.id), 1, '3'
    from unnest($1::uuid[], $2::uuid[]) pair (one, two)
    join accounts a on a.id = one join accounts b on b.id = two`,
    [people.slice(0, 1500).map(({ id }) => id), people.slice(1500).map(({ id }) => id)],
  );
  await query(
    db,
    `insert into messages (conversation_id, seq, id, sender_id, body, xid)
    select id, 1, gen_random_uuid(), low_id, 'Hello', '3' from conversations`,
  );
  await query(db, "vacuum analyze");
  const read = await rowsScanned(db, ["conversations", "messages"], () =>
    setBackForeignPositions(db),
  );
  expect(read).toEqual({ conversations: 0, messages: 0 });

  const [foreign] = await query<{ id: string }>(
    db,
    `update conversations set last_xid = '999999999999' where id = (select min(id::text)::uuid
      from conversations) returning id`,
  );
  await query(db, "update messages set xid = '999999999999' where conversation_id = $1", [
    foreign?.id,
  ]);
  await setBackForeignPositions(db);
  const [row] = await query(
    db,
    `select c.last_xid::text as last, m.xid::text as message
    from conversations c join messages m on m.conversation_id = c.id where c.id = $1`,
    [foreign?.id],
  );
  expect(row).toEqual({ last: "3", message: "3" });
});
