import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { createSuggestions } from "#server/features/posts/suggestions/suggestions.ts";
import { insertAccounts, insertFollows, insertTextPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * Counted work, never time. Each of 3,000 accounts that posted follows 30 others, the viewer 100 of them;
 * 500 are dismissed.
 */
let db: Database;
let viewer: Viewer;
let people: Viewer[];

const suggest = (on: Database) => createSuggestions({ db: on }).list(viewer);
const rows = (costs: { rowsRead: number }[]) =>
  costs.reduce((sum, { rowsRead }) => sum + rowsRead, 0);

beforeAll(async () => {
  ({ db } = await freshDatabase());
  people = await insertAccounts(db, 3000);
  viewer = people[0] as Viewer;
  await insertTextPosts(db, people, 2);
  // no photos: what is counted is how they are looked up
  await query(
    db,
    `with photos as (
       update posts set picture_count = 1 where number = 2 returning author_id, id
     )
     insert into recent_photos (author_id, post_id) select author_id, id from photos`,
  );
  await insertFollows(db, [viewer], people.slice(1, 101));
  for (let from = 1; from < 101; from += 20) {
    await insertFollows(db, people.slice(from, from + 20), people.slice(200 + from, 230 + from));
  }
  await insertFollows(db, people.slice(1000, 1100), [viewer]);
  await query(
    db,
    `insert into dismissed_suggestions (account_id, dismissed_id, id)
     select $1, id, id from (select id from accounts where id <> $1 order by id desc limit 500) a`,
    [viewer.id],
  );
  // and others dismissed some, too: a table with one member's rows alone is read whole as cheaply
  await query(
    db,
    `insert into dismissed_suggestions (account_id, dismissed_id, id)
     select a.id, b.id, b.id
     from (select id from accounts where id <> $1 order by id limit 200) a,
       (select id from accounts order by id desc limit 100) b`,
    [viewer.id],
  );
});

describe.each(["right after loading", "with statistics"])("people to follow, %s", (moment) => {
  beforeAll(async () => {
    if (moment === "with statistics") await query(db, "vacuum analyze");
  });

  test.each(["generic", "custom"] as const)("cost a bounded number of rows, %s", async (plan) => {
    expect(await suggest(db)).toHaveLength(limits.suggestions);
    const costs = await costsOf(db, suggest, plan);
    // whom the viewer follows, with four probes each, and four kinds of candidates
    const found = 4 * limits.knownFollowers + 50 + 20 * 20 + 20 + 50 + 400 + 2 * 200;
    // seven probes per candidate, then what is shown, with 50 probes each for who follows them
    const most = found + 7 * 550 + limits.suggestions * (limits.knownFollowers + 12);
    expect(rows(costs)).toBeGreaterThan(400);
    expect(rows(costs)).toBeLessThanOrEqual(most);
    expect(costs.flatMap(({ scans }) => scans).join()).not.toMatch(
      /\b(posts|recent_photos|follows|followers|accounts|dismissed_suggestions): Seq Scan/,
    );
  });
});
